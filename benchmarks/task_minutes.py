"""How far the estimated minutes of a task are from five published times.

    .venv-bench/bin/python -m benchmarks.task_minutes

Gienapp et al. (SIGIR 2025): median of 369 crowd workers, 15 pairs of 496 words. Popp et al.: mean
of supervised participants, eight texts of 514 words together, one by one (DQE, AQC), in 28 pairs
(AB), and in 28 blocks of four (BWS). The formula has one fitted number, the seconds an answer; the
last row fits it without the method that it is then compared with.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from annotation.studies.wages import SECONDS_AN_ANSWER, WORDS_PER_MINUTE
from benchmarks.reporting import Row, load_now, report

MOST_OFF = 1.4  # times too long or too short
SECONDS = [tenth / 10 for tenth in range(20, 400)]  # an answer, that are tried


@dataclass(frozen=True)
class PublishedTime:
    """Words on all pages, answers, and the published minutes of a questionnaire."""

    name: str
    words: int
    answers: int
    minutes: float

    @property
    def reading(self) -> float:
        return self.words / WORDS_PER_MINUTE


TIMES = (
    PublishedTime("Gienapp, 15 pairs, seven questions", 7438, 105, 24.8),
    PublishedTime("Popp DQE, 8 texts, ten grades", 514, 80, 26.4),
    PublishedTime("Popp AQC, 8 texts, ten statements", 514, 80, 32.6),
    PublishedTime("Popp BWS, 28 blocks, best and worst", 7196, 56, 38.2),
    PublishedTime("Popp AB, 28 pairs, ten questions", 3598, 280, 61.4),
)
Formula = Callable[[PublishedTime, float], float]


def longer(time: PublishedTime, seconds: float) -> float:
    """Return the minutes if people decide while they read."""
    return max(time.reading, time.answers * seconds / 60)


def both(time: PublishedTime, seconds: float) -> float:
    """Return the minutes if people read, and then decide."""
    return time.reading + time.answers * seconds / 60


def error(times: Sequence[PublishedTime], formula: Formula, seconds: float) -> float:
    """Return the typical factor between estimate and published time (root mean square of logs)."""
    logs = [math.log(formula(time, seconds) / time.minutes) for time in times]
    return math.exp(math.sqrt(sum(log**2 for log in logs) / len(logs)))


def fitted(times: Sequence[PublishedTime], formula: Formula) -> float:
    """Return the seconds an answer with the least error."""
    return min(SECONDS, key=lambda seconds: error(times, formula, seconds))


def left_out(formula: Formula) -> float:
    """Return the typical factor where each time is estimated from the four others."""
    logs = []
    for time in TIMES:
        seconds = fitted([other for other in TIMES if other is not time], formula)
        logs.append(math.log(formula(time, seconds) / time.minutes))
    return math.exp(math.sqrt(sum(log**2 for log in logs) / len(logs)))


def rows() -> list[Row]:
    found = [
        Row(
            what=time.name,
            n=f"{time.words} words, {time.answers} answers",
            ours=longer(time, SECONDS_AN_ANSWER),
            peer=time.minutes,
            peer_name="published",
            unit="min",
            most=MOST_OFF * time.minutes,
            least=time.minutes / MOST_OFF,
            remark=f"reading and 3 s an answer: {both(time, 3):.1f} min",
        )
        for time in TIMES
    ]
    for name, formula in (("longer of reading and answers", longer), ("sum of both", both)):
        found.append(
            Row(
                what=f"typical error, {name}",
                n=f"{fitted(TIMES, formula):.1f} s an answer",
                ours=error(TIMES, formula, fitted(TIMES, formula)),
                unit="times",
                remark=f"each left out: {left_out(formula):.2f} times",
            )
        )
    return [
        *found,
        Row(
            what="typical error, sum of both",
            n="3 s an answer",
            ours=error(TIMES, both, 3),
            unit="times",
            remark="as before",
        ),
    ]


if __name__ == "__main__":
    report(
        "task_minutes",
        rows(),
        load=load_now(),
        notes=(
            "Estimated minutes of a task beside published ones; promised is a factor of 1.4. The "
            "five times come from two populations, crowd workers and supervised staff.",
        ),
    )
