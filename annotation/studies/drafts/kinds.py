"""The registry of the kinds of studies, and what each does with its part of a document."""

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
from annotation.studies.briefs import WritingBrief
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.plain_data import BadDocument, odd_numbers, plain, typed
from annotation.studies.drafts.schema import Document
from annotation.studies.instruments import Fault
from annotation.studies.wages import TaskTerms, careful_minutes, reading_and_writing

if TYPE_CHECKING:
    from annotation.studies.drafts.editor_forms import FieldGroup
    from annotation.studies.drafts.page_samples import PageSample


@dataclass(frozen=True)
class Method:
    """The purpose of a built-in method, in sentences that docs/choose-a-method.md repeats.

    `question` is a key of `builder.method_rows.QUESTIONS`. `paper` is for a method that was
    the study of a published paper. `systems` are numbers of systems of a corpus for which the
    method is recommended.
    """

    question: str
    title: str
    when: str
    shows: str
    not_for: str
    paper: str = ""
    systems: range = range(0)


@dataclass(frozen=True)
class Wave:
    """A batch that a launch would open."""

    name: str
    tasks: int
    places: int

    @property
    def votes(self) -> int:
        """Number of workers on each task, which is its number of places."""
        return self.places // self.tasks if self.tasks else 0


@dataclass(frozen=True)
class Outline:
    """The tasks, places and workload that a launch would make.

    `minutes` and `pay` are of one task. `words_a_page` is 0 if unknown. `topics` are ids. `sum`
    explains the number of tasks and places. `lacking` names what other studies do not provide,
    `sparse` systems with texts for few topics.
    """

    waves: tuple[Wave, ...]
    minutes: int
    reading_minutes: float
    pay: Decimal
    currency: str
    judgments: int | None = None
    most_answers: float = 0.0
    words_a_page: float = 0.0
    topics: tuple[int, ...] = ()
    sum: tuple[str, ...] = ()
    writing_minutes: float = 0.0
    pages: tuple[int, int] | None = None
    notes: tuple[str, ...] = ()
    lacking: tuple[Fault, ...] = ()
    sparse: tuple[Fault, ...] = ()
    most_for_one: int = 0  # tasks that one person can do at all, 0 for all there are
    arm_tasks: tuple[int, ...] = ()  # of each arm in the order of its methods; empty without arms

    def people(self, *, tasks_per_worker: int) -> tuple[int, int]:
        """Return the fewest and the most participants that all places need, without onboarding."""
        waves = [wave for wave in self.waves if wave.name != "onboarding"]
        places, tasks = sum(wave.places for wave in waves), sum(wave.tasks for wave in waves)
        most = max(1, min(tasks_per_worker, self.most_for_one or tasks))
        return -(-places // most), places

    def raters(self, *, tasks_per_worker: int) -> int:
        """Return the fewest participants that one arm needs, who alone answer its questions."""
        people, _ = self.people(tasks_per_worker=tasks_per_worker)
        smallest = min(self.arm_tasks, default=self.tasks)
        return -(-people * smallest // self.tasks) if self.tasks else people

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
        """Answers that one task asks for, in the longest arm; 0 where they are not counted."""
        if self.most_answers:
            return self.most_answers
        return self.judgments / self.places if self.judgments and self.places else 0

    @property
    def careful_minutes(self) -> int:
        """Minutes of careful reading and answering, or writing, of one task."""
        return careful_minutes(
            reading=self.reading_minutes, answers=self.answers, writing=self.writing_minutes
        )

    @property
    def whole_minutes(self) -> tuple[int, int]:
        """The careful minutes of a text: those of reading, and those of writing."""
        return reading_and_writing(careful=self.careful_minutes, reading=self.reading_minutes)

    def expected(self, *, target: Decimal) -> TaskTerms:
        """Return the expected earnings of one task; `target` is the target wage an hour."""
        return TaskTerms(
            pay=float(self.pay),
            minutes=self.minutes,
            careful=self.careful_minutes,
            target=float(target),
            currency=self.currency,
        )


class WriteStudy(Protocol):
    def __call__(
        self, *, document: Document, corpus: Corpus, user: User | None, new_version: bool
    ) -> Study: ...


@dataclass(frozen=True)
class Crowd:
    """A simulated crowd.

    Each worker knows an answer with probability `competence`. `difference` is the standard
    deviation between systems, in standard deviations within a system.
    """

    names: tuple[str, ...]
    competence: float
    difference: float
    seed: int


class Simulate(Protocol):
    def __call__(self, *, study: Study, crowd: Crowd, now: datetime) -> Iterator[Assignment]: ...


@dataclass(frozen=True)
class ImaginedWork:
    """Work that is not in the database; `show` is a page of it by its key (`StudyKind.screens`)."""

    assignment: Assignment
    show: Callable[[str, HttpRequest], HttpResponse]


PagesByHand = Callable[[Assignment], tuple[int, int] | None]
WordsByHand = Callable[[Assignment], tuple[int, int, int] | None]


@dataclass(frozen=True)
class Sources:
    """Other studies that a document uses.

    `named` yields path and name (`address/version`), `state` changes with the data used, `offered`
    returns the studies that each path could name.
    """

    named: Callable[[Document], Iterable[tuple[str, str]]] = lambda _: ()
    state: Callable[[Document], Any] = lambda _: ()
    offered: Callable[[Document, StudyQuerySet], Mapping[str, list[str]]] = lambda *_: {}


@dataclass(frozen=True)
class NextRounds:
    """Further batches on the cells of a bank that no person graded.

    `ask` makes a planned batch and `foreseen` counts its cells, tasks and places (both raise the
    kind's refusals); `is_due` tells whether the bank changed since a study asked it.
    """

    ask: Callable[..., Batch]
    foreseen: Callable[..., Any]
    is_due: Callable[[Study], bool]


@dataclass(frozen=True)
class UndecidedItems:
    """Further batches on the items of a batch that people's votes leave undecided.

    `ask` makes a planned batch and `foreseen` counts its items and tasks; both raise the kind's
    refusals.
    """

    ask: Callable[..., Batch]
    foreseen: Callable[..., Any]


@dataclass(frozen=True)
class StudyKind:
    """Everything that a kind of study does for drafts, launches and pages.

    `faults` have paths from the document. `write` makes the study and its draft batches; its
    `refusals` are shown to the user. `outline` counts what `write` would make and raises as it
    does. `read` raises BadDocument. `remarks` are warnings. `needs` are holdings of a corpus
    (`corpora.contents.holdings`).

    `groups` are the forms of the editor; `adding` and `removing` are further changes that come with
    an element. `look` shows pages (`screens`: key, title) of a task, `imagine` those of a document
    made small by `in_small`. Neither writes.

    `repeat` and `add_topics` make a further planned batch (raise `refusals`). `systems_of` and
    `chosen_topics_of` return None for all. `pages_by_hand` returns pages answered by a person and
    all pages, `words_by_hand` words typed, all words and the least that is enough. `variants` name
    tasks that ask for different things. `simulate` can be repeated to continue. `brief` is what
    authors of texts get; None where nobody writes. `public` takes from a plain
    document what only owners export.
    """

    instrument: type[msgspec.Struct]
    available: Callable[[], list[str]]
    load: Callable[[str, str], msgspec.Struct]
    blank: Callable[[str], msgspec.Struct]
    faults: Callable[[Document], Iterable[Fault]]
    write: WriteStudy
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
    groups: Callable[[Document], Iterable["FieldGroup"]]
    adding: Callable[[Any, str], list[DraftChange] | None]
    removing: Callable[[Any, str], list[DraftChange]]
    screens: tuple[tuple[str, str], ...]
    in_small: Callable[[Document], Document]
    look: Callable[[Task], ImaginedWork]
    imagine: Callable[[Document, "PageSample"], ImaginedWork]
    methods: Mapping[str, "Method"]
    # Further batches (annotation.studies.batch_acts).
    repeat: Callable[..., Batch]
    add_topics: Callable[..., Batch]
    foreseen_topics: Callable[..., tuple[int, int]]
    topics_left: Callable[[Study], int]
    simulate: Simulate
    sources: Sources = Sources()
    next_rounds: NextRounds | None = None
    undecided: UndecidedItems | None = None
    pages_by_hand: PagesByHand = lambda _: None
    words_by_hand: WordsByHand = lambda _: None
    variants: Callable[[Study], Mapping[int, str]] = lambda _: {}
    brief: Callable[[Study], WritingBrief | None] = lambda _: None
    systems_of: Callable[[Study], list[str] | None] = lambda _: None
    chosen_topics_of: Callable[[Study], list[str] | None] = lambda _: None
    public: Callable[[dict[str, Any]], dict[str, Any]] = lambda document: document


_kinds: dict[str, StudyKind] = {}


def register(name: str, kind: StudyKind) -> None:
    _kinds[name] = kind


def kind_of(name: str) -> StudyKind:
    return _kinds[name]


def registered_kinds() -> dict[str, StudyKind]:
    return dict(_kinds)


def decoded(data: Any) -> Document:
    """Return a typed document with complete instruments. Raises BadDocument.

    Stored numbers may be of any size; `computable` checks them.
    """
    document = typed(data, Document)
    instrument = kind_of(document.kind).instrument
    whole = [
        plain(typed(part, instrument, where=gettext("Instrument {number}: ").format(number=number)))
        for number, part in enumerate(document.instruments, start=1)
    ]
    rest = plain(msgspec.structs.replace(document, instruments=[]))
    return typed(rest | {"instruments": whole}, Document)


def computable(document: Document, *, before: Any = None) -> Document:
    """Return the document if all its new numbers are usable. Raises BadDocument.

    Unusable numbers of `before` may stay.
    """
    new = _odd_numbers(document)
    if new and before is not None:
        new -= _odd_numbers(decoded(before))
    if new:
        if not all(Decimal(number).is_finite() for number in new):
            raise BadDocument("odd_number", gettext("A number is infinite or NaN."))
        raise BadDocument("odd_number", gettext("A number is too large or too small."))
    return document


def _odd_numbers(document: Document) -> Counter[str]:
    parts = [msgspec.structs.replace(document, instruments=[]), *instruments_of(document)]
    return Counter(
        str(odd_number) for odd_number in odd_numbers(parts)
    )  # one that signals has no hash


def instruments_of(document: Document) -> list[Any]:
    """Return the instruments of a document, typed. Raises BadDocument."""
    as_type = kind_of(document.kind).instrument
    return [typed(instrument, as_type) for instrument in document.instruments]


__all__ = ["BadDocument", "StudyKind", "decoded", "instruments_of", "kind_of", "register"]
