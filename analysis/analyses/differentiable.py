"""Agreement on items with and without a clear majority."""

from analysis.analyses.agreement import numbers_of, votes_of
from analysis.analyses.conditions import to_pairs
from analysis.inputs.analysis_input import AnalysisInput, Tables, table_of
from analysis.inputs.columns import COUNT
from analysis.inputs.definition import Analysis, Reads
from analysis.stats.agreement.differentiability import differentiability, split_agreement


def differentiable(data: AnalysisInput) -> Tables:
    """Return alpha of each question on the items with a clear majority, and on the others."""
    measures = {measure.key: measure for measure in data.measures}
    by_question = {
        str(question): votes_of(frame, measures[str(question)])
        for question, frame in data.counted.groupby("question", sort=False)
    }
    split = differentiability(by_question)
    rows = []
    for question, votes in by_question.items():
        result = split_agreement(
            votes, split, level=measures[question].level, draws=data.draws,
            confidence=data.confidence, seed=data.seed,
        )  # fmt: skip
        for part, alpha, reason in (
            ("differentiable", result.differentiable, result.differentiable_reason),
            ("others", result.others, result.others_reason),
        ):
            numbers = numbers_of(alpha) if alpha else [None] * 5
            rows.append([question, part, *numbers, reason])
    columns = ("question", "part", "value", "low", "high", "items", "votes", "reason")
    sizes = [[len(split.differentiable), len(split.others), split.at_least, split.questions]]
    return {
        "parts": table_of(columns, rows),
        "split": table_of(("differentiable", "others", "at_least", "questions"), sizes),
    }


ANALYSIS = Analysis(
    name="differentiable",
    title="Majority strength",
    answers="Is agreement higher on items with a clear majority?",
    assumes="Nothing. The votes define the groups, so the comparison is descriptive.",
    reads=Reads.ALL_VOTES,
    applies=to_pairs,
    function=differentiable,
    columns={
        "differentiable": COUNT,
        "others": COUNT,
        "at_least": COUNT,
        "questions": COUNT,
    },
)
