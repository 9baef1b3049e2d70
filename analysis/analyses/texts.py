"""Length of texts, and the passages that they cite."""

from collections.abc import Callable, Iterator, Mapping

import pandas as pd

from analysis.inputs.analysis_input import AnalysisInput, Table, Tables, frame_of, table, table_of
from analysis.inputs.columns import COUNT, Column
from analysis.inputs.definition import Analysis, Reads, to_none
from analysis.stats.design_checks import LEAST_UNITS
from analysis.stats.errors import CannotCompute
from analysis.stats.text.citations import (
    citation_by_rank,
    citation_density,
    citation_order,
    overlaps,
    ranks_of_citations,
)
from analysis.stats.text.counts import count_responses
from analysis.stats.text.prose import Prose, read_prose
from analysis.stats.text.topic_bootstrap import Bootstrap
from annotation.texts.plurals import counted
from annotation.texts.sentences import marked

UNDEFINED = ("table", "reason")
Part = Callable[[Prose, Bootstrap], pd.DataFrame]

CITING: dict[str, Part] = {
    "by_rank": lambda prose, draws: citation_by_rank(prose, bootstrap=draws).frame,
    "ranks": lambda prose, draws: ranks_of_citations(prose, bootstrap=draws).frame,
    "overlaps": lambda prose, draws: overlaps(prose, bootstrap=draws).frame,
    "order": lambda prose, draws: citation_order(prose, bootstrap=draws).frame,
    "density": lambda prose, draws: citation_density(prose, bootstrap=draws).frame,
}


def prose_of(data: AnalysisInput) -> tuple[Prose, Bootstrap]:
    assert data.passages is not None  # Reads.TEXTS brings them
    return read_prose(data.frame, data.passages), data.bootstrap


def texts(data: AnalysisInput) -> Tables:
    """Return words, statements and citations: which passages, in which order, and where."""
    prose, draws = prose_of(data)
    counts = count_responses(prose, bootstrap=draws)
    tables: dict[str, Table] = {"counts": table(counts.summary)}
    undefined = []
    for name, part in CITING.items():
        try:
            tables[name] = table(part(prose, draws))
        except CannotCompute as reason:
            undefined.append([name, str(reason)])
    undefined += without_interval(tables)
    left_out = [[counts.non_responses, prose.least_words, counts.unknown_citations]]
    return tables | {
        "left_out": table_of(("non_responses", "least_words", "unknown_citations"), left_out),
        "undefined": table_of(UNDEFINED, undefined),
    }


def without_interval(tables: Mapping[str, Table]) -> Iterator[list[str]]:
    """Yield a row of `undefined` for each table with rows of too few topics for an interval."""
    for name, frame in tables.items():
        topics = frame_of(frame).get("topics", pd.Series(dtype=int))
        few = int((topics < LEAST_UNITS).sum())
        if few:
            where = "" if few == len(topics) else f" in {few} of {counted(len(topics), 'row')}"
            yield [name, f"No interval{where}: at least {LEAST_UNITS} topics are needed."]


ANALYSIS = Analysis(
    name="texts",
    title="Texts and citations",
    answers="How long are the texts, and what do they cite?",
    assumes="Topics are independent; bracketed numbers are citations.",
    reads=Reads.TEXTS,
    applies=to_none,
    function=texts,
    columns={
        "start": Column(
            meaning=marked("start of the part: 0 is the beginning of the text, 1 its end")),
        "end": Column(meaning=marked("end of the part")),
        "rank": COUNT,
        "non_responses": COUNT,
        "least_words": COUNT,
        "unknown_citations": COUNT,
    },
)  # fmt: skip
