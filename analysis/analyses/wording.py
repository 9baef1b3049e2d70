"""Similarity of texts to the passages that they cite, and their readability."""

from analysis.analyses.texts import UNDEFINED, prose_of, without_interval
from analysis.inputs.analysis_input import AnalysisInput, Tables, table, table_of
from analysis.inputs.definition import Analysis, Reads, to_none
from analysis.stats.errors import CannotCompute
from analysis.stats.text.readability import readability
from analysis.stats.text.reuse import reuse


def wording(data: AnalysisInput) -> Tables:
    """Return BLEU of statements with what they cite, and Flesch reading ease."""
    prose, draws = prose_of(data)
    tables = {"readability": table(readability(prose, bootstrap=draws).summary)}
    undefined = []
    try:
        used = reuse(prose, sentences=True, bootstrap=draws)
        tables |= {
            "reuse": table(used.shares),
            "curves": table(used.curves),
            "distribution": table(used.distribution),
        }
    except CannotCompute as reason:
        undefined.append(["reuse", str(reason)])
    undefined += without_interval(tables)
    return tables | {"undefined": table_of(UNDEFINED, undefined)}


ANALYSIS = Analysis(
    name="wording",
    title="Reuse and readability",
    answers="How close is the wording to the cited passages, and how readable is it?",
    assumes="Texts are English; lines or sentences of a passage are alternative references.",
    reads=Reads.TEXTS,
    applies=to_none,
    function=wording,
)
