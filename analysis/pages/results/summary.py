"""The essentials of a run in a few figures and sentences, for the first page of the results."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.utils.translation import gettext, ngettext

from analysis.inputs.frozen_work import FrozenWork
from analysis.inputs.left_out import left_out_of
from analysis.pages.results.answer import Answer, answer_of, logistic
from analysis.pages.results.best_groups import (
    ALPHA,
    best_of,
    p_of,
    sweep_of,
    with_adjusted_p,
)
from analysis.pages.results.pages import Spread, headline_alphas, spread_of, worker_rows
from analysis.pages.results.pages.judges import JudgeLosses, judge_losses
from analysis.pages.results.run_results import RunResults, said_of
from analysis.stats.design_checks import PERFECT, About
from analysis.stats.effects.families import holm
from analysis.stats.verdicts import BiasVerdict, LeadVerdict, bias_of, lead_of
from judging.raters.pools import Pool

Row = dict[str, Any]


@dataclass(frozen=True)
class PositionBias:
    """Share of votes for the right side of equal texts, with its interval and verdict.

    Pages show the share of the favoured side.
    """

    right: float
    low: float | None
    high: float | None
    verdict: BiasVerdict

    @property
    def percent(self) -> str:
        return f"{100 * max(self.right, 1 - self.right):.0f}%"

    @property
    def is_left(self) -> bool:
        return self.right < 0.5

    @property
    def ends(self) -> str:
        """The interval in percent; '' without one."""
        if self.low is None or self.high is None:
            return ""
        low, high = (1 - self.high, 1 - self.low) if self.is_left else (self.low, self.high)
        return gettext("{low} to {high}").format(low=f"{100 * low:.0f}", high=f"{100 * high:.0f}")


@dataclass(frozen=True)
class RunSummary:
    """First page of the results for one question; None where a part could not be computed.

    best: the systems (or styles, where there is one system) that no other beats, among the
    `compared`: the first that has an interval, and those that were compared with it. If these are
    fewer than two, all systems are listed. pairs: their comparisons. about: the raters that the
    claim is about. why: the reason why something was not compared. alpha and corrected: agreement
    on the question; bias: its position bias.
    """

    answer: Answer
    best: list[Row]
    pairs: list[Row]
    groups: int
    compared: int
    about: About
    why: str
    alpha: Row | None
    corrected: Row | None
    bias: PositionBias | None
    spread: Spread
    workers: int
    wage: Row | None
    judges: list[JudgeLosses]
    warnings: list[str]

    @property
    def question(self) -> str:
        return self.answer.title

    @property
    def lead(self) -> LeadVerdict:
        return self.answer.lead

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


def kept_summary(found: RunResults, question: str = "", reference: str = "") -> RunSummary:
    """Return the summary of a question, by default the headline, from the cache."""
    name = f"summary:{question or found.headline}:{reference}"
    return found.kept(name, lambda: summary_of(found, question, reference))


def answers_of(found: RunResults) -> list[Answer]:
    """Return the answer on each scored question."""
    return found.kept("answers", lambda: [_answer(found, m.key)[0] for m in found.scored])


def summary_of(found: RunResults, question: str = "", reference: str = "") -> RunSummary:
    question = question or found.headline
    answer, compared = _answer(found, question, reference)
    corrected = found.records(
        "corrected", "corrected", question=question, votes_kept="cross-fitted"
    )
    workers = worker_rows(found)
    wage = found.records("cost", "wage")
    why = _why(found, compared.groups) or _why_not(
        found, question, compared.groups, compared.compared
    )
    return RunSummary(
        answer=answer,
        best=[{**row, "group": found.words.of_group(row["group"])} for row in compared.best],
        pairs=compared.pairs,
        groups=len(compared.groups),
        compared=len(compared.compared),
        about=compared.about,
        why=sweep_of(compared.best, compared.pairs, found.confidence) or why,
        alpha=headline_alphas(found).get(question),
        corrected=next(iter(corrected), None),
        bias=_bias(found, question),
        spread=spread_of(workers),
        workers=len(workers),
        wage=next(iter(wage), None),
        judges=judge_losses(found),
        warnings=list(_warnings(found)),
    )


@dataclass(frozen=True)
class _Compared:
    """Groups on a question: those that were compared, their pairs, and the best of them."""

    groups: list[Row]
    pairs: list[Row]
    compared: list[Row]
    best: list[Row]
    about: About


def _answer(found: RunResults, question: str, reference: str = "") -> tuple[Answer, _Compared]:
    groups = found.records("groups", "means", by="system", question=question)
    if len(groups) == 1:
        groups = found.records("groups", "means", by="style, origin", question=question)
    pairs = _pairs(found, question, groups)
    named = {row["group"] for row in pairs}
    shown = [row for row in groups if row["low"] is not None or row["group"] in named]
    compared = _compared(shown, pairs)
    best = best_of(compared, pairs) if len(compared) > 1 else groups
    about = _about(found, question, compared)
    lead = lead_of(compared=len(compared), best=len(best), about=about)
    answer = answer_of(
        found, question, groups, pairs, best=best, lead=lead, about=about, reference=reference
    )
    return answer, _Compared(groups, pairs, compared, best, about)


def _bias(found: RunResults, question: str) -> PositionBias | None:
    """Return the position bias of a question as the share of the right side."""
    row = next(iter(found.records("position", "position", question=question)), None)
    if row is None or row["effect"] is None:
        return None
    low, high = row["low"], row["high"]
    has_ends = low is not None and high is not None
    return PositionBias(
        right=logistic(-row["effect"]),
        low=logistic(-high) if has_ends else None,
        high=logistic(-low) if has_ends else None,
        verdict=bias_of(low, high) if has_ends else BiasVerdict.UNCLEAR,
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


def _warnings(found: RunResults) -> Iterator[str]:
    """Yield warnings for readers of the numbers."""
    alphas = headline_alphas(found).values()
    yield from _said(
        found,
        [row for row in alphas if row["low"] is not None and row["low"] <= 0],
        gettext(
            "Agreement on {questions} isn't clearly above chance: the interval for alpha "
            "includes 0."
        ),
    )
    fitted = found.records("corrected", "corrected", votes_kept="cross-fitted")
    yield from _said(
        found,
        [row for row in fitted if _within_null(row)],
        gettext("Competence-corrected agreement on {questions} is at chance level."),
    )
    sided = [row for row in found.records("position", "position") if row["p"] is not None]
    adjusted = holm(np.array([row["p"] for row in sided], dtype=np.float64))
    yield from _said(
        found,
        [row for row, p in zip(sided, adjusted.tolist(), strict=True) if p < ALPHA],
        gettext("Position bias on {questions} (Holm-adjusted)."),
    )
    yield from _without_workers(found)
    yield from _left_out(found)
    for row in found.records("cost", "wage"):
        if row["target"] and row["value"] < row["target"]:
            yield (
                gettext(
                    "Participants earned {value:.2f} an hour, below the target of {target:.2f}."
                ).format(value=row["value"], target=row["target"])
            )


def _without_workers(found: RunResults) -> Iterator[str]:
    """Yield how many workers the settings left out, and why."""
    left_out = left_out_of(found.run.parameters)
    if left_out.workers:
        yield ngettext(
            "{n} participant excluded in the settings: {ground}.",
            "{n} participants excluded in the settings: {ground}.",
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
            "{n:,} “don't know” answer not counted: {each}.",
            "{n:,} “don't know” answers not counted: {each}.",
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
