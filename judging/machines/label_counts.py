"""Counts of a judge's labels: recorded, different between the two orders, and discarded."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from judging.machines.recording import together
from judging.models import MachineCall, MachineJudge, Question

State = MachineCall.State
NEVER_ASKED = ("withdrawn", "prompt")  # kinds of failure before a model is asked
Answers = tuple[list[dict[str, Any] | None], list[str]]  # of each order, and the questions


@dataclass(frozen=True)
class LabelCounts:
    """Labels that a judge was asked for, where all calls about an item have ended.

    both: labels with an answer in both orders; flipped: those of them whose answers differ;
    ties: flipped labels that are recorded as a tie. Labels are discarded because an answer is
    missing (unread), because the orders disagree where the question has no tie (undecided), or
    because only one of them left the question out (half_empty). left_out: no answer was given,
    and none had to be.
    """

    recorded: int = 0
    left_out: int = 0
    both: int = 0
    flipped: int = 0
    ties: int = 0
    unread: int = 0
    undecided: int = 0
    half_empty: int = 0

    @property
    def discarded(self) -> int:
        return self.unread + self.undecided + self.half_empty

    @property
    def labels(self) -> int:
        return self.recorded + self.discarded

    @property
    def share_discarded(self) -> float | None:
        return self.discarded / self.labels if self.labels else None

    @property
    def share_flipped(self) -> float | None:
        return self.flipped / self.both if self.both else None


def label_counts(judge: MachineJudge) -> LabelCounts:
    """Return the counts of a judge's labels by reading the parsed answers of its calls."""
    specs = {
        (question.instrument_id, question.key): question.scale.spec
        for question in Question.objects.filter(study=judge.study_id).select_related("scale")
    }
    counts = dict.fromkeys(LabelCounts.__dataclass_fields__, 0)
    for instrument, (parsed, questions) in _ended(judge):
        for key, values in _labels(parsed, questions):
            spec = specs.get((instrument, key.split("/")[0]), {})
            for name in _names(judge, spec, values):
                counts[name] += 1
    return LabelCounts(**counts)


def _ended(judge: MachineJudge) -> Iterator[tuple[int, Answers]]:
    """Yield the instrument and the answers of each group of calls that waits for nothing."""
    columns = ("item", "instrument", "asked", "state", "error", "parsed", "questions")
    rows = MachineCall.objects.filter(judge=judge).order_by(*columns[:3], "order")
    for (_, instrument, _), calls in groupby(rows.values_list(*columns).iterator(), _group):
        group = list(calls)
        states, errors = {call[3] for call in group}, {call[4] for call in group}
        if not states & {State.PREPARED, State.SENT} and not errors & {*NEVER_ASKED}:
            parsed = [call[5] if call[3] == State.ANSWERED else None for call in group]
            yield instrument, (parsed, group[0][6])


def _group(call: Sequence[Any]) -> tuple[int, int, str]:
    return call[0], call[1], call[2]


def _labels(
    parsed: Sequence[dict[str, Any] | None], questions: Sequence[str]
) -> Iterator[tuple[str, list[Any] | None]]:
    """Yield each label's key and its values by order; None where an order has no answer."""
    answers = [answer for answer in parsed if answer is not None]
    for key in dict.fromkeys(key for answer in answers for key in answer) or questions:
        missing = len(answers) < len(parsed)
        yield key, None if missing else [answer.get(key) for answer in answers]


def _names(judge: MachineJudge, spec: dict[str, Any], values: list[Any] | None) -> list[str]:
    """Return the names of the counts that a label adds to."""
    if values is None:
        return ["unread"]
    if all(value is None for value in values):
        return ["left_out"]
    if None in values:
        return ["half_empty"]
    both = ["both"] if len(values) > 1 else []
    if len({str(value) for value in values}) == 1:
        return [*both, "recorded"]
    value = together(values, spec, judge.on_disagreement)
    if value is None:
        return [*both, "flipped", "undecided"]
    is_tie = judge.on_disagreement == MachineJudge.Disagreement.TIE
    return [*both, "flipped", "recorded", *(["ties"] if is_tie else [])]
