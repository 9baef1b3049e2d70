"""The essentials of a run in a few figures and sentences, for the first page of the results."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext, ngettext

from analysis.inputs.frozen_work import FrozenWork
from analysis.inputs.left_out import left_out_of
from analysis.pages.results.best_groups import (
    ALPHA,
    best_of,
    p_of,
    rate_of,
    sweep_of,
    with_adjusted_p,
)
from analysis.pages.results.pages import Spread, headline_alphas, spread_of, worker_rows
from analysis.pages.results.pages.judges import JudgeLosses, judge_losses
from analysis.pages.results.run_results import RunResults, said_of
from analysis.stats.design_checks import PERFECT, About
from analysis.stats.effects.families import holm
from analysis.stats.verdicts import Lead, lead_of
from judging.raters.pools import Pool

Row = dict[str, Any]


@dataclass(frozen=True)
class RunSummary:
    """What a reader wants first; None where it could not be computed.

    best: the systems (or styles, where there is one system) that no other beats on the question of
    the summary, by what people call its `score`, with all pairs taken together, among the
    `compared`: the first that has an interval, and those that were compared with it. Where these
    are fewer than two, nobody can be called the best and all are listed. family: the tests behind
    it; why: the reason why something was not compared. about: the raters that the claim is
    about. alpha and corrected: agreement on it.
    """

    question: str
    score: str
    best: list[Row]
    groups: int
    compared: int
    about: About
    family: str
    why: str
    alpha: Row | None
    corrected: Row | None
    spread: Spread
    workers: int
    wage: Row | None
    judges: list[JudgeLosses]
    warnings: list[str]

    @property
    def lead(self) -> Lead:
        return lead_of(compared=self.compared, best=len(self.best), about=self.about)

    @property
    def is_known(self) -> bool:
        """True if the best can be told: a mean without an interval is not compared."""
        return self.compared >= min(self.groups, 2)

    @property
    def undecided(self) -> bool:
        """True if several groups are compared and none stands out."""
        return not self.is_known or len(self.best) == self.compared > 1

    @property
    def is_about_these(self) -> bool:
        """True if something is compared, and the raters stand for no others."""
        return self.is_known and self.about is About.THESE

    @property
    def is_unanimous(self) -> bool:
        """True if all votes on each item agree, so that alpha has no interval."""
        return self.alpha is not None and self.alpha["value"] > PERFECT

    @property
    def state(self) -> str:
        """The state of the best, known, undecided or unknown, as a hook of the page."""
        if not self.is_known:
            return "unknown"
        return "undecided" if self.undecided else "known"

    @property
    def is_level(self) -> bool:
        """True if the first two are equal, so that neither is the highest."""
        return len(self.best) > 1 and self.best[0]["mean"] == self.best[1]["mean"]


def kept_summary(found: RunResults) -> RunSummary:
    return found.kept("essentials", lambda: summary_of(found))


def summary_of(found: RunResults) -> RunSummary:
    question = found.headline
    groups = found.records("groups", "means", by="system", question=question)
    if len(groups) == 1:
        groups = found.records("groups", "means", by="style, origin", question=question)
    pairs = _pairs(found, question, groups)
    named = {row["group"] for row in pairs}
    shown = [row for row in groups if row["low"] is not None or row["group"] in named]
    compared = _compared(shown, pairs)
    best = best_of(compared, pairs) if len(compared) > 1 else groups
    why = _why(found, groups) or _why_not(found, question, groups, compared)
    corrected = found.records(
        "corrected", "corrected", question=question, votes_kept="cross-fitted"
    )
    workers = worker_rows(found)
    wage = found.records("cost", "wage")
    return RunSummary(
        question=found.words.of(question),
        score=found.called(question),
        best=[{**row, "group": found.words.of_group(row["group"])} for row in best],
        groups=len(groups),
        compared=len(compared),
        about=_about(found, question, compared),
        family=_family(groups, pairs),
        why=sweep_of(best, pairs, found.confidence) or why,
        alpha=headline_alphas(found).get(question),
        corrected=next(iter(corrected), None),
        spread=spread_of(workers),
        workers=len(workers),
        wage=next(iter(wage), None),
        judges=judge_losses(found),
        warnings=list(_warnings(found)),
    )


def _why(found: RunResults, groups: list[Row]) -> str:
    """Return the first reason why a group has no interval, with the groups that lack it."""
    reasons = [row.get("why") or "" for row in groups]
    why = next(filter(None, reasons), "")
    lacking = [
        found.words.of_group(row["group"])
        for row, reason in zip(groups, reasons, strict=True)
        if reason == why
    ]
    return said_of(why, lacking if len(lacking) < len(groups) else [])


def _about(found: RunResults, question: str, compared: list[Row]) -> About:
    """Return the raters that all comparisons are about; runs of before stood for others."""
    by = compared[0]["by"] if compared else ""
    rows = [*compared, *found.records("groups", "ahead", by=by, question=question)]
    these = any(row.get("about") == About.THESE for row in rows)
    return About.THESE if these else About.LIKE_THESE


def _pairs(found: RunResults, question: str, groups: list[Row]) -> list[Row]:
    """Return each two groups that were compared on a question, in both directions."""
    by = groups[0]["by"] if groups else ""
    rows = with_adjusted_p(found.records("groups", "ahead", by=by, question=question))
    return [row for row in rows if p_of(row) is not None]


def _compared(known: list[Row], pairs: list[Row]) -> list[Row]:
    """Return the first group that has an interval, and those that were compared with it."""
    first = known[0]["group"] if known else ""
    others = {row["other"] for row in pairs if row["group"] == first}
    return [row for row in known if row["group"] in {first, *others}]


def _why_not(found: RunResults, question: str, groups: list[Row], compared: list[Row]) -> str:
    """Return the reason why a group was not compared with the first one."""
    if len(compared) in (0, len(groups)):
        return ""
    first, by = compared[0]["group"], compared[0]["by"]
    pairs = found.records("groups", "ahead", by=by, question=question, group=first)
    return next((row["why"] for row in pairs if row.get("why")), "")


def _family(groups: list[Row], pairs: list[Row]) -> str:
    """Return the number of tests behind the best, and the error rate that they control."""
    n = len(pairs) // 2
    if not n or any(row.get("why") for row in groups):
        return ""
    return ngettext(
        "{pairs:,} pair compared at {rate}", "{pairs:,} pairs compared at {rate}", n
    ).format(pairs=n, rate=rate_of(pairs))


def _warnings(found: RunResults) -> Iterator[str]:
    """Yield warnings for readers of the numbers."""
    alphas = headline_alphas(found).values()
    yield from _said(
        found,
        [row for row in alphas if row["low"] is not None and row["low"] <= 0],
        gettext(
            "Agreement on {questions} cannot be distinguished from chance: the interval of alpha "
            "includes 0."
        ),
    )
    fitted = found.records("corrected", "corrected", votes_kept="cross-fitted")
    yield from _said(
        found,
        [row for row in fitted if _within_null(row)],
        gettext(
            "Competence-corrected agreement on {questions} is within the range of shuffled votes."
        ),
    )
    sided = [row for row in found.records("position", "position") if row["p"] is not None]
    adjusted = holm(np.array([row["p"] for row in sided], dtype=np.float64))
    yield from _said(
        found,
        [row for row, p in zip(sided, adjusted.tolist(), strict=True) if p < ALPHA],
        gettext("The side of a text affects {questions} (adjusted for all questions)."),
    )
    yield from _without_workers(found)
    yield from _left_out(found)
    for row in found.records("cost", "wage"):
        if row["target"] and row["value"] < row["target"]:
            yield (
                gettext(
                    "Workers earned {value:.2f} an hour of active time, under the target of "
                    "{target:.2f}."
                ).format(value=row["value"], target=row["target"])
            )


def _without_workers(found: RunResults) -> Iterator[str]:
    """Yield how many workers the settings left out, and why."""
    left_out = left_out_of(found.run.parameters)
    if left_out.workers:
        yield ngettext(
            "The settings leave out {n} worker. Ground: {ground}.",
            "The settings leave out {n} workers. Ground: {ground}.",
            len(left_out.workers),
        ).format(n=len(left_out.workers), ground=left_out.ground)


def _left_out(found: RunResults) -> Iterator[str]:
    """Yield how many answers are "don't know", which no analysis counts."""
    measures = {m.question: m for m in found.measures if m.absent and m.key in found.run.inputs}
    if not measures:  # as in most studies: then nothing is looked up
        return
    run = found.run
    given = Pool(run.pool).judgments(
        study=run.study, batch=run.batch, frozen=FrozenWork.of(run.frozen)
    )
    codes = sorted({code for measure in measures.values() for code in measure.absent})
    rows = given.filter(question__in=measures, raw__in=codes).values_list("question", "raw")
    counts = Counter(q for q, raw in rows.order_by() if raw in measures[q].absent)
    if counts:
        listed = ", ".join(f"{m.title} {counts[q]:,}" for q, m in measures.items() if counts[q])
        sentence = ngettext(
            "No number here counts the {n:,} answer without a judgment (“don’t know”): {each}.",
            "No number here counts the {n:,} answers without a judgment (“don’t know”): {each}.",
            counts.total(),
        )
        yield sentence.format(n=counts.total(), each=listed)


def _within_null(row: Row) -> bool:
    return row["null_highest"] is not None and row["value"] <= row["null_highest"]


def _said(found: RunResults, rows: list[Row], sentence: str) -> Iterator[str]:
    if not rows:
        return
    names = [found.words.of(row["question"]) for row in rows]
    many = len(names) == len(found.measures) > 2
    yield sentence.format(questions=gettext("every question") if many else ", ".join(names))
