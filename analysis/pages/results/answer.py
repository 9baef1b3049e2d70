"""Answer of the results page: who leads on a question, by how much, and the rows of its plot.

Where scores are logits of being preferred, systems are compared with one of them, as the share of
comparisons in which they would be preferred if no tie were allowed. Other scores stay as they are.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from typing import Any

from analysis.pages.results.answer_axis import Axis, axis_of
from analysis.pages.results.best_groups import beats, p_of
from analysis.pages.results.run_results import RunResults
from analysis.stats.verdicts import About, LeadVerdict

Row = dict[str, Any]
LOGITS = "strength"  # name of scores whose differences are logits
BASELINES = ("baseline", "bm25")  # parts of names that make a system the usual reference


@dataclass(frozen=True)
class Estimate:
    """Number with its interval; None for ends that are unknown."""

    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class ForestRow:
    """System in the plot: its letters, its estimate, and the marks as percentages of the width.

    begins: shares no letter with the row above, so that a line separates them.
    """

    group: str
    name: str
    letters: str
    begins: bool
    is_best: bool
    is_reference: bool
    estimate: Estimate | None
    mark: str
    low: str
    high: str


@dataclass(frozen=True)
class Answer:
    """Comparison of systems on one question.

    lead: what can be claimed. leaders: names of the systems that no other beats, the first ahead.
    first: the estimate of the first leader over `against` (preference), or its mean; against: the
    reference, or the next system if the reference leads. runner: the first system below one
    leader; over_runner, over_second: the first leader over it, or over the second leader.
    shows: the smallest preference that would have been clear between the first two.
    pairs: first, other, the first over the other, and whether they differ clearly.
    """

    question: str
    title: str
    score: str
    is_preference: bool
    lead: LeadVerdict
    about: About
    leaders: list[str]
    systems: int
    raters: int
    reference: str
    reference_name: str
    references: list[tuple[str, str]]
    against: str
    first: Estimate | None
    runner: str
    over_runner: Estimate | None
    over_second: Estimate | None
    beat_reference: bool
    shows: float | None
    axis: Axis
    rows: list[ForestRow]
    pairs: list[tuple[str, str, Estimate, bool]]

    @property
    def clear(self) -> int:
        return sum(is_clear for *_, is_clear in self.pairs)

    @property
    def is_about_these(self) -> bool:
        """True if intervals are for these raters on other topics."""
        return self.about is About.THESE and self.lead is not LeadVerdict.NOT_ENOUGH_DATA

    @property
    def has_intervals(self) -> bool:
        return any(row.low for row in self.rows)


def answer_of(
    found: RunResults,
    question: str,
    groups: Sequence[Row],
    pairs: Sequence[Row],
    *,
    best: Sequence[Row],
    lead: LeadVerdict,
    about: About,
    reference: str = "",
) -> Answer:
    """Return the answer on a question from the means of groups and all their compared pairs."""
    named = {row["group"]: found.words.of_group(row["group"]) for row in groups}
    short = short_names(named)
    score = found.called(question)
    over = {(row["group"], row["other"]): row for row in pairs}
    is_preference = score == LOGITS and all("difference" in row for row in pairs) and bool(pairs)
    if reference not in named:
        reference = usual_reference(named, best)
    shown = [
        (row, _preference(over.get((row["group"], reference))) if is_preference else _mean(row))
        for row in groups
    ]
    leaders = [row["group"] for row in best] or [*named][:1]
    stand_out = leaders if lead is not LeadVerdict.NOT_ENOUGH_DATA else []
    first = leaders[0] if leaders else ""
    others = [key for key in named if key not in leaders]
    runner = others[0] if others and len(leaders) == 1 else ""
    second = leaders[1] if len(leaders) > 1 else ""
    compared = _preference if is_preference else _difference
    against = (runner or second or reference) if first == reference else reference
    between = over.get((first, second or runner))
    axis = axis_of(
        [estimate for _, estimate in shown if estimate],
        is_share=is_preference,
        possible=found.possible(question) or found.ends(question),
    )
    return Answer(
        question=question,
        title=found.words.of(question),
        score=score,
        is_preference=is_preference,
        lead=lead,
        about=about,
        leaders=[short[key] for key in leaders],
        systems=len(named),
        raters=max((row.get("workers") or 0 for row in groups), default=0),
        reference=reference if is_preference else "",
        reference_name=short.get(reference, "") if is_preference else "",
        references=[*named.items()] if is_preference else [],
        against=short.get(against, ""),
        first=_preference(over.get((first, against)))
        if is_preference
        else next((_mean(row) for row in groups if row["group"] == first), None),
        runner="" if is_preference and runner == against else short.get(runner, ""),
        over_runner=compared(over.get((first, runner))),
        over_second=compared(over.get((first, second))),
        beat_reference=reference not in leaders
        and all(_is_beaten(over.get((key, reference))) for key in leaders),
        shows=_shows(between) if is_preference and second else None,
        axis=axis,
        rows=_rows(shown, named, stand_out, axis, reference if is_preference else ""),
        pairs=_pairs(over, [*named], named, compared),
    )


def short_names(named: Mapping[str, str]) -> dict[str, str]:
    """Return names for sentences: up to a colon, where that still tells all systems apart."""
    fronts = {key: name.partition(": ")[0] for key, name in named.items()}
    counts = Counter(fronts.values())
    return {key: front if counts[front] == 1 else named[key] for key, front in fronts.items()}


def usual_reference(named: dict[str, str], best: Sequence[Row]) -> str:
    """Return a system that is called a baseline and does not lead, or else the last one."""
    leaders = {row["group"] for row in best}
    others = [key for key in named if key not in leaders] or [*named]
    called = [
        key for key in others if any(part in f"{key} {named[key]}".lower() for part in BASELINES)
    ]
    return [*others[-1:], *called][-1] if others else ""


def logistic(logit: float) -> float:
    """Return the probability that has these log-odds."""
    return 1 / (1 + exp(-max(-700.0, min(700.0, logit))))


def _share(logit: float | None) -> float | None:
    return None if logit is None else logistic(logit)


def _preference(row: Row | None) -> Estimate | None:
    """Return the share of comparisons that the first of a pair wins, without ties."""
    if row is None or row.get("difference") is None:
        return None
    return Estimate(logistic(row["difference"]), _share(row.get("low")), _share(row.get("high")))


def _difference(row: Row | None) -> Estimate | None:
    if row is None or row.get("difference") is None:
        return None
    return Estimate(row["difference"], row.get("low"), row.get("high"))


def _mean(row: Row) -> Estimate:
    return Estimate(row["mean"], row["low"], row["high"])


def _is_beaten(row: Row | None) -> bool:
    return row is not None and beats(row)


def _shows(row: Row | None) -> float | None:
    """Return the smallest preference that the interval of a pair would have told from 50%."""
    if row is None or row.get("low") is None or row.get("high") is None:
        return None
    return logistic((row["high"] - row["low"]) / 2)


def _rows(
    shown: Sequence[tuple[Row, Estimate | None]],
    named: dict[str, str],
    leaders: Sequence[str],
    axis: Axis,
    reference: str,
) -> list[ForestRow]:
    rows: list[ForestRow] = []
    above: set[str] = set()
    for row, estimate in shown:
        is_reference = row["group"] == reference
        letters = "" if row["low"] is None else str(row.get("letters") or "")
        if is_reference:
            estimate = Estimate(0.5)
        has_ends = estimate is not None and None not in (estimate.low, estimate.high)
        rows.append(
            ForestRow(
                group=row["group"],
                name=named[row["group"]],
                letters=letters.upper(),
                begins=bool(above and letters) and not above & {*letters},
                is_best=row["group"] in leaders,
                is_reference=is_reference,
                estimate=estimate,
                mark=axis.at(estimate.value) if estimate else "",
                low=axis.at(estimate.low) if estimate and has_ends else "",
                high=axis.at(estimate.high) if estimate and has_ends else "",
            )
        )
        above = {*letters}
    return rows


def _pairs(
    over: dict[tuple[str, str], Row], keys: Sequence[str], named: dict[str, str], compared: Any
) -> list[tuple[str, str, Estimate, bool]]:
    """Return each compared pair once, the higher system first."""
    pairs = []
    for at, key in enumerate(keys):
        for other in keys[at + 1 :]:
            row = over.get((key, other))
            if row is None or p_of(row) is None:
                continue
            turned = row["ahead"] is not None and row["ahead"] < 0.5 and (other, key) in over
            row = over[other, key] if turned else row
            if (estimate := compared(row)) is not None:
                pairs.append((named[row["group"]], named[row["other"]], estimate, beats(row)))
    return pairs
