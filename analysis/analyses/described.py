"""Definition of an analysis: its question, what it reads, when it applies, and its columns.

One file has one analysis, `ANALYSIS`, and `catalogue` lists them. The columns `low` and `high` are
the interval of the column before them, `x_low` and `x_high` (or `x_lowest` and `x_highest`) that
of x; both are shown in brackets behind it, in its form.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

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
class Analysis:
    """Definition of an analysis: question, inputs, when it applies, formula and columns.

    applies: whether it makes sense for a measure, by what that does and by its level.
    least: the number of such measures that it needs.
    columns: the columns of its tables; `table_columns` those that mean something else in one table.
    of_work: whether it asks how people worked, which imported labels do not show.
    may_have_machines: whether models are among its annotators where a run asks for them.
    published: whether a run that follows a published pipeline (parameter compat) has it.
    """

    name: str
    title: str
    answers: str
    assumes: str
    reads: Reads
    applies: Callable[[Measure], bool]
    function: Callable[[Asked], Tables]
    least: int = 1
    columns: Mapping[str, Column] = field(default_factory=dict)
    table_columns: Mapping[str, Mapping[str, Column]] = field(default_factory=dict)
    of_work: bool = False
    may_have_machines: bool = False
    published: bool = True

    def columns_of(self, table: str) -> Mapping[str, Column]:
        """Return the columns as one table has them."""
        return {**self.columns, **self.table_columns.get(table, {})}

    @property
    def reads_answers(self) -> bool:
        """Whether it matters which pool of raters was read."""
        return self.applies is not to_none

    @property
    def stage(self) -> int:
        return LATER.get(self.reads, 1)
