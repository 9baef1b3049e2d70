"""Rank correlation between questions of any method."""

from analysis.analyses.groups import scored
from analysis.inputs.analysis_input import AnalysisInput, Table, Tables, table, table_of
from analysis.inputs.columns import Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.scorers import is_scored
from analysis.stats.effects.score_associations import COLUMNS, NotRankedTogether, score_associations
from annotation.texts.sentences import marked


def ranked_alike(data: AnalysisInput) -> Tables:
    """Return tau-b between the scores of responses within topics, and between those of systems."""
    texts = scored(data).rename(columns={"question": "measure", "response": "unit"})
    result = score_associations(texts, confidence=data.confidence)
    return {"texts": table(result.frame), "systems": _systems(data)}


def _systems(data: AnalysisInput) -> Table:
    """Return tau-b between the means of systems over topics, as of one topic."""
    means = scored(data).groupby(["question", "system", "topic"])["value"].mean()
    systems = means.groupby(["question", "system"]).mean().reset_index()
    renamed = systems.rename(columns={"question": "measure", "system": "unit"})
    try:
        result = score_associations(renamed.assign(topic=""), confidence=data.confidence)
    except NotRankedTogether:
        return table_of(COLUMNS, [])
    return table(result.frame)


ANALYSIS = Analysis(
    name="ranked_alike",
    title="Agreement of rankings by question",
    answers="Which questions rank texts and systems similarly, across methods?",
    assumes="Topics are a random sample.",
    reads=Reads.SCORES,
    applies=is_scored,
    function=ranked_alike,
    least=2,
    columns={
        "units": Column(form=NumberFormat.WHOLE, meaning=marked("texts or systems ranked by both")),
    },
    published=False,
)
