"""Choices of the best and the worst of several units.

One problem at a time: the units that are compared with one another and with no others, for instance
the texts of a topic.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd

from analysis.stats.arrays import Flags, Ints
from analysis.stats.errors import CannotCompute

NOBODY = -1  # where an answer names no best, or no worst


@dataclass(frozen=True, eq=False, kw_only=True)
class Choices:
    """A answers, each on some of U units.

    shown (A, U): whether an answer included the unit. best, worst (A,): indices into units, or -1.
    units: sorted ids. rater (A,): who gave the answer, as a code.
    """

    shown: Flags
    best: Ints
    worst: Ints
    units: Sequence[Hashable]
    rater: Ints

    @classmethod
    def from_frame(cls, frame: pd.DataFrame) -> Self:
        """Read a long frame, one row a unit of an answer: answer, unit, mark.

        mark is 1 for the best, -1 for the worst and 0 for all others. The column worker has the
        rater of each answer; without it every answer is of another rater. Raises CannotCompute
        (no_choices, broken_choice).
        """
        if not (frame["mark"] != 0).any():
            raise CannotCompute("no_choices", "Choices cannot be counted because there are none.")
        answer, answers = pd.factorize(frame["answer"], sort=True)
        unit, units = pd.factorize(frame["unit"], sort=True)
        times = np.zeros((len(answers), len(units)), dtype=np.int64)
        np.add.at(times, (answer, unit), 1)
        _check(times.max(axis=1) > 1, answers, "shows a unit twice")
        _check(times.sum(axis=1) < 2, answers, "has fewer than two units to choose from")
        chosen = {}
        for mark in (1, -1):
            mine = (frame["mark"] == mark).to_numpy()
            often = np.bincount(answer[mine], minlength=len(answers))
            name = "best" if mark == 1 else "worst"
            _check(often > 1, answers, f"has more than one {name} unit")
            chosen[mark] = np.full(len(answers), NOBODY)
            chosen[mark][answer[mine]] = unit[mine]
        rater = np.arange(len(answers))
        if "worker" in frame.columns:
            rater[answer] = pd.factorize(frame["worker"])[0]
        return cls(
            shown=times > 0,
            best=chosen[1],
            worst=chosen[-1],
            units=tuple(units.tolist()),
            rater=np.unique(rater, return_inverse=True)[1],
        )

    def __len__(self) -> int:
        return len(self.best)


def _check(broken: Flags, answers: "pd.Index[str]", reason: str) -> None:
    if broken.any():
        answer = answers[int(np.argmax(broken))]
        raise CannotCompute(
            "broken_choice", f"Choices cannot be counted because the answer {answer!r} {reason}."
        )
