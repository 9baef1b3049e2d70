"""Definition of an analysis: its question, what it reads, when it applies, and its columns.

A file of `analysis.analyses` has one analysis, `ANALYSIS`; `analysis.analyses.catalogue` lists
them.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from django.conf import settings
from django.utils.module_loading import import_string

from analysis.inputs.analysis_input import AnalysisInput, Tables
from analysis.inputs.columns import COLUMNS, Column
from analysis.inputs.measures import Measure
from annotation.models import Study


class Reads(StrEnum):
    """Data that an analysis reads: a frame of `analysis.inputs.step_input`."""

    VOTES = "the votes of one measure"
    VOTES_ON_RESPONSES = "the votes of one measure, and whose responses they compare"
    VOTES_ON_TEXTS = "the votes of one measure, whose responses they compare, and their texts"
    VOTES_ON_RANKED = "the votes of one measure on passages, and how systems rank these"
    VOTES_ON_ENTRIES = "the votes of one measure on passages and entries, and judgments of passages"
    BESIDE_PEOPLE = "the votes of models on one measure, and those of people beside them"
    ALL_BESIDE_PEOPLE = "the votes of models on all measures, and those of people beside them"
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
    BOARDS = "the leaderboards from other analyses of the run, and official orders of systems"
    METHODS = "the scores of texts and systems by every method and from imported files"
    WORK = "what was paid for, and how long it took"


# The stage of an analysis that reads what others found; all else is there from the beginning.
# Votes on texts wait for the components of stage 1 only, but are costly, and fill the workers
# beside the one long step of stage 3 (groups).
LATER = {
    Reads.RANKED: 2,
    Reads.ALL_GOLD: 2,
    Reads.VOTES_ON_TEXTS: 3,
    Reads.SCORES: 3,
    Reads.VOTED_SCORES: 3,
    Reads.SCORED_TEXTS: 3,
    Reads.BOARDS: 4,
    Reads.METHODS: 4,
}


def to_none(measure: Measure) -> bool:
    """Return False: the analysis reads texts, work or the process of writing."""
    return False


@dataclass(frozen=True)
class Analysis:
    """Definition of an analysis: question, inputs, when it applies, formula and columns.

    applies: whether it makes sense for a measure, by what that does and by its level.
    least: the number of such measures that it needs.
    columns: its columns that COLUMNS has not, or otherwise; `table_columns` those that mean
    something else in one table.
    of_work: whether it asks how people worked, which imported labels do not show.
    may_have_machines: whether models are among its annotators where a run asks for them.
    sequential: its tables whose intervals hold at every look at an open study.
    of_each_worker: whether its numbers are about single workers, whose answers are all there.
    counts_rule: whether it counts pairs that the rule on empty answers decides (decided_votes).
    published: whether a run that follows a published pipeline (parameter compat) has it.
    """

    name: str
    title: str
    answers: str
    assumes: str
    reads: Reads
    applies: Callable[[Measure], bool]
    function: Callable[[AnalysisInput], Tables]
    least: int = 1
    columns: Mapping[str, Column] = field(default_factory=dict)
    table_columns: Mapping[str, Mapping[str, Column]] = field(default_factory=dict)
    of_work: bool = False
    may_have_machines: bool = False
    published: bool = True
    sequential: Collection[str] = ()
    of_each_worker: bool = False
    counts_rule: bool = False

    def grows_with(self, kind: str) -> bool:
        """Return whether the sample behind its numbers grows while a study of the kind is open."""
        is_fixed = self.reads == Reads.TEXTS and kind != Study.Kind.WRITING
        return not (self.of_each_worker or is_fixed)

    def columns_of(self, table: str) -> Mapping[str, Column]:
        """Return the columns as one table has them."""
        return {**COLUMNS, **self.columns, **self.table_columns.get(table, {})}

    @property
    def reads_answers(self) -> bool:
        """True if the pool of raters makes a difference."""
        return self.applies is not to_none

    @property
    def stage(self) -> int:
        return LATER.get(self.reads, 1)


def offered_analyses() -> Mapping[str, Analysis]:
    """Return the analyses by name; the setting ANALYSES has them, or the path to them."""
    analyses: Mapping[str, Analysis] | str = settings.ANALYSES
    return import_string(analyses) if isinstance(analyses, str) else analyses
