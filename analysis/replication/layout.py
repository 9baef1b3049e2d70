"""Structure of the report: sections (a table or figure of the paper), and blocks of cells.

A path names a cell of tables.json; {} is replaced by the keys of the rows.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from analysis.replication.corpus_files import DIMENSIONS
from analysis.replication.grade_tables import STYLES

NAMES: Mapping[str, str] = MappingProxyType(
    {
        "correctness_topical": "Topical correctness",
        "coherence_logical": "Logical coherence",
        "coherence_stylistic": "Stylistic coherence",
        "coverage_broad": "Broad coverage",
        "coverage_deep": "Deep coverage",
        "consistency_internal": "Internal consistency",
        "quality_overall": "Overall quality",
        "bullet": "Bullet list",
        "essay": "Essay",
        "news": "News",
        "all": "All styles",
        "human": "People",
        "llm": "Model",
        "both": "Both",
        "topics_written": "Topics (writing)",
        "responses": "Responses",
        "writers": "Writers",
        "words_per_response": "Words per response",
        "minutes_per_response": "Minutes per response",
        "dollars_per_hour_writing": "Dollars per hour, writing",
        "dollars_per_response": "Dollars per response",
        "topics_judged": "Topics (judging)",
        "criteria": "Dimensions",
        "pairs": "Pairs",
        "votes": "Votes by people",
        "votes_llm": "Votes by the model",
        "judges": "Judges",
        "votes_per_judge": "Votes per judge",
        "minutes_per_vote": "Minutes per vote",
        "dollars_per_hour_judging": "Dollars per hour, judging",
        "dollars_per_vote": "Dollars per vote",
        "dollars_per_gold_label": "Dollars per gold label",
    }
)
WITH_ALL = (*STYLES, "all")


@dataclass(frozen=True)
class CellBlock:
    """A column of a table: its cells at `path`, compared with the print at `printed`.

    right_rows: the true place of the printed value of each row, if rows were exchanged.
    """

    path: str
    title: str
    keys: Sequence[str] = DIMENSIONS
    printed: str = ""  # by default the same path
    decimals: int = 2
    right_rows: Sequence[int] = ()


@dataclass(frozen=True)
class PaperSection:
    """A table or figure of the paper; notes: errors of the print, differences in computation."""

    name: str
    title: str
    lead: str
    blocks: Sequence[CellBlock] = ()
    notes: Sequence[str] = ()
    figures: Sequence[str] = ()
