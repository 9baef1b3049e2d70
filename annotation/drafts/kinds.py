"""What the kinds of studies say of their part of a document; the platform knows none of them.

Each registers a `StudyKind` when its app is ready.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec
from django.contrib.auth.models import User

from annotation.drafts.schema import BadDocument, Document, plain, typed
from annotation.models import Corpus, Study
from annotation.studies.instruments import Fault


class Write(Protocol):
    def __call__(
        self, *, document: Document, corpus: Corpus, user: User | None, new_version: bool
    ) -> Study: ...


@dataclass(frozen=True)
class StudyKind:
    """`instrument` is the type of an instrument file; paths of `faults` begin at the document.

    `write` makes the study and its draft batches by the functions that commands call too; its
    `refusals` are the exceptions whose sentences say why it cannot be. `instruments_of` and
    `topics_of` tell what a study was made from, `read` an instrument from a file (raises
    BadDocument), `time_limit` the minutes that an instrument gives, if it says any.
    """

    instrument: type[msgspec.Struct]
    available: Callable[[], list[str]]
    load: Callable[[str], msgspec.Struct]
    faults: Callable[[Document], Iterable[Fault]]
    write: Write
    refusals: tuple[type[Exception], ...]
    instruments_of: Callable[[Study], list[msgspec.Struct]]
    topics_of: Callable[[Study], int | None]
    read: Callable[[bytes, str], msgspec.Struct]
    time_limit: Callable[[msgspec.Struct], int | None]


_known: dict[str, StudyKind] = {}


def register(name: str, kind: StudyKind) -> None:
    _known[name] = kind


def kind_of(name: str) -> StudyKind:
    return _known[name]


def known() -> dict[str, StudyKind]:
    return dict(_known)


def decoded(data: Any) -> Document:
    """A document and its instruments, of the types they should have. Raises BadDocument."""
    document = typed(data, Document)
    instrument = kind_of(document.kind).instrument
    whole = [
        plain(typed(each, instrument, where=f"Instrument {number}: "))
        for number, each in enumerate(document.instruments, start=1)
    ]
    return typed(plain(msgspec.structs.replace(document, instruments=whole)), Document)


def instruments_of(document: Document) -> list[Any]:
    """The instruments of a document, typed. Raises BadDocument."""
    as_type = kind_of(document.kind).instrument
    return [typed(each, as_type) for each in document.instruments]


__all__ = ["BadDocument", "StudyKind", "decoded", "instruments_of", "kind_of", "register"]
