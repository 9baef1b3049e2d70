"""How an analysis describes itself: its question, what it reads, and how its tables are shown.

One file has one analysis, `ANALYSIS`, and `catalogue` lists them. The columns `low` and `high` are
the interval of the column before them, `x_low` and `x_high` (or `x_lowest` and `x_highest`) that
of x; both stand in brackets behind it, written as it is.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.http import HttpRequest

from analysis.inputs.asked import Asked, Tables
from analysis.inputs.measures import Does, Measure
from analysis.inputs.scores import is_scored
from analysis.inputs.summaries import ONLY_OF_SUMMARIES, part_of


class Reads(StrEnum):
    """What an analysis reads: a frame of `analysis.inputs.reading`."""

    VOTES = "the votes of one measure"
    VOTES_ON_RESPONSES = "the votes of one measure, and whose responses they compare"
    VOTES_ON_RANKED = "the votes of one measure on passages, and how systems rank these"
    BESIDE_PEOPLE = "the votes of models on one measure, and those of people beside them"
    ALL_VOTES = "the votes of all measures"
    ALL_VOTES_ON_RESPONSES = "the votes of all measures, and whose responses they are on"
    SUMMARIES = "the votes on parts of summaries, and what these are made of"
    RANKED = "the votes or gold labels that rank, of one measure, for some of the topics"
    ALL_GOLD = "the gold labels of all measures"
    SCORES = "what every measure says of responses"
    VOTED_SCORES = "what every measure says of responses, and the votes behind it"
    TEXTS = "the texts and their passages"
    SCORED_TEXTS = "what every measure says of responses, and the texts"
    PROCESS = "how each text was written"
    WORK = "what was paid for, and how long it took"


# The stage of an analysis that reads what others found; all else is there from the beginning.
LATER = {
    Reads.RANKED: 2,
    Reads.ALL_GOLD: 2,
    Reads.SCORES: 3,
    Reads.VOTED_SCORES: 3,
    Reads.SCORED_TEXTS: 3,
}


# -- To which measures an analysis applies ------------------------------------------------------


TEXTS = ("pair", "pair_documents", "block", "response")  # kinds of items about whole texts
PAIRS = ("pair", "pair_documents")  # kinds of items that show two texts to compare


def to_none(measure: Measure) -> bool:
    """It reads what is no measure: texts, work, the process of writing."""
    return False


def to_votes(measure: Measure) -> bool:
    """Whatever is counted, and not told in words."""
    return measure.is_counted


def to_options(measure: Measure) -> bool:
    """What is answered by one of a few options, and not by a number on a range."""
    return measure.is_counted and bool(measure.options)


def to_pairs(measure: Measure) -> bool:
    """One answer on two texts that change places, whatever it says of them."""
    return to_options(measure) and measure.kind in PAIRS and not measure.per_slot


def to_comparisons(measure: Measure) -> bool:
    """An answer that says which of two is better."""
    return measure.does == Does.COMPARES


def to_scores(measure: Measure) -> bool:
    """A number for one thing."""
    return measure.does == Does.SCORES and measure.is_alone


def to_choices(measure: Measure) -> bool:
    """What is the best of several, or the worst."""
    return measure.does == Does.CHOOSES and is_scored(measure)


def to_labels(measure: Measure) -> bool:
    """A label for one thing, where one label is the better."""
    return measure.does == Does.LABELS and is_scored(measure)


def to_totals(measure: Measure) -> bool:
    """Texts by one of several criteria: which of two, the best of several, or a number."""
    if measure.per_slot or not measure.totals or measure.kind not in TEXTS:
        return False
    return to_comparisons(measure) or to_choices(measure) or to_scores(measure)


def to_summaries(measure: Measure) -> bool:
    """A label of what only structured summaries have: an overview, a heading, a section."""
    return measure.kind in ONLY_OF_SUMMARIES and bool(part_of(measure))


class Form(StrEnum):
    """How the numbers of a column are written."""

    THREE = "three decimals"
    TWO = "two decimals"
    WHOLE = "whole"  # a number that is not keeps its decimals
    ROUNDED = "rounded to a whole number"
    SHARE = "in per cent"
    CHANCE = "a p-value"


@dataclass(frozen=True)
class Column:
    """What a column is called; without a title, as it is stored. A hidden one is in files alone."""

    title: str = ""
    form: Form = Form.THREE
    hidden: bool = False


# What every row says alike, or the record of the run tells.
HIDDEN = Column(hidden=True)
COUNT = Column(form=Form.WHOLE)
TWO_DIGITS = Column(form=Form.TWO)
SHARE = Column(form=Form.SHARE)
N, P, SD = Column("n", Form.WHOLE), Column("p", Form.CHANCE), Column("SD")


@dataclass(frozen=True)
class Display:
    """Presentation of a table on a page; titles may have `{currency}`.

    hidden: columns that only its files have.

    columns: those that mean something else here than in the other tables of the analysis.
    """

    title: str
    columns: Mapping[str, Column] = field(default_factory=dict, kw_only=True)
    hidden: tuple[str, ...] = ()
    folded: bool = False
    note: str = ""


@dataclass(frozen=True)
class Panel:
    """What stands on a page beside plots and tables: templates above and below the plots.

    `context` is what they need, from what a run found (results.found.Found) and the request.
    """

    above: str = ""
    below: str = ""
    context: Callable[[Any, HttpRequest], dict[str, Any]] = lambda found, request: {}


def _nothing(found: Any) -> Iterable[Any]:
    return ()


@dataclass(frozen=True)
class Analysis:
    """`applies` says of which measures it makes sense: by what they do, and by their level.

    part, place: the page of results that it stands on (results.sections), and where on it.
    least: how many such measures it takes: of one question there is nothing to correlate.
    lede: what a reader should know; {percent} is the confidence of the run.
    tables: those that stand on the page, in this order; None keeps one to its files. Without any
    all that is stored stands there.
    figures: the plots (results.figures.Figure), from what a run found (results.found.Found).
    of_work: whether it asks how people worked, which labels from elsewhere say nothing of.
    may_have_machines: whether models are among its annotators where a run asks for it.
    published: whether a run that follows a published pipeline (parameter compat) has it.
    """

    name: str
    title: str
    answers: str
    assumes: str
    reads: Reads
    applies: Callable[[Measure], bool]
    function: Callable[[Asked], Tables]
    part: str = ""
    place: int = 0
    least: int = 1
    lede: str = ""
    columns: Mapping[str, Column] = field(default_factory=dict)
    tables: Mapping[str, Display | None] = field(default_factory=dict)
    figures: Callable[[Any], Iterable[Any]] = _nothing
    panel: Panel = Panel()
    of_work: bool = False
    may_have_machines: bool = False
    published: bool = True

    def columns_of(self, table: str) -> Mapping[str, Column]:
        """Return the columns as one table shows them."""
        display = self.tables.get(table)
        return {**self.columns, **display.columns} if display else self.columns

    @property
    def reads_answers(self) -> bool:
        """Whether it matters which pool of raters was read."""
        return self.applies is not to_none

    @property
    def stage(self) -> int:
        return LATER.get(self.reads, 1)
