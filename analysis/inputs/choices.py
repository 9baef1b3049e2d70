"""Choices of the best and the worst of the same items, from two questions or one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pandas as pd

from analysis.inputs.measures import Does, Measure
from judging.items.kinds import KINDS

MARKS = {"best": 1, "worst": -1}


@dataclass(frozen=True)
class BestWorstChoice:
    """Questions on the best and on the worst by the same criterion, or one of them alone.

    `measure` is what they measure together; of one alone it is that one.
    """

    measure: Measure
    parts: tuple[Measure, ...]

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots to choose from, in the order of the scale."""
        return tuple(dict.fromkeys(label for part in self.parts for label in part.slots))

    @property
    def level(self) -> str:
        """The kind of content that is chosen: responses, passages, ..."""
        slot = KINDS[self.measure.kind].slot(self.slots[0])
        assert slot is not None  # a scale names slots of its kind
        return slot.holds.value


def choices_of(measures: Sequence[Measure]) -> list[BestWorstChoice]:
    """Return the choices that measures make, in their order."""
    choices: list[BestWorstChoice] = []
    alone = [measure for measure in measures if measure.does == Does.CHOOSES and measure.polarity]
    while alone:
        first = alone.pop(0)
        other = next((measure for measure in alone if _belongs(first, measure)), None)
        if other is None:
            choices.append(BestWorstChoice(first, (first,)))
            continue
        alone.remove(other)
        best, worst = sorted((first, other), key=lambda each: each.polarity)
        together = replace(best, key=f"{best.key}-{worst.key}", title=best.criterion)
        choices.append(BestWorstChoice(together, (best, worst)))
    return choices


def _belongs(first: Measure, other: Measure) -> bool:
    """Return whether two questions ask for the best and the worst of the same."""
    same = ("instrument", "kind", "criterion", "pool")
    alike = all(getattr(first, name) == getattr(other, name) for name in same)
    return alike and first.polarity != other.polarity


def marks(choice: BestWorstChoice, votes: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each unit shown: topic, answer, worker, unit, mark (1, -1, 0).

    `votes` are those of the parts. An answer is what one rater says of one item as it was shown.
    """
    part_votes = votes[votes["question"].isin([part.key for part in choice.parts])]
    polarity = {part.key: MARKS[part.polarity] for part in choice.parts}
    answer = [
        f"{worker} on {item} ({shown})"
        for worker, item, shown in zip(
            part_votes["worker"], part_votes["item"], part_votes["shown"], strict=True
        )
    ]
    rows = pd.concat(
        [
            pd.DataFrame(
                {
                    "topic": part_votes["topic"],
                    "answer": answer,
                    "worker": part_votes["worker"],
                    "unit": part_votes[slot],
                    "mark": part_votes["question"]
                    .map(polarity)
                    .where(part_votes["value"] == slot, 0),
                }
            )
            for slot in choice.slots
        ],
        ignore_index=True,
    )
    with_unit = rows[rows["unit"].notna()]
    # The best and the worst of one answer are two votes and one row of each unit.
    by = ["topic", "answer", "worker", "unit"]
    return with_unit.groupby(by, sort=True)[["mark"]].sum().reset_index()
