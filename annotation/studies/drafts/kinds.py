"""What the kinds of studies say of their part of a document; the platform knows none of them.

Each registers a `StudyKind` when its app is ready.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from annotation.models import Assignment, Batch, Corpus, Study, Task
from annotation.models.studies import StudyQuerySet
from annotation.studies.drafts.changes import Change
from annotation.studies.drafts.schema import BadDocument, Document, odd_numbers, plain, typed
from annotation.studies.instruments import Fault
from annotation.studies.wages import Expected, careful_minutes, reading_and_writing

if TYPE_CHECKING:
    from annotation.studies.drafts.samples import Sample
    from annotation.studies.drafts.sheets import Group


@dataclass(frozen=True)
class Method:
    """What a method that comes along is for, in sentences; docs/choose-a-method.md has them too.
    `paper` says so of one that is the study of a published paper."""

    family: str
    asks: str
    shows: str
    not_for: str
    paper: str = ""


@dataclass(frozen=True)
class Wave:
    """A batch that a launch would open."""

    name: str
    tasks: int
    places: int

    @property
    def votes(self) -> int:
        """How many workers do each task: so many places it has."""
        return self.places // self.tasks if self.tasks else 0


@dataclass(frozen=True)
class Outline:
    """What a launch would make. `minutes` and `pay` are of one task, and so are the minutes that
    careful reading and writing take; `notes` are for people.
    `words_a_page` is what is to read on a page before its questions, 0 where nobody knows;
    `topics` are the ids of those that tasks are about, `sum` says how tasks and places come about.
    `pages` are the least and the most that a task has, where it has any to go through.
    `lacking` is what other studies, which it draws on, have not for all of it, `sparse` says which
    systems have texts for few of its topics."""

    waves: tuple[Wave, ...]
    minutes: int
    reading_minutes: float
    pay: Decimal
    currency: str
    judgments: int | None = None
    words_a_page: float = 0.0
    topics: tuple[int, ...] = ()
    sum: tuple[str, ...] = ()
    writing_minutes: float = 0.0
    pages: tuple[int, int] | None = None
    notes: tuple[str, ...] = ()
    lacking: tuple[Fault, ...] = ()
    sparse: tuple[Fault, ...] = ()
    most_for_one: int = 0  # tasks that one person can do at all, 0 for all there are

    def people(self, *, tasks_per_worker: int) -> tuple[int, int]:
        """How many people take all places: at least, where each does all they may, and at most.
        What newcomers do first comes on top of what they may do."""
        waves = [each for each in self.waves if each.name != "onboarding"]
        places, tasks = sum(each.places for each in waves), sum(each.tasks for each in waves)
        most = max(1, min(tasks_per_worker, self.most_for_one or tasks))
        return -(-places // most), places

    @property
    def tasks(self) -> int:
        return sum(wave.tasks for wave in self.waves)

    @property
    def places(self) -> int:
        return sum(wave.places for wave in self.waves)

    @property
    def cost(self) -> Decimal:
        """Without the fees of a platform."""
        return self.places * self.pay

    @property
    def answers(self) -> float:
        """How many one task asks for; 0 where they are not counted."""
        return self.judgments / self.places if self.judgments and self.places else 0

    @property
    def careful_minutes(self) -> int:
        """What one task takes, to read and to answer, or to write."""
        return careful_minutes(
            reading=self.reading_minutes, answers=self.answers, writing=self.writing_minutes
        )

    @property
    def whole_minutes(self) -> tuple[int, int]:
        """The careful minutes of a text: those of reading, and those of writing."""
        return reading_and_writing(careful=self.careful_minutes, reading=self.reading_minutes)

    def expected(self, *, target: Decimal) -> Expected:
        """What one task earns; `target` is the wage an hour that the study aims at."""
        return Expected(
            pay=float(self.pay),
            minutes=self.minutes,
            careful=self.careful_minutes,
            target=float(target),
            currency=self.currency,
        )


class Write(Protocol):
    def __call__(
        self, *, document: Document, corpus: Corpus, user: User | None, new_version: bool
    ) -> Study: ...


@dataclass(frozen=True)
class Crowd:
    """Made-up people who try a study. Each knows an answer with about the probability
    `competence`; `difference` is the standard deviation between systems of what is to be known,
    where that of the texts of one system is 1."""

    names: tuple[str, ...]
    competence: float
    difference: float
    seed: int


class Simulate(Protocol):
    def __call__(self, *, study: Study, crowd: Crowd, now: datetime) -> Iterator[Assignment]: ...


@dataclass(frozen=True)
class Imagined:
    """Work that is not in the database; `show` is a page of it by its key (`StudyKind.screens`)."""

    assignment: Assignment
    show: Callable[[str, HttpRequest], HttpResponse]


PagesByHand = Callable[[Assignment], tuple[int, int] | None]
WordsByHand = Callable[[Assignment], tuple[int, int, int] | None]


@dataclass(frozen=True)
class Sources:
    """Other studies that a document draws on. `named`: the path where it names one, and the name,
    `address/version`; `state`: what differs once that which is drawn has changed; `offered`: of
    the studies that somebody sees those that it could name, by path."""

    named: Callable[[Document], Iterable[tuple[str, str]]] = lambda _: ()
    state: Callable[[Document], Any] = lambda _: ()
    offered: Callable[[Document, StudyQuerySet], Mapping[str, list[str]]] = lambda *_: {}


@dataclass(frozen=True)
class StudyKind:
    """`instrument` is the type of an instrument file; `load` takes its name and a language, and
    `blank` a language. Paths of `faults` begin at the document.

    `write` makes the study and its draft batches by the functions that commands call too; its
    `refusals` are the exceptions whose sentences say why it cannot be. `instruments_of` and
    `topics_of` tell what a study was made from, `read` an instrument from a file (raises
    BadDocument), `time_limit` the minutes that an instrument gives, if it says any. `outline` is
    what `write` would make (and raises as it does). `remarks` say what is unwise and can be
    launched all the same; they get the outline, if there is one. `compares` says whether a method
    compares two texts, so that Plan can foresee how sure its result will be; `needs` which holdings
    of a corpus (`corpora.contents.holdings`) an instrument can do nothing without.

    `groups` is what of a document is edited where; `adding` and `removing` what a new element of a
    list comes with, and what goes with one. `look` shows the pages (`screens`: key, title) of
    somebody who begins a task, `imagine` those of a document, made small by `in_small`, with a
    sample of its corpus; it raises as `write` does. Neither writes. `methods` say what each method
    is for.

    `repeat` and `add_topics` make a further planned batch of a study (both raise `refusals`),
    `foreseen_topics` is how many tasks and places the latter would make (and raises as it does),
    `topics_left` how many topics the study lacks.
    `systems_of` are the keys of the systems whose texts a study holds, `chosen_topics_of` those of
    the topics that were chosen for it; None where they are all.
    `pages_by_hand` is on how many pages of tried work a person answered, and how many it has; None
    where nothing can be filled in for them; `words_by_hand` how many words of a text they wrote,
    how many it has, and from how many on it is long enough.
    `variants` name the tasks of a study that ask for different things, {id: name}, such as a style;
    empty where all ask for the same.
    `simulate` lets a crowd do the tasks of a study that is open, one after the other; done again it
    goes on.
    """

    instrument: type[msgspec.Struct]
    available: Callable[[], list[str]]
    load: Callable[[str, str], msgspec.Struct]
    blank: Callable[[str], msgspec.Struct]
    faults: Callable[[Document], Iterable[Fault]]
    write: Write
    refusals: tuple[type[Exception], ...]
    instruments_of: Callable[[Study], list[msgspec.Struct]]
    topics_of: Callable[[Study], int | None]
    read: Callable[[bytes, str], msgspec.Struct]
    time_limit: Callable[[msgspec.Struct], int | None]
    outline: Callable[[Document, Corpus], Outline]
    remarks: Callable[[Document, Outline | None], Iterable[Fault]]
    compares: Callable[[Document], bool]
    needs: Callable[[Any], frozenset[str]]
    # The editor and its view of a worker's pages (annotation.console.builder).
    groups: Callable[[Document], Iterable["Group"]]
    adding: Callable[[Any, str], list[Change] | None]
    removing: Callable[[Any, str], list[Change]]
    screens: tuple[tuple[str, str], ...]
    in_small: Callable[[Document], Document]
    look: Callable[[Task], Imagined]
    imagine: Callable[[Document, "Sample"], Imagined]
    methods: Mapping[str, "Method"]
    # Further batches (annotation.studies.acts).
    repeat: Callable[..., Batch]
    add_topics: Callable[..., Batch]
    foreseen_topics: Callable[..., tuple[int, int]]
    topics_left: Callable[[Study], int]
    simulate: Simulate
    sources: Sources = Sources()
    pages_by_hand: PagesByHand = lambda _: None
    words_by_hand: WordsByHand = lambda _: None
    variants: Callable[[Study], Mapping[int, str]] = lambda _: {}
    systems_of: Callable[[Study], list[str] | None] = lambda _: None
    chosen_topics_of: Callable[[Study], list[str] | None] = lambda _: None


_known: dict[str, StudyKind] = {}


def register(name: str, kind: StudyKind) -> None:
    _known[name] = kind


def kind_of(name: str) -> StudyKind:
    return _known[name]


def known() -> dict[str, StudyKind]:
    return dict(_known)


def decoded(data: Any) -> Document:
    """A document and its instruments, of the types they should have. Raises BadDocument.

    Numbers are as they are: what is kept is read whatever it has. `computable` asks for more.
    """
    document = typed(data, Document)
    instrument = kind_of(document.kind).instrument
    whole = [
        plain(typed(each, instrument, where=gettext("Instrument {number}: ").format(number=number)))
        for number, each in enumerate(document.instruments, start=1)
    ]
    rest = plain(msgspec.structs.replace(document, instruments=[]))
    return typed(rest | {"instruments": whole}, Document)


def computable(document: Document, *, before: Any = None) -> Document:
    """The document, which has no number that nothing can be computed with, but those that it had
    before, as it was kept. Raises BadDocument."""
    new = _odd_numbers(document)
    if new and before is not None:
        new -= _odd_numbers(decoded(before))
    if new:
        if not all(Decimal(each).is_finite() for each in new):
            raise BadDocument(gettext("A number is not finite."))
        raise BadDocument(gettext("A number is too large or too small to compute with."))
    return document


def _odd_numbers(document: Document) -> Counter[str]:
    parts = [msgspec.structs.replace(document, instruments=[]), *instruments_of(document)]
    return Counter(str(each) for each in odd_numbers(parts))  # one that signals has no hash


def instruments_of(document: Document) -> list[Any]:
    """The instruments of a document, typed. Raises BadDocument."""
    as_type = kind_of(document.kind).instrument
    return [typed(each, as_type) for each in document.instruments]


__all__ = ["BadDocument", "StudyKind", "decoded", "instruments_of", "kind_of", "register"]
