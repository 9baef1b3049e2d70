"""Preview of a planned study: counts, time, cost and wage."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.models import Study
from annotation.studies.wages import (
    ESTIMATE_ERROR,
    WORDS_PER_MINUTE,
    TaskTerms,
    careful_minutes,
    warnings,
)
from annotation.texts.plurals import counted
from judging.design.document_scores import said_of
from judging.design.plans import Plan, arms_of
from judging.designers.blocks import pair_balance
from judging.designers.planned_items import figures_of
from judging.designers.questionnaires import PlannedItem
from judging.items.kinds import item_kind
from judging.models import Question


@dataclass(frozen=True)
class DesignPreview:
    """Figures of a design before anything is written; money in the study's currency."""

    topics: int
    items: int
    reversed_items: int
    questionnaires: int
    quota: int
    assignments: int
    judgments: int
    words_mean: float
    words_low: int
    words_high: int
    words_variation: float  # standard deviation / mean
    reading_minutes: float  # of a questionnaire at 238 words a minute
    minutes: int
    pay: float
    cost: float
    expected: TaskTerms  # of one questionnaire
    parts: tuple[str, ...] = ()  # of each instrument, where there are several
    balance: tuple[str, ...] = ()  # of blocks
    documents: tuple[str, ...] = ()  # in view by their score

    def lines(self) -> list[str]:
        """Return the figures as sentences."""
        return [
            f"{counted(self.topics, 'topic')}, {counted(self.items, 'item')} "
            f"({self.reversed_items} reversed), "
            f"{counted(self.questionnaires, 'questionnaire')} x {counted(self.quota, 'worker')} = "
            f"{self.assignments} assignments, {self.judgments} judgments",
            *self.parts,
            *self.balance,
            *self.documents,
            f"words per questionnaire: {self.words_low}–{self.words_high}, mean "
            f"{self.words_mean:.0f}, coefficient of variation {self.words_variation:.1%}",
            f"minutes per questionnaire: {self.minutes} planned, {self.expected.careful} estimated "
            f"(±{ESTIMATE_ERROR:.0%}), including {self.reading_minutes:.0f} reading",
            f"pay {self.pay:.2f}, expected {self.expected.wage or 0:.2f} an hour; total "
            f"{self.cost:.2f} without fees",
            *_warned(warnings(self.expected, reading=self.reading_minutes)),
        ]


def _warned(said: Iterable[str]) -> list[str]:
    return [f"Warning: {sentence[0].lower()}{sentence[1:]}" for sentence in said]


def preview(*, study: Study, plans: Sequence[Plan]) -> DesignPreview:
    """Return counts, expected time, cost and wage of the plans."""
    designs = [plan.design for plan in plans]
    words_by_arm = [_words_of(arm) for arm in arms_of(plans)]
    quotas = [arm[0].design.parameters.quota for arm in arms_of(plans)]
    words = np.concatenate(words_by_arm)
    assignments = sum(len(some) * n for some, n in zip(words_by_arm, quotas, strict=True))
    pay = float(study.pay)
    return DesignPreview(
        topics=len({topic for design in designs for topic in design.topics}),
        items=sum(len(design.items) for design in designs),
        reversed_items=sum(item.reverse for design in designs for item in design.items),
        questionnaires=len(words),
        quota=max(quotas),
        assignments=assignments,
        judgments=sum(plan.design.parameters.quota * _answers(plan) for plan in plans),
        words_mean=float(words.mean()),
        words_low=int(words.min()),
        words_high=int(words.max()),
        words_variation=float(words.std() / words.mean()) if words.mean() else 0.0,
        reading_minutes=float(words.mean()) / WORDS_PER_MINUTE,
        minutes=study.minutes,
        pay=pay,
        cost=assignments * pay,
        expected=TaskTerms(
            pay=pay,
            minutes=study.minutes,
            careful=careful_minutes_of(plans),
            target=float(study.hourly_wage),
            currency=study.currency,
        ),
        parts=tuple(
            part_of(
                title=instrument.title,
                items=len(plan.design.items),
                sheets=len(plan.design.questionnaires),
            )
            for plan in plans
            for instrument in plan.instruments
        )
        if sum(len(plan.instruments) for plan in plans) > 1
        else (),
        balance=tuple(
            balance_of(*_balance(design.items))
            for design in designs
            if design.parameters.designer == "blocks"
        ),
        documents=tuple(line for design in designs for line in said_of(design)),
    )


def _balance(items: Sequence[PlannedItem]) -> tuple[int, int]:
    blocks = np.array([item.contents for item in items])
    return pair_balance(blocks, np.array([item.topic for item in items]))


def balance_of(low: int, high: int) -> str:
    """Return how often two texts of a topic share a block, as a sentence."""
    if low == high:
        times = "time" if low == 1 else "times"
        return f"the blocks are balanced: any two texts of a topic meet {low} {times}"
    return f"the blocks are nearly balanced: two texts of a topic meet {low} to {high} times"


def part_of(*, title: str, items: int, sheets: int) -> str:
    """Return an instrument's part of a questionnaire, as a sentence."""
    return f"{title}: {counted(items, 'item')}, {pages_of(sheets, items=items)} a questionnaire"


def pages_of(sheets: int, *, items: int) -> str:
    """Return how many items each questionnaire gets: the same number, or one more."""
    fewest = items // sheets
    return f"{fewest} or {fewest + 1}" if items % sheets else f"{fewest}"


def answers_of(
    *,
    kind: str,
    sizes: Mapping[int | tuple[str, ...], int],
    asked: Iterable[tuple[str, str]],
) -> int:
    """Return the answers of one worker for each questionnaire.

    `sizes` counts items by `PlannedItem.size`, `asked` are arity and contents of the questions.
    """
    of_kind, items = item_kind(kind), sum(sizes.values())
    names = {size: size if isinstance(size, tuple) else of_kind.names(size) for size in sizes}
    return sum(
        sum(n * len(of_kind.judged(names[size], about)) for size, n in sizes.items())
        if arity == Question.Arity.SLOT
        else items
        for arity, about in asked
    )


def careful_minutes_of(plans: Sequence[Plan]) -> int:
    """Return the estimated minutes of a questionnaire, of the longest arm if there are arms."""
    return max(
        careful_minutes(
            reading=float(_words_of(arm).mean()) / WORDS_PER_MINUTE,
            answers=sum(map(_answers, arm)) / len(arm[0].design.questionnaires),
        )
        for arm in arms_of(plans)
    )


def _words_of(arm: Sequence[Plan]) -> np.ndarray:
    """Return the words of each questionnaire of plans that share questionnaires."""
    words: np.ndarray = np.sum([plan.design.words() for plan in arm], axis=0)
    return words


def _answers(plan: Plan) -> int:
    questions = Question.objects.filter(instrument__in=plan.instruments)
    return answers_of(
        kind=plan.design.parameters.kind,
        sizes=figures_of(plan.design.items).sizes,
        asked=questions.values_list("arity", "about"),
    )
