"""Source of the exports of a study: its newest finished run, measures and answers."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from analysis.exports.cells import Cell, Type, cell_of, rounded, type_of
from analysis.inputs.frozen_work import FrozenWork
from analysis.inputs.judged_items import JudgedItem, Step, Vote, judged_items
from analysis.inputs.left_out import left_out_of
from analysis.inputs.measures import Does, Measure, measures_of
from analysis.inputs.run_data import votes_now
from analysis.inputs.settings import COMPAT, PEOPLE, in_force
from analysis.inputs.step_input import copied_names
from analysis.inputs.text_frames import responses_of
from analysis.models import AnalysisRun, Result
from annotation.models import Response, Study
from annotation.texts.coded_errors import CodedError
from judging.banks.secrets import secret_items
from judging.models import ItemSlot, Question, Scale


class CannotExport(CodedError):
    """Error for an export that the study does not have; the message gives the reason."""


Counted = tuple[int | None, int, str]


@dataclass(frozen=True)
class ExportQuestion:
    """Measure and its options, as exports write them.

    `labels` are as in the frames, `chosen` the codes that choose a slot. Codes of answers are the
    same in every file, written as numbers where they are numbers.
    """

    pk: int
    key: str
    text: str
    labels: tuple[str, ...]
    chosen: frozenset[str]
    absent: frozenset[str]
    kind: str
    per_slot: bool = False
    name: str = ""  # the key of the question alone
    item_kind: str = ""
    instrument: str = ""
    outcomes: Mapping[str, int] = field(default_factory=dict)  # of a comparison: label -> 1, 0, -1
    whole: bool = False

    @classmethod
    def of(cls, measure: Measure) -> Self:
        return cls(
            pk=measure.question,
            key=measure.key,
            text=measure.text,
            labels=measure.labels,
            chosen=measure.choosing,
            absent=measure.absent,
            kind=measure.scale,
            per_slot=measure.per_slot,
            name=measure.name,
            item_kind=measure.kind,
            instrument=measure.instrument,
            outcomes=measure.outcomes if measure.does == Does.COMPARES else {},
            whole=measure.whole,
        )

    def label(self, vote: Vote, contents: dict[str, str]) -> str:
        """Return the chosen slot, whatever side it was shown on, or the other answer."""
        if vote.raw in self.chosen:
            for slot, content in contents.items():
                if content == vote.value:
                    return slot
        return vote.value

    @property
    def answer_type(self) -> Type:
        """Type of a column with every answer to this question."""
        return self._type({*self.labels, *self.chosen, *self.absent})

    def cell(self, label: str) -> Cell:
        """Return a label as a cell of a column of its own."""
        return cell_of(label, self._label_type)

    @cached_property
    def _label_type(self) -> Type:
        return self._type(self.labels)

    def _type(self, codes: Collection[str]) -> Type:
        if self.kind == Scale.Kind.RANGE:
            return Type.WHOLE if self.whole else Type.NUMBER
        return type_of(codes) if self.kind == Scale.Kind.OPTIONS else Type.TEXT


@dataclass(frozen=True)
class CompetenceResult:
    """Gold labels and spam probabilities of a question; both are empty if it has none."""

    columns: tuple[str, ...] = ()
    rows: dict[str, list[Any]] = field(default_factory=dict)  # item -> row of the gold table
    spam: dict[str, float | None] = field(default_factory=dict)  # worker -> rounded probability

    def gold(self, item: str) -> dict[str, Any]:
        row = self.rows.get(item)
        return dict(zip(self.columns, row, strict=True)) if row else {}


@dataclass(frozen=True)
class ExportSource:
    """Study as its exports read it.

    `changed` collects the items whose votes the run did not read. With `secret` the exports have
    the secret entries of banks and the words about them, which an owner chose.
    """

    study: Study
    run: AnalysisRun | None
    step: Step
    questions: tuple[ExportQuestion, ...]
    slots: tuple[str, ...]
    changed: set[str] = field(default_factory=set)
    secret: bool = False

    @classmethod
    def of(
        cls,
        study: Study,
        *,
        step: Step = lambda done, total: None,
        run: AnalysisRun | None = None,
        pool: str = "",
        measures: Sequence[Measure] = (),
        secret: bool = False,
    ) -> Self:
        """Return the source of a study and a run, by default the newest finished one of `pool`."""
        run = run or study.runs.newest_finished(pool)
        exported = measures or measures_of(study, pool=run.pool if run else PEOPLE)
        slots = ItemSlot.objects.filter(item__study=study).order_by("position", "name")
        return cls(
            study=study,
            run=run,
            step=step,
            questions=tuple(map(ExportQuestion.of, exported)),
            slots=tuple(dict.fromkeys(slots.values_list("name", flat=True).distinct())),
            secret=secret,
        )

    @property
    def finished(self) -> AnalysisRun:
        """Newest finished run. Raises CannotExport (not_analysed)."""
        if self.run is None:
            raise CannotExport(
                "not_analysed",
                f"Study {self.study.slug} has not been analysed yet: close its batch or run "
                "analyse first.",
            )
        return self.run

    def judged(self, **options: Any) -> Iterator[JudgedItem]:
        """Yield `judged_items` without words about secret entries."""
        for item in judged_items(study=self.study, step=self.step, **options):
            if item.pk in self.silent_items:
                item.votes[:] = map(self.without_words, item.votes)
                for at, (position, _) in item.seen.items():
                    item.seen[at] = (position, "")
            yield item

    def without_words(self, vote: Vote) -> Vote:
        """Return a vote on a secret entry without its comment or written answer; others as is."""
        if vote.item not in self.silent_items:
            return vote
        if vote.question in self._written_questions:
            vote = vote._replace(raw="", value="")
        return vote._replace(comment="")

    @cached_property
    def silent_items(self) -> frozenset[int]:
        """Items on secret entries, unless an owner chose them."""
        return frozenset() if self.secret else secret_items(self.study)

    @cached_property
    def _written_questions(self) -> frozenset[int]:
        """Questions that raters answer in their own words."""
        rows = Question.objects.filter(instrument__study=self.study, scale__kind=Scale.Kind.TEXT)
        return frozenset(rows.values_list("pk", flat=True))

    @property
    def votes_per_item(self) -> int | None:
        votes: int | None = self.finished.parameters.get("votes_per_item")
        return votes

    @property
    def rated(self) -> list[ExportQuestion]:
        """Measures that the run has read and that have one answer per item."""
        read: Collection[str] = self.run.inputs if self.run else ()
        return [
            question
            for question in self.questions
            if question.key in read and not question.per_slot
        ]

    @property
    def chosen(self) -> list[ExportQuestion]:
        """Measures with answers to choose from: a number on a range has no gold label."""
        return [question for question in self.rated if question.labels]

    def written(self, answer: str) -> Cell:
        """Return an answer as a cell of a column with the answers to all questions."""
        return cell_of(answer, self._answer_type)

    def label_value(self, value: str) -> Cell:
        """Return the value of a label: a comparison names the chosen text by its key."""
        chooses = any(question.chosen for question in self.questions)
        return value if chooses else self.written(value)

    @cached_property
    def _answer_type(self) -> Type:
        return max((question.answer_type for question in self.questions), default=Type.TEXT)

    @cached_property
    def as_published(self) -> bool:
        """True if the run followed the published pipeline, which has votes in capitals."""
        return self.run is not None and in_force(self.run.parameters)["compat"] == COMPAT

    @cached_property
    def per_slot(self) -> bool:
        """True if some question is asked of each slot."""
        return any(question.per_slot for question in self.questions)

    @cached_property
    def instruments(self) -> dict[int, str]:
        """Keys of the instruments by id, where the study has several."""
        keys = dict(self.study.instruments.values_list("pk", "key"))
        return keys if len(keys) > 1 else {}

    @property
    def has_texts(self) -> bool:
        """True if the study has items to judge, or an accepted text."""
        return bool(self.slots) or responses_of(self.study).exists()

    @property
    def slot_columns(self) -> tuple[str, ...]:
        return tuple(map(slot_column, self.slots))

    def item_columns(self, item: JudgedItem) -> dict[str, Any]:
        """Return the cells of an item: query_id, and the content of each slot."""
        contents = {slot_column(slot): item.contents.get(slot) for slot in self.slots}
        return {"query_id": item.topic} | contents

    @property
    def system_columns(self) -> tuple[str, ...]:
        """Columns of the systems: one for each slot that holds a response."""
        return tuple(system_column(slot) for slot in self.response_slots)

    @cached_property
    def response_slots(self) -> tuple[str, ...]:
        """Slots whose contents are responses, of whatever kind the items are."""
        filled = ItemSlot.objects.filter(item__study=self.study, response__isnull=False)
        names = {*filled.values_list("name", flat=True).distinct()}
        return tuple(slot for slot in self.slots if slot in names)

    @cached_property
    def _systems(self) -> dict[str, str]:
        """Keys of the systems by the keys of their responses."""
        rows = Response.objects.filter(corpus=self.study.corpus_id, system__isnull=False)
        return dict(rows.values_list("key", "system__key"))

    def system_cells(self, item: JudgedItem) -> dict[str, Any]:
        """Return the systems behind the responses of an item; None where there is none."""
        return {
            system_column(slot): self._systems.get(item.contents.get(slot, ""))
            for slot in self.response_slots
        }

    def winner_cells(self, item: JudgedItem, asked: ExportQuestion, label: str) -> dict[str, Any]:
        """Return the response that a comparison prefers, and its system; None for a tie."""
        slot = {1: "a", -1: "b"}.get(asked.outcomes.get(label, 0), "")
        response = item.contents.get(slot)
        return {"winner": response, "winner_system": self._systems.get(response or "")}

    def votes(self, item: JudgedItem, asked: ExportQuestion) -> list[tuple[Vote, str]]:
        """Return the votes on a question that the run read, with their labels."""
        pk, absent = asked.pk, asked.absent
        given = [vote for vote in item.votes if vote.question == pk and vote.raw not in absent]
        return [(vote, asked.label(vote, item.contents)) for vote in self.of_persons(given)]

    def of_persons(self, votes: Sequence[Vote]) -> list[Vote]:
        """Return the first answer of each worker, without the names that the run took out.

        The published pipeline reads all answers.
        """
        left_out, taken_out = self._left_out, self._taken_out
        votes = [vote for vote in votes if vote.worker not in left_out]
        if self.as_published:
            return votes
        first: dict[str, Vote] = {}
        for vote in votes:
            if vote.worker not in taken_out:
                first.setdefault(vote.worker, vote)
        return list(first.values())

    @cached_property
    def _left_out(self) -> Collection[str]:
        """Workers whom the run left out by name."""
        return frozenset(left_out_of(self.run.parameters).workers or () if self.run else ())

    @cached_property
    def _taken_out(self) -> Collection[str]:
        """Other names of people who have several, if the run was to take them out."""
        if self.run is None or self.run.parameters.get("copies") != "out":
            return ()
        return copied_names(self.run, votes_now)

    def counted(self, item: JudgedItem) -> Collection[Counted] | None:
        """Return (assignment, question, slot) of the votes of people that the run counts.

        None without a run, or where it read another pool of raters.
        """
        if self.run is None or self.run.pool != PEOPLE:
            return None
        read, frozen = self._read, self._frozen
        votes_by_question: dict[tuple[int, str], list[Vote]] = {}
        for vote in item.votes:
            absent = read.get(vote.question)
            if absent is None or vote.raw in absent or vote.assignment is None:
                continue
            if vote.assignment in frozen:
                votes_by_question.setdefault((vote.question, vote.slot), []).append(vote)
        return {
            (vote.assignment, vote.question, vote.slot)
            for votes in votes_by_question.values()
            for vote in self.of_persons(votes)[: self.votes_per_item]
            if vote.assignment is not None
        }

    @cached_property
    def _read(self) -> Mapping[int, Collection[str]]:
        """Codes that are no answer, by question that the run read."""
        read: Collection[str] = self.run.inputs if self.run else ()
        return {question.pk: question.absent for question in self.questions if question.key in read}

    @cached_property
    def _frozen(self) -> Collection[int]:
        """Assignments that the run read."""
        return frozenset(FrozenWork.of(self.finished.frozen).counting)

    def release_findings(self) -> None:
        """Free the memory of `findings`; they are read again when needed."""
        self.__dict__.pop("findings", None)

    @cached_property
    def findings(self) -> dict[str, CompetenceResult]:
        """Results of MACE in the run by question."""
        finding_by_question = {measure.key: CompetenceResult() for measure in self.chosen}
        results = Result.objects.filter(step__run=self.run, step__analysis="competence", missing="")
        for question, pk in list(results.values_list("step__question", "pk")):
            data = Result.objects.values_list("data", flat=True).get(pk=pk)
            columns = data["gold"]["columns"]
            item = columns.index("item")
            workers = data["competence"]["columns"]
            worker, spam = workers.index("worker"), workers.index("spam_probability")
            finding_by_question[question] = CompetenceResult(
                columns=tuple(columns),
                rows={row[item]: row for row in data["gold"]["rows"]},
                spam={row[worker]: rounded(row[spam]) for row in data["competence"]["rows"]},
            )
        return finding_by_question


def slot_column(slot: str) -> str:
    return slot if slot == "response" else f"response_{slot}"


def system_column(slot: str) -> str:
    return "system" if slot == "response" else f"system_{slot}"
