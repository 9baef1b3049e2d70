"""Correlation of BLEU and ROUGE against the best text of a topic with scores."""

from analysis.analyses.texts import UNDEFINED, without_interval
from analysis.inputs.analysis_input import AnalysisInput, Tables, table, table_of
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.scorers import is_scored
from analysis.stats.text.references import reference_based


def references(data: AnalysisInput) -> Tables:
    """Return BLEU and ROUGE-L against the best response of a topic, correlated with the scores."""
    assert data.texts is not None  # Reads.SCORED_TEXTS brings them
    scores = data.frame.rename(columns={"question": "dimension", "value": "grade"})
    result = reference_based(
        data.texts[["response", "topic", "text"]],
        scores[["response", "dimension", "grade"]],
        bootstrap=data.bootstrap,
    )
    tables = {"references": table(result.frame)}
    return tables | {"undefined": table_of(UNDEFINED, list(without_interval(tables)))}


ANALYSIS = Analysis(
    name="references",
    title="Similarity to a reference",
    answers=(
        "Does similarity to the best text (BLEU, ROUGE) rank the other texts in the same order?"
    ),
    assumes="The best text is a fair reference.",
    reads=Reads.SCORED_TEXTS,
    applies=is_scored,
    function=references,
)
