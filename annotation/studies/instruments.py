"""Instruments: ready-made methods, one data file each in a folder of the study kind they are for.

What is in a file, and what else must hold of it, the kind says: `judging.instruments`,
`writing.instruments`.
"""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TypeVar

import msgspec
from django.utils.translation import gettext

from annotation.studies.drafts.setting import Setting
from annotation.texts.coded_errors import CodedError
from annotation.texts.sentences import marked

T = TypeVar("T")
EXPORT_NAME = Setting(
    title=marked("Name in exports"),
    help=marked("Used in exported files. Participants don't see it."),
    reshapes=True,
)
METHOD_TITLE = Setting(title=marked("Method name"), form="texts", wide=True)
CONSENT = Setting(
    title=marked("Consent"), form="instructions", widget="markdown", wide=True, screen="consent"
)


class Fault(NamedTuple):
    """A fault of an instrument or a draft, and the path of the place to mend it."""

    path: str
    sentence: str


class BadInstrument(CodedError):
    """An instrument file that cannot be used; the message names the file and the fault."""

    def __init__(self, code: str, message: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(code, message)
        self.faults = faults


def names_in(folder: Path) -> list[str]:
    """Return the names of the instruments in a folder; X.de.json is the German X."""
    stems = (name.removesuffix(".json") for name in os.listdir(folder) if name.endswith(".json"))
    return sorted(stem for stem in stems if stem and "." not in stem)


def path_of(name: str, *, folder: Path) -> Path:
    """Return the file of an instrument. Raises BadInstrument."""
    names = names_in(folder)
    if name not in names:
        raise BadInstrument(
            "unknown_instrument",
            gettext("Instrument {name!r} not found. Available: {names}.").format(
                name=name, names=", ".join(names)
            ),
        )
    return folder / f"{name}.json"


def decoded(path: Path, *, as_type: type[T]) -> T:
    """Return a typed instrument from its file. Raises BadInstrument."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInstrument("unreadable", f"{path.name}: {error}") from error
    return decoded_from(content, as_type=as_type, name=path.name)


def decoded_from(content: bytes, *, as_type: type[T], name: str) -> T:
    """Return a typed instrument from the content of a file. Raises BadInstrument."""
    try:
        return msgspec.json.decode(content, type=as_type)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadInstrument("invalid", f"{name}: {error}") from error


def refuse(faults: Iterable[Fault], *, name: str) -> None:
    """Raise BadInstrument with all faults of an instrument, if it has any."""
    faults = list(faults)
    if faults:
        lines = [f"{name}: {fault.sentence}" for fault in faults]
        raise BadInstrument("faults", "\n".join(lines), faults)
