"""Presentation of the analysis `groups`."""

from collections.abc import Iterator
from typing import Any

from analysis.pages.results.best_groups import (
    beats,
    is_as_published,
    rate_of,
    with_adjusted_p,
)
from analysis.pages.results.figures import DIGITS, ROWS_IN_ONE, resampled_units
from analysis.pages.results.pages.responses import compared_context
from analysis.pages.results.presentation.definition import Display, Panel, Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots import ForestEstimate, empty, forest, matrix
from analysis.plots.figure import Figure, figure
from analysis.plots.text_fitting import probability
from analysis.stats.design_checks import About
from analysis.stats.effects.crossed_means import OVER_TOPICS

FAMILY = (
    "Groups without a common letter differ (family-wise error 5%, max-t, all pairs of a "
    "question). q is the false discovery rate (Benjamini and Hochberg); runs as published "
    "use it for letters."
)


NOTHING_SHARED = "No pair could be compared."

FOR_THESE = "Intervals are for these {workers} raters on new topics, not for other raters."

PROBABILITY = "Probability that the row's mean is higher"
SEQUENTIAL = "1 − p/2 if the row's mean is higher, else p/2"
MANY_GROUPS = 40  # a win matrix with more has cells that nobody can read


def figures(found: RunResults) -> Iterator[Figure]:
    question = found.headline
    for by, noun in (("system", "systems"), ("style, origin", "styles")):
        rows = found.records("groups", "means", by=by, question=question)
        if len(rows) > 1 and len(rows) <= ROWS_IN_ONE:
            yield _group_means(found, rows, noun)
    rows = found.records("groups", "means", by="system", question=question)
    pairs = with_adjusted_p(found.records("groups", "ahead", by="system", question=question))
    if 3 <= len(rows) <= MANY_GROUPS:
        yield _ahead(found, rows, pairs)


def _ahead(found: RunResults, rows: list[dict[str, Any]], pairs: list[dict[str, Any]]) -> Figure:
    """Return how probably each is ahead of each, or the reason why none was compared.

    Reasons of the groups themselves come before those of pairs.
    """
    question = found.headline
    sequential = found.run.is_sequential and not is_as_published(pairs)
    kind = "Evidence for" if sequential else "Probability of"
    title = f"{kind} a higher mean: {found.words.of(question)}"
    if all(row["ahead"] is None for row in pairs):
        reason = next((why for row in [*rows, *pairs] if (why := row.get("why"))), NOTHING_SHARED)
        return figure(
            lambda title, width: empty(reason, title=title, width=width),
            title=title,
            caption=reason,
        )
    names = [row["group"] for row in rows]
    chance = {(row["group"], row["other"]): row["ahead"] for row in pairs}
    cells = [[chance.get((first, other)) for other in names] for first in names]
    place = {name: k for k, name in enumerate(names)}
    winners = {(place[row["group"]], place[row["other"]]) for row in pairs if beats(row)}
    return figure(
        lambda title, width: matrix(
            [found.words.of_group(name) for name in names],
            cells,
            title=title,
            meaning=f"{SEQUENTIAL if sequential else PROBABILITY}; columns are numbered like "
            f"rows. Bold: higher ({rate_of(pairs)}).",
            marked=winners,
            width=width,
            written=probability,
        ),
        title=title,
        caption=f"{_claim(pairs, found.called(question), sequential)}, over {_over(pairs)}. Bold: "
        f"higher with all pairs tested ({rate_of(pairs)}).",
    )


def _claim(pairs: list[dict[str, Any]], score: str, sequential: bool) -> str:
    """Return what a cell is: of the bootstrap as published, else by Student's t.

    In a study that is still open it follows from the p-value that holds at every look, which makes
    it no probability of the higher mean.
    """
    if sequential:
        return (
            f"Evidence that the row's mean {score} is higher: 1 − p/2, with the anytime-valid "
            "p-value"
        )
    kind = "Share of bootstrap draws" if is_as_published(pairs) else "Probability (by t)"
    return f"{kind} that the row's mean {score} is higher"


def _over(rows: list[dict[str, Any]]) -> str:
    """Return what intervals are over; a bootstrap resampled topics."""
    return resampled_units(rows[0].get("over") or OVER_TOPICS)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)


def _group_means(found: RunResults, rows: list[dict[str, Any]], noun: str) -> Figure:
    labelled = [
        ForestEstimate(
            _labelled(found.words.of_group(row["group"]), row),
            round(row["mean"], DIGITS),
            _rounded(row["low"]),
            _rounded(row["high"]),
            int(row["topics"]),
        )
        for row in rows
    ]
    name = found.called(rows[0]["question"])
    possible = found.possible(rows[0]["question"])
    return figure(
        lambda title, width: forest(
            labelled,
            title=title,
            axis=f"mean {name}",
            possible=possible,
            width=width,
            confidence=found.confidence,
        ),
        title=f"Mean {name} of {noun}: {found.words.of(rows[0]['question'])}",
        caption=_caption(rows),
    )


def _labelled(name: str, row: dict[str, Any]) -> str:
    """Return the name with its letters, where it was compared."""
    is_compared = row["low"] is not None and row["letters"]
    return f"{name} ({row['letters']})" if is_compared else name


def _caption(rows: list[dict[str, Any]]) -> str:
    with_interval = [row for row in rows if row["low"] is not None]
    if not with_interval:  # the reason is given above, once
        return "n is the number of topics."
    caption = f"Intervals over {_over(with_interval)}; n is the number of topics."
    if any(row.get("about") == About.THESE and row["workers"] for row in with_interval):
        caption += " " + FOR_THESE.format(workers=max(row["workers"] or 0 for row in with_interval))
    if any(row["letters"] for row in with_interval):
        caption += " Groups that share a letter do not differ clearly."
    return caption


PRESENTATION = Presentation(
    analysis="groups",
    part="systems",
    lede="Mean {scores}. {percent} CIs are for {drawn}. Groups that share a letter do "
    "not differ clearly.",
    tables={
        "means": Display(
            "Mean {scores_called} by group",
            hidden=("why",),
            folded=True,
            note="Best first. " + FAMILY,
        ),
        "ahead": Display(
            "Pairs",
            hidden=("p",),
            folded=True,
            note="On common topics. Intervals and probabilities are for each pair alone. " + FAMILY,
        ),
    },
    figures=figures,
    panel=Panel(below="console/_compared.html", context=compared_context),
)
