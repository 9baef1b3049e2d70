"""The plots of each analysis, from its stored tables."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from analysis.plots.offered import agreement, order_effects, position_effects
from analysis.results.figures import (
    Figure,
    agreement_figure,
    by_question,
    competence_figure,
    estimate,
    figure,
    mean_figures,
)
from analysis.results.found import Found
from analysis.results.pages import agreement_rows, group_rows, response_rows, worker_rows
from analysis.results.system_figures import (
    associations_figures,
    groups_figures,
    origins_figures,
    stability_figures,
)
from analysis.results.text_figures import of_references, of_texts, of_wording
from analysis.stats.agreement.keeping import KeepRule

Row = dict[str, Any]


def figures_of(found: Found, analysis: str) -> list[Figure]:
    """The plots of an analysis; none where nothing could be computed."""
    drawn = FIGURES.get(analysis, nothing)(found)
    return [replace(each, name=f"{analysis}-{k}") for k, each in enumerate(drawn, 1)]


def nothing(found: Found) -> Iterator[Figure]:
    yield from ()


def _agreement(found: Found) -> Iterator[Figure]:
    if drawn := agreement_figure(agreement_rows(found.run), confidence=found.confidence):
        yield drawn


def _corrected(found: Found) -> Iterator[Figure]:
    rows = [row for row in found.records("corrected", "corrected") if row["value"] is not None]
    if rows:
        yield figure(
            lambda title, width: agreement(
                [estimate(found, row, row["votes_kept"]) for row in rows],
                title=title,
                width=width,
                confidence=found.confidence,
            ),
            title="Agreement of all and of the competent",
            caption="Krippendorff’s alpha. The hollow band is what votes shuffled at random reach: "
            "in sample it lies far above 0, which is the circle.",
        )


def _differentiable(found: Found) -> Iterator[Figure]:
    rows = [row for row in found.records("differentiable", "parts") if row["value"] is not None]
    if rows:
        yield figure(
            lambda title, width: agreement(
                [estimate(found, row, row["part"]) for row in rows],
                title=title,
                width=width,
                confidence=found.confidence,
            ),
            title="Agreement by how far items can be told apart",
            caption="Krippendorff’s alpha with its interval by items.",
        )


def _orders(found: Found) -> Iterator[Figure]:
    sides = found.records("orders", "sides")
    if sides:
        yield figure(
            lambda title, width: order_effects(
                by_question(found, sides, "share", "votes"),
                title=title,
                width=width,
                confidence=found.confidence,
            ),
            title="Share of preferences for the right-hand side",
            caption="With the interval over workers; n is the number of votes with a preference.",
        )
    for order in ("direction", "half of the questionnaire"):
        rows = [
            row
            for row in found.records("orders", "parts", order=order)
            if row["part"] != "difference" and row["value"] is not None
        ]
        if rows:
            yield _parts(found, rows, order)


def _parts(found: Found, rows: list[Row], order: str) -> Figure:
    return figure(
        lambda title, width: agreement(
            [estimate(found, row, found.words.of(row["part"])) for row in rows],
            title=title,
            width=width,
            confidence=found.confidence,
        ),
        title=f"Agreement by {order}",
        caption="Krippendorff’s alpha on the pairs that were seen in both ways, with intervals.",
    )


def _position(found: Found) -> Iterator[Figure]:
    if rows := found.records("position", "position"):
        yield figure(
            lambda title, width: position_effects(
                by_question(found, rows, "effect", "workers"),
                title=title,
                width=width,
                confidence=found.confidence,
            ),
            title="What it adds to a text to stand on the left",
            caption="In the unit of merits, with Wald intervals clustered by workers.",
        )


def _competence(found: Found) -> Iterator[Figure]:
    rule = KeepRule(**found.run.parameters.get("keep", {}))
    cut = None if rule.most_spam is None else 1 - rule.most_spam
    if drawn := competence_figure(worker_rows(found), cut=cut):
        yield drawn


def _means(found: Found) -> Iterator[Figure]:
    names = list(found.words.questions.values())
    groups = group_rows(response_rows(found), by="system", confidence=found.confidence)
    yield from mean_figures(groups, names, graded=False, confidence=found.confidence)


FIGURES: dict[str, Callable[[Found], Iterator[Figure]]] = {
    "agreement": _agreement,
    "corrected": _corrected,
    "differentiable": _differentiable,
    "orders": _orders,
    "position": _position,
    "stability": stability_figures,
    "associations": associations_figures,
    "groups": groups_figures,
    "origins": origins_figures,
    "competence": _competence,
    "means": _means,
    "texts": of_texts,
    "wording": of_wording,
    "references": of_references,
}
