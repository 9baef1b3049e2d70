"""Presentation of an analysis: the place, tables, plots and sentences of its section."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.http import HttpRequest

from analysis.pages.results.run_results import RunResults
from analysis.plots.figure import Figure


@dataclass(frozen=True)
class Display:
    """Presentation of a table on a page; titles may have `{currency}`.

    hidden: columns that only its files have.
    """

    title: str
    hidden: tuple[str, ...] = ()
    folded: bool = False
    note: str = ""


@dataclass(frozen=True)
class Panel:
    """Templates above and below the plots of a section, and the context that they need."""

    above: str = ""
    below: str = ""
    context: Callable[[RunResults, HttpRequest], dict[str, Any]] = lambda found, request: {}


def _nothing(found: RunResults) -> Iterable[Figure]:
    return ()


@dataclass(frozen=True)
class Presentation:
    """Section of an analysis on a page of results.

    part, place: the page (results.sections), and the position on it.
    lede: an introduction; {percent} is the confidence of the run.
    tables: the tables of the page, in this order; None keeps one to its files. Without any, the
    page has all stored tables.
    """

    analysis: str
    part: str = ""
    place: int = 0
    lede: str = ""
    tables: Mapping[str, Display | None] = field(default_factory=dict)
    figures: Callable[[RunResults], Iterable[Figure]] = _nothing
    panel: Panel = Panel()
