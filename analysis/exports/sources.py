"""Where exports come from: a study, its newest finished run, and how its answers are written."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

from analysis.inputs.judged import Judged, Step, Vote
from analysis.inputs.measures import Measure, measures_of
from analysis.inputs.reading import copied_names
from analysis.inputs.settings import COMPAT, PEOPLE, in_force
from analysis.inputs.text_frames import responses_of
from analysis.inputs.unchanged import votes_now
from analysis.models import AnalysisRun, Result
from analysis.runs.frozen import Frozen
from annotation.models import Study
from judging.models import ItemSlot, Scale


class CannotExport(ValueError):
    """There is no such export of this study; the message says why."""


class NotAnalysed(CannotExport):
    def __init__(self, study: Study) -> None:
        super().__init__(
            f"Study {study.slug} has not been analysed yet: close its batch or run analyse first."
        )


Cell = str | int | float | None
Counted = tuple[int | None, int, str]


def number(text: str) -> Cell:
    """The number that a text writes, if it is written as numbers are; else the text."""
    try:
        value = float(text)
    except ValueError:
        return text
    if not math.isfinite(value) or f"{value:.15g}" != text:
        return text
    return int(value) if value.is_integer() else value


@dataclass(frozen=True)
class Asked:
    """A measure and its options: `labels` as in the frames, `chosen` the codes that choose a slot.

    The published ratings write the votes on a preference in capitals (A, N, B) and its gold label
    small; whoever has codes that are numbers reads numbers.
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
        )

    def label(self, vote: Vote, contents: dict[str, str]) -> str:
        """The slot that was chosen, whatever side it was shown on, or what else was answered."""
        if vote.raw in self.chosen:
            for slot, content in contents.items():
                if content == vote.value:
                    return slot
        return vote.value

    def written(self, answer: str) -> Cell:
        return answer if self.kind == Scale.Kind.TEXT else number(answer)

    def vote(self, label: str) -> Cell:
        return label.upper() if self.chosen else number(label)

    def gold(self, label: str) -> Cell:
        return label.lower() if self.chosen else number(label)


@dataclass(frozen=True)
class Found:
    """What the competence analysis of a question found. Both are empty if it found nothing."""

    columns: tuple[str, ...] = ()
    rows: dict[str, list[Any]] = field(default_factory=dict)  # item -> row of the gold table
    spam: dict[str, float] = field(default_factory=dict)  # worker -> probability

    def gold(self, item: str) -> dict[str, Any]:
        row = self.rows.get(item)
        return dict(zip(self.columns, row, strict=True)) if row else {}


@dataclass(frozen=True)
class Source:
    """A study as its exports read it. `changed` collects items whose votes the run did not read."""

    study: Study
    run: AnalysisRun | None
    step: Step
    questions: tuple[Asked, ...]
    slots: tuple[str, ...]
    changed: set[str] = field(default_factory=set)

    @classmethod
    def of(
        cls,
        study: Study,
        *,
        step: Step = lambda done, total: None,
        run: AnalysisRun | None = None,
        pool: str = "",
        measures: Sequence[Measure] = (),
    ) -> Self:
        """The source of a study; its run, or else the newest finished one of `pool`, and its
        measures, if they are known."""
        run = run or study.runs.newest_finished(pool)
        asked = measures or measures_of(study, pool=run.pool if run else PEOPLE)
        slots = ItemSlot.objects.filter(item__study=study).order_by("position", "name")
        return cls(
            study=study,
            run=run,
            step=step,
            questions=tuple(map(Asked.of, asked)),
            slots=tuple(dict.fromkeys(slots.values_list("name", flat=True).distinct())),
        )

    @property
    def finished(self) -> AnalysisRun:
        """The newest finished run. Raises NotAnalysed."""
        if self.run is None:
            raise NotAnalysed(self.study)
        return self.run

    @property
    def votes_per_item(self) -> int | None:
        votes: int | None = self.finished.parameters.get("votes_per_item")
        return votes

    @property
    def rated(self) -> list[Asked]:
        """The measures that the run has read and that have one answer per item."""
        read: Collection[str] = self.run.inputs if self.run else ()
        return [asked for asked in self.questions if asked.key in read and not asked.per_slot]

    @property
    def chosen(self) -> list[Asked]:
        """Those with answers to choose from: a number on a range has no gold label."""
        return [asked for asked in self.rated if asked.labels]

    @property
    def per_slot(self) -> bool:
        """Whether some question is asked of each slot."""
        return any(asked.per_slot for asked in self.questions)

    @cached_property
    def instruments(self) -> dict[int, str]:
        """The keys of the instruments by id, where the study has several."""
        keys = dict(self.study.instruments.values_list("pk", "key"))
        return keys if len(keys) > 1 else {}

    @property
    def has_texts(self) -> bool:
        """Whether it has items to judge, or has accepted a text."""
        return bool(self.slots) or responses_of(self.study).exists()

    @property
    def slot_columns(self) -> tuple[str, ...]:
        return tuple(map(slot_column, self.slots))

    def item_columns(self, item: Judged) -> dict[str, Any]:
        """query_id, and response_a and response_b, or response, or whatever stands in the slots."""
        contents = {slot_column(slot): item.contents.get(slot) for slot in self.slots}
        return {"query_id": item.topic} | contents

    def votes(self, item: Judged, asked: Asked) -> list[tuple[Vote, str]]:
        """The votes on a question that the run read, with their labels; no answer is no vote."""
        given = [
            vote
            for vote in item.votes
            if vote.question == asked.pk and vote.raw not in asked.absent
        ]
        return [(vote, asked.label(vote, item.contents)) for vote in self.of_persons(given)]

    def of_persons(self, votes: Sequence[Vote]) -> list[Vote]:
        """Of the answers to a question about one thing, those of different people: the first of a
        worker, and none of a name that the run took out. The published pipeline reads all."""
        if self.run and in_force(self.run.parameters)["compat"] == COMPAT:
            return list(votes)
        first: dict[str, Vote] = {}
        for vote in votes:
            if vote.worker not in self._taken_out:
                first.setdefault(vote.worker, vote)
        return list(first.values())

    @cached_property
    def _taken_out(self) -> Collection[str]:
        """The other names of people who have several, if the run was to take them out."""
        if self.run is None or self.run.parameters.get("copies") != "out":
            return ()
        return copied_names(self.run, votes_now)

    def counted(self, item: Judged) -> Collection[Counted] | None:
        """(assignment, question, slot) of the votes of people that the run counts; None without a
        run, or where it read another pool of raters."""
        if self.run is None or self.run.pool != PEOPLE:
            return None
        read = {asked.pk: asked.absent for asked in self.questions if asked.key in self.run.inputs}
        found: dict[tuple[int, str], list[Vote]] = {}
        for vote in item.votes:
            absent = read.get(vote.question)
            if absent is None or vote.raw in absent or vote.assignment is None:
                continue
            if vote.assignment in self._frozen:
                found.setdefault((vote.question, vote.slot), []).append(vote)
        return {
            (vote.assignment, vote.question, vote.slot)
            for votes in found.values()
            for vote in self.of_persons(votes)[: self.votes_per_item]
            if vote.assignment is not None
        }

    @cached_property
    def _frozen(self) -> Collection[int]:
        """The assignments that the run read."""
        return frozenset(Frozen.of(self.finished.frozen).counting)

    @cached_property
    def findings(self) -> dict[str, Found]:
        """Per question what MACE found in the run. Read once, one question at a time."""
        found = {asked.key: Found() for asked in self.chosen}
        results = Result.objects.filter(step__run=self.run, step__analysis="competence", missing="")
        for question, pk in list(results.values_list("step__question", "pk")):
            data = Result.objects.values_list("data", flat=True).get(pk=pk)
            columns = data["gold"]["columns"]
            item = columns.index("item")
            workers = data["competence"]["columns"]
            worker, spam = workers.index("worker"), workers.index("spam_probability")
            found[question] = Found(
                columns=tuple(columns),
                rows={row[item]: row for row in data["gold"]["rows"]},
                spam={row[worker]: row[spam] for row in data["competence"]["rows"]},
            )
        return found


def slot_column(slot: str) -> str:
    return slot if slot == "response" else f"response_{slot}"
