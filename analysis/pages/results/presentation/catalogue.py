"""Presentations of all analyses."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from analysis.pages.results.presentation import (
    agreement,
    associations,
    best_worst,
    competence,
    corrected,
    cost,
    crowd,
    differentiable,
    elo_beside,
    games,
    grades,
    groups,
    judges,
    means,
    mixed,
    orders,
    origins,
    positions,
    process,
    ranked_alike,
    references,
    retrieval,
    savings,
    score_pairs,
    shares,
    stability,
    summaries,
    texts,
    totals,
    wording,
)
from analysis.pages.results.presentation.definition import Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots.figure import Figure

MODULES = (
    agreement,
    competence,
    crowd,
    corrected,
    orders,
    positions,
    stability,
    differentiable,
    means,
    best_worst,
    shares,
    summaries,
    grades,
    associations,
    ranked_alike,
    groups,
    mixed,
    origins,
    texts,
    wording,
    references,
    process,
    judges,
    score_pairs,
    elo_beside,
    savings,
    games,
    totals,
    retrieval,
    cost,
)
PRESENTATIONS: Mapping[str, Presentation] = MappingProxyType(
    {module.PRESENTATION.analysis: module.PRESENTATION for module in MODULES}
)


def presentation_of(analysis: str) -> Presentation:
    """Return the presentation of an analysis; an empty one if it has none."""
    return PRESENTATIONS.get(analysis) or Presentation(analysis)


def figures_of(found: RunResults, analysis: str) -> list[Figure]:
    """Return the plots of an analysis with their names; none if nothing could be computed."""

    def drawn() -> list[Figure]:
        figures = presentation_of(analysis).figures(found)
        return [replace(plot, name=f"{analysis}-{k}") for k, plot in enumerate(figures, 1)]

    return found.kept(f"figures:{analysis}", drawn)
