"""Rows with problems, by the class of the problem: counts, samples, and the values to map."""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from annotation.corpora.remedies import PROBLEMS, Problem, Remedy, RemedyChoices
from annotation.corpora.schema import BadLine

MOST_SAMPLES = 5
MOST_VALUES = 50  # different ones that a report lists


@dataclass
class ProblemCount:
    """Rows of one class, the first of them, and their values."""

    count: int = 0
    samples: list[BadLine] = field(default_factory=list)
    values: Counter[str] = field(default_factory=Counter)


class ProblemRows:
    """The rows of an upload with problems, mended or not."""

    def __init__(self) -> None:
        self._counts: dict[Problem, ProblemCount] = {}

    def note(self, bad: BadLine) -> None:
        """Count a row; one without a code has no remedy."""
        if not bad.code:
            return
        seen = self._counts.setdefault(Problem(bad.code), ProblemCount())
        seen.count += 1
        if len(seen.samples) < MOST_SAMPLES:
            seen.samples.append(bad)
        if bad.value in seen.values or len(seen.values) < MOST_VALUES:
            seen.values[bad.value] += 1

    def count_of(self, problem: Problem) -> int:
        return self._counts[problem].count if problem in self._counts else 0

    def as_json(self, choices: RemedyChoices) -> list[dict[str, Any]]:
        """Return each class with its samples, its remedies, and the one that was applied."""
        return [
            _described(problem, self._counts[problem], choices)
            for problem in PROBLEMS
            if problem in self._counts
        ]


def _described(problem: Problem, seen: ProblemCount, choices: RemedyChoices) -> dict[str, Any]:
    declared, choice = PROBLEMS[problem], choices[problem]
    return {
        "code": problem.value,
        "count": seen.count,
        "remedies": [remedy.value for remedy in declared.remedies],
        "default": declared.default.value,
        "chosen": choice.remedy.value,
        "value": choice.value,
        "values": [
            [value, count, choice.values.get(value, "")] for value, count in seen.values.items()
        ]
        if Remedy.MAP in declared.remedies
        else [],
        "samples": [
            {
                "file": bad.file,
                "line": bad.line,
                "row": bad.row or bad.line,
                "field": bad.field,
                "reason": bad.reason,
                "value": bad.value,
            }
            for bad in seen.samples
        ],
    }
