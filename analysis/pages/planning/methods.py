"""Plans of the built-in methods for a corpus: work, time, cost, difference. Only reads."""

from collections.abc import Collection
from dataclasses import dataclass
from math import comb, isnan
from statistics import median

from django.utils.translation import gettext

from analysis.analyses.conditions import PAIRS, TEXTS
from analysis.stats.effects.method_sizes import (
    best_worst_difference,
    t_difference,
    win_difference,
    yes_difference,
)
from annotation.console.builder.method_rows import Row, method_list
from annotation.corpora.systems import number_with_texts
from annotation.models import Assignment, Corpus, Study
from annotation.people import access
from annotation.people.access import Person
from annotation.studies.active_time import active_times
from judging.instruments.files import load
from judging.instruments.schema import InstrumentFile
from judging.items.kinds import KINDS
from judging.models import Instrument

MOST_STUDIES = 10  # newest studies whose working times are used


@dataclass(frozen=True)
class MethodMinutes:
    """Median active minutes of a submission, over `n` submissions."""

    minutes: float
    n: int


@dataclass(frozen=True)
class MethodPlan:
    """A method with its defaults. `cost` includes fees and VAT; `difference` has its unit."""

    key: str
    title: str
    places: int
    judgments: int
    minutes: int
    measured: MethodMinutes | None
    cost: float
    currency: str
    difference: str
    answers: float  # to one question, per system or pair of systems


def method_plans(
    corpus: Corpus, user: Person, *, fee: float, asked: Collection[str]
) -> list[MethodPlan]:
    """Return the plan of each judging method that fits the corpus.

    The methods of a draft (`asked`) come first. `fee` is a share of the pay and includes VAT.
    """
    listed = method_list(corpus, selected="", shows_all=True, waits=True)
    rows = [row for _, some in listed.questions for row in some if row.kind == Study.Kind.JUDGING]
    rows = [row for row in rows if row.outline is not None and row.outline.judgments]
    rows.sort(key=lambda row: row.name not in asked)
    times = measured_minutes(user, [row.name for row in rows])
    systems = number_with_texts(corpus)
    return [_plan(row, systems, fee, times.get(row.name)) for row in rows]


def _plan(row: Row, systems: int, fee: float, measured: MethodMinutes | None) -> MethodPlan:
    outline = row.outline
    assert outline is not None
    assert outline.judgments is not None  # method_plans
    file = load(row.name)
    n = answers_of(file, judgments=outline.judgments, systems=systems)
    return MethodPlan(
        key=row.name,
        title=gettext(row.method.title),
        places=outline.places,
        judgments=outline.judgments,
        minutes=outline.minutes,
        measured=measured,
        cost=float(outline.cost) * (1 + fee),
        currency=outline.currency,
        difference=difference_of(file, n),
        answers=n,
    )


def answers_of(file: InstrumentFile, *, judgments: int, systems: int) -> float:
    """Return the number of answers to one question per system or pair; NaN if it has neither."""
    if file.item_kind not in TEXTS or systems < 2:
        return float("nan")
    answers = judgments / len(file.questions)
    if file.item_kind in PAIRS:
        return answers / comb(systems, 2)
    return answers * _shown(file) / systems


def _shown(file: InstrumentFile) -> int:
    return max(1, sum(slot.drawn for slot in KINDS[file.item_kind].slots))


def difference_of(file: InstrumentFile, n: float) -> str:
    """Return the smallest difference between two systems that the method's test can detect."""
    if isnan(n) or n < 2:
        return ""
    if file.item_kind in PAIRS:
        points = f"{100 * win_difference(n):.0f}"
        return gettext("{points} points above a 50% win rate").format(points=points)
    if file.item_kind == "block":
        score = f"{best_worst_difference(n, shown=_shown(file)):.2f}"
        return gettext("{score} in the best-worst score").format(score=score)
    if _is_yes_or_no(file):
        return gettext("{points} points in the share of yes votes").format(
            points=f"{100 * yes_difference(n):.0f}"
        )
    return gettext("{d} SD of grades").format(d=f"{t_difference(n):.2f}")


def _is_yes_or_no(file: InstrumentFile) -> bool:
    scales_asked = {question.scale for question in file.questions}
    options = [
        option for scale in file.scales if scale.key in scales_asked for option in scale.options
    ]
    return {option.score for option in options if option.role != "abstain"} == {0, 1}


def measured_minutes(user: Person, keys: Collection[str]) -> dict[str, MethodMinutes]:
    """Return measured minutes of methods from studies that the user may see.

    Only studies whose submissions have a single method count (one method, or arms).
    """
    studies = access.visible_studies(user).filter(kind=Study.Kind.JUDGING).order_by()
    rows = Instrument.objects.filter(study__in=studies.values("pk")).order_by("-study")
    keys_by_study: dict[int, list[str]] = {}
    for study_pk, key in rows.values_list("study", "key"):
        keys_by_study.setdefault(study_pk, []).append(key)
    minutes: dict[str, list[float]] = {}
    chosen = [pk for pk, of in keys_by_study.items() if set(of) & set(keys)]
    apart = [
        study
        for study in Study.objects.filter(pk__in=chosen).order_by("-pk")
        if len(keys_by_study[study.pk]) == 1 or study.arms == Study.Arms.ONE
    ]
    for study in apart[:MOST_STUDIES]:
        mine = keys_by_study[study.pk]
        works = Assignment.objects.counting().filter(study=study).values_list("pk", "task__arm")
        times = active_times(study)
        for pk, arm in works:
            if pk in times and times[pk].seconds > 0:
                minutes.setdefault(arm or mine[0], []).append(times[pk].seconds / 60)
    return {
        key: MethodMinutes(median(minutes_taken), len(minutes_taken))
        for key, minutes_taken in minutes.items()
    }
