"""Presentations of all analyses."""

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from types import MappingProxyType

from analysis.analyses.catalogue import MODULES
from analysis.pages.results.presentation.definition import Presentation
from analysis.pages.results.run_results import RunResults
from analysis.plots.figure import Figure

# The presentation of an analysis is in the module with the name of its own.
_MODULES = [
    import_module(f"{__package__}.{analysis.__name__.rpartition('.')[2]}") for analysis in MODULES
]
PRESENTATIONS: Mapping[str, Presentation] = MappingProxyType(
    {module.PRESENTATION.analysis: module.PRESENTATION for module in _MODULES}
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
