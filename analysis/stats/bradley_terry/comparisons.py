"""Pairwise comparisons in many problems at once: the form in which merits are fitted.

A problem is a set of responses compared with one another and with no others: a topic judged on one
question. 65 topics and 7 questions are 455 problems.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Self

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats, Ints
from analysis.stats.errors import CannotCompute
from annotation.texts.plurals import counted

A_WINS, TIE, B_WINS = 1, 0, -1
OUTCOMES: Mapping[Hashable, int] = MappingProxyType({"a": A_WINS, "tie": TIE, "b": B_WINS})


def _unusable_weight(reason: str) -> CannotCompute:
    return CannotCompute("unusable_weight", f"Strengths cannot be computed because {reason}.")


@dataclass(frozen=True, eq=False, kw_only=True)
class Comparisons:
    """M comparisons between the R entries of P problems.

    An entry is a response within a problem; entries are sorted by problem, then response.
    a, b: (M,) the entries compared; outcome: (M,) 1 where a is preferred, 0 a tie, -1 b;
    weight: (M,) 1 for a vote or a gold label.
    entry_problem: (R,) index into problems; entry_place: (R,) 0.. within the problem;
    responses: the R response ids; problems: the P problem ids; sizes: (P,) entries a problem.
    """

    a: Ints
    b: Ints
    outcome: Ints
    weight: Floats
    entry_problem: Ints
    entry_place: Ints
    sizes: Ints
    responses: Sequence[Hashable]
    problems: Sequence[Hashable]

    @property
    def problem(self) -> Ints:
        """Problem of each comparison: (M,)."""
        return np.asarray(self.entry_problem[self.a])

    @classmethod
    def from_frame(
        cls, frame: pd.DataFrame, *, outcomes: Mapping[Hashable, int] = OUTCOMES
    ) -> Self:
        """Read a long frame with the columns problem, a, b, outcome, and weight if there is one.

        a and b are response ids in the order to which outcome refers; a problem is any hashable
        value, a tuple for instance. outcomes maps its values to 1, 0 or -1.

        Raises CannotCompute (no_comparisons, incomplete_comparison, unknown_outcome,
        compared_with_itself, unusable_weight).
        """
        _check_complete(frame)
        outcome = frame["outcome"].map(dict(outcomes))
        if outcome.isna().any():
            unknown = frame["outcome"][outcome.isna()].iloc[0]
            names = ", ".join(map(repr, list(outcomes)))
            raise CannotCompute(
                "unknown_outcome",
                f"Strengths cannot be computed because {unknown!r} is not an outcome (allowed: "
                f"{names}).",
            )
        same = (frame["a"] == frame["b"]).to_numpy(dtype=bool)
        if same.any():
            response = frame["a"].iloc[int(np.argmax(same))]
            raise CannotCompute(
                "compared_with_itself",
                f"Strengths cannot be computed because the response {response!r} is compared with "
                "itself.",
            )
        problem, problems = pd.factorize(frame["problem"], sort=True)
        sides, responses = pd.factorize(pd.concat([frame["a"], frame["b"]]), sort=True)
        # one number for (problem, response) makes the entries a plain unique of integers
        key = np.tile(problem, 2) * np.int64(len(responses)) + sides
        entries, sides = np.unique(key, return_inverse=True)
        entry_problem = entries // len(responses)
        sizes = np.bincount(entry_problem, minlength=len(problems))
        first = np.cumsum(sizes) - sizes
        return cls(
            a=sides[: len(frame)],
            b=sides[len(frame) :],
            outcome=outcome.to_numpy().astype(np.int8),
            weight=_weights(frame, problem),
            entry_problem=entry_problem,
            entry_place=np.arange(len(entries)) - first[entry_problem],
            sizes=sizes,
            responses=tuple(responses[entries % len(responses)].tolist()),
            problems=tuple(problems.tolist()),
        )

    def __len__(self) -> int:
        return len(self.a)


def _check_complete(frame: pd.DataFrame) -> None:
    if not len(frame):
        raise CannotCompute(
            "no_comparisons",
            "Strengths cannot be computed because there are no comparisons.",
        )
    for column in ("problem", "a", "b", "outcome"):
        missing = int(frame[column].isna().sum()) if column in frame.columns else len(frame)
        if missing:
            raise CannotCompute(
                "incomplete_comparison",
                f"Strengths cannot be computed because {counted(missing, 'comparison')} "
                f"{'has' if missing == 1 else 'have'} no value in {column}.",
            )


def _weights(frame: pd.DataFrame, problem: Ints) -> Floats:
    if "weight" not in frame.columns:
        return np.ones(len(frame))
    weight = frame["weight"].to_numpy(dtype=np.float64)
    if not np.isfinite(weight).all():
        raise _unusable_weight("a weight is not a finite number")
    if (weight < 0).any():
        raise _unusable_weight("a weight is below zero")
    if (np.bincount(problem, weights=weight) == 0).any():
        raise _unusable_weight("all comparisons of a problem have weight zero")
    return np.asarray(weight)
