"""Plots of the results pages."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext

from analysis.pages.results.pages import AgreementRow, GroupRow, WorkerCompetence
from analysis.pages.results.pages.responses import compared_rows
from analysis.pages.results.run_results import RunResults
from analysis.plots import ForestEstimate, Reference, forest, histogram, matrix
from analysis.plots.agreement import agreement
from analysis.plots.distribution import bin_edges, binned
from analysis.plots.figure import Figure, figure
from analysis.plots.text_fitting import percent

Row = dict[str, Any]
DIGITS = 12  # what is below is the rounding of means
ROWS_IN_ONE = 60  # a forest with more rows is split by question


def agreement_figure(rows: Sequence[AgreementRow], *, confidence: float = 0.95) -> Figure | None:
    """Return alpha of each question with its interval; None if no alpha is known."""
    estimates = [
        ForestEstimate(row.question, alpha["value"], alpha["low"], alpha["high"], alpha["items"])
        for row in rows
        if (alpha := row.alpha) is not None
    ]
    if not estimates:
        return None
    over = next(alpha["resampled"] for row in rows if (alpha := row.alpha) is not None)
    return figure(
        lambda title, width: agreement(estimates, title=title, width=width, confidence=confidence),
        title=gettext("Agreement by question"),
        caption=gettext("Krippendorff's alpha with intervals over {over}; n: items.").format(
            over=resampled_units(over)
        )
        if any(estimate.low is not None for estimate in estimates)
        else gettext("Krippendorff's alpha; n: items."),
    )


def resampled_units(over: str) -> str:
    """Return what an interval is over in the word for people on pages: participants."""
    return over.replace("workers", "participants")


def competence_figure(
    workers: Sequence[WorkerCompetence], *, cut: float | None = None
) -> Figure | None:
    """Return a histogram of the mean competence of workers; None without workers."""
    values = [row.pooled for row in workers]
    if not values:
        return None
    edges = bin_edges((0.0, 1.0))
    counts = binned(values, (0.0, 1.0))
    return figure(
        lambda title, width: histogram(
            values,
            title=title,
            axis="competence",
            counted="participants",
            domain=(0.0, 1.0),
            cut=None if cut is None else Reference(cut, "cut"),
            width=width,
        ),
        title=gettext("Distribution of competence"),
        caption=_caption_of_competence(cut),
        columns=("Competence", "Participants"),
        rows=[
            (f"{low:.2f} to {high:.2f}", str(count))
            for low, high, count in zip(edges, edges[1:], counts, strict=False)
            if count
        ],
    )


def _caption_of_competence(cut: float | None) -> str:
    caption = gettext("One value per participant, across all questions.")
    if cut is None:
        return caption
    return f"{caption} " + gettext(
        "Competence-corrected agreement keeps participants above {cut:.2f}."
    ).format(cut=cut)


def mean_figures(
    groups: Sequence[GroupRow],
    questions: Sequence[str],
    *,
    confidence: float = 0.95,
    possible: Sequence[tuple[float, float] | None] = (),
) -> list[Figure]:
    """Return forest plots of groups: one, or one per question if there are many.

    `possible` maps questions to the limits of their scores, where these are known.
    """
    limits = [*possible] or [None] * len(questions)
    by_question = [
        [_mean(row.group, cell, question) for row in groups if (cell := row.cells[k]) is not None]
        for k, question in enumerate(questions)
    ]
    everything = [estimate for estimates in by_question for estimate in estimates]
    if len(everything) <= ROWS_IN_ONE:
        common = limits[0] if len(set(limits)) == 1 else None
        title = gettext("Mean score by system")
        return [_means(everything, title, confidence, common)] * bool(everything)
    return [
        _means(
            estimates,
            gettext("Mean score by system: {question}").format(question=question),
            confidence,
            limit,
        )
        for question, estimates, limit in zip(questions, by_question, limits, strict=True)
        if estimates
    ]


def system_figures(found: RunResults) -> list[Figure]:
    """Return the mean scores of systems by every scored measure."""
    names = [measure.title for measure in found.scored]
    return mean_figures(
        compared_rows(found, by="system"),
        names,
        confidence=found.confidence,
        possible=[found.possible(measure.key) for measure in found.scored],
    )


def _mean(group: str, cell: dict[str, Any], question: str) -> ForestEstimate:
    return ForestEstimate(group, cell["value"], cell["low"], cell["high"], cell["n"], question)


def _means(
    estimates: Sequence[ForestEstimate],
    title: str,
    confidence: float,
    possible: tuple[float, float] | None,
) -> Figure:
    return figure(
        lambda title, width: forest(
            estimates,
            title=title,
            axis="mean score",
            possible=possible,
            width=width,
            confidence=confidence,
        ),
        title=title,
        caption=(
            gettext("{percent} CIs; n: topics.").format(percent=percent(confidence))
            if any(bar.low is not None for bar in estimates)
            else gettext("n: topics; no intervals.")
        ),
    )


def tau_figure(
    rows: Sequence[Row], names: Mapping[str, str], *, title: str, caption: str
) -> Figure:
    """Return a heat map of Kendall's tau-b, from rows of first, second and tau.

    names: titles by the keys of the rows, in the order to show them.
    """
    taus = {(row["first"], row["second"]): row["tau"] for row in rows}
    keys = [key for key in names if any(key in pair for pair in taus)]
    cells = [[taus.get((a, b), taus.get((b, a))) for b in keys] for a in keys]
    return figure(
        lambda title, width: matrix(
            [names[key] for key in keys],
            cells,
            title=title,
            meaning="Kendall's tau-b of row and column.",
            ends=(-1.0, 1.0),
            middle=0.0,
            width=width,
        ),
        title=title,
        caption=caption,
    )


def estimate(
    found: RunResults, row: Row, label: str, value: str = "value", n: str = "items"
) -> ForestEstimate:
    """Return a row as an estimate of its question, with a null where the row has one."""
    sure = row["low"] is not None and row["high"] is not None
    return ForestEstimate(
        label,
        round(row[value], DIGITS),
        row["low"] if sure else None,
        row["high"] if sure else None,
        row.get(n) and int(row[n]),
        found.words.of(row["question"]),
        row.get("null_lowest"),
        row.get("null_highest"),
    )


def has_interval(rows: Iterable[Row]) -> bool:
    """Return whether any row has an interval, so that the caption explains it."""
    return any(row["low"] is not None for row in rows)


def by_question(found: RunResults, rows: list[Row], value: str, n: str) -> list[ForestEstimate]:
    """Return one row per question, named by it."""
    with_value = [row for row in rows if row[value] is not None]
    plain = [estimate(found, row, found.words.of(row["question"]), value, n) for row in with_value]
    return [replace(bar, group="") for bar in plain]
