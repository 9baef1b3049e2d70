"""Responses of people and of models on the same topics."""

from analysis.analyses.groups import scored
from analysis.inputs.analysis_input import AnalysisInput, Tables, table, table_of
from analysis.inputs.columns import INTERVAL, PAIRED_T, Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.scorers import is_scored
from analysis.stats.effects.paired import paired_family
from analysis.stats.errors import CannotCompute
from annotation.texts.sentences import marked

PAIRED = (
    "test", "n", "zeros", "difference", "low", "high", "t", "t_p", "t_q", "d_z", "d_z_low",
    "d_z_high", "w", "w_p", "w_q", "rank_biserial", "rank_biserial_low", "rank_biserial_high",
)  # fmt: skip


# In most studies: a summary does not list it as missing.
ONE_ORIGIN = "People and models cannot be compared because all responses have the same origin."
FAMILIES = {"by_style": "by style", "over_all": "over all styles"}


def origins(data: AnalysisInput) -> Tables:
    """Return tests of people against models on the same topics.

    Two families of tests, each corrected by itself: one test a question and style, and one a
    question over all styles.
    """
    frame = scored(data)
    if not {"human", "llm"} <= set(frame["origin"]):
        raise CannotCompute("one_origin_only", ONE_ORIGIN)
    by_style = frame.assign(test=frame["question"] + ", " + frame["style"])
    tables, undefined = {}, []
    for name, rows in (("by_style", by_style), ("over_all", frame.assign(test=frame["question"]))):
        means = rows.pivot_table(
            index=["test", "topic"], columns="origin", values="value"
        ).reset_index()
        long = means.rename(columns={"human": "first", "llm": "second"})
        if {"first", "second"} <= set(long):
            long = long.dropna(subset=["first", "second"])
        family = paired_family(long, family=FAMILIES[name], confidence=data.confidence)
        undefined += [[name, str(test), why] for test, why in family.refused.items()]
        lacking = family.frame[family.frame["why"] != ""]
        undefined += [
            [name, *test_and_reason]
            for test_and_reason in lacking[["test", "why"]].to_numpy().tolist()
        ]
        tables[name] = table(family.frame[list(PAIRED)])
    return tables | {"undefined": table_of(("family", "test", "reason"), undefined)}


ANALYSIS = Analysis(
    name="origins",
    title="People and models",
    answers="On the same topics, who writes better answers, people or models?",
    assumes="Topics are independent; the signed-rank test needs symmetric differences.",
    reads=Reads.SCORES,
    applies=is_scored,
    function=origins,
    columns={
        "difference": Column(meaning=marked("models minus people"), interval=INTERVAL),
        "zeros": Column("Equal", NumberFormat.WHOLE),
        "t": Column("t", NumberFormat.TWO, PAIRED_T),
        "t_p": Column("p (t)", NumberFormat.CHANCE, marked("paired t-test p-value")),
        "t_q": Column("q (t)", NumberFormat.CHANCE, marked("paired t-test q-value")),
        "d_z": Column("Cohen's d_z",
                      meaning=marked("difference divided by the standard deviation of "
                                     "differences"),
                      interval=("d_z_low", "d_z_high")),
        "w": Column("W", NumberFormat.TWO, marked("Wilcoxon signed-rank statistic")),
        "w_p": Column("p (W)", NumberFormat.CHANCE, marked("Wilcoxon signed-rank p-value")),
        "w_q": Column("q (W)", NumberFormat.CHANCE, marked("Wilcoxon signed-rank q-value")),
        "rank_biserial": Column("Rank-biserial",
            meaning=marked("effect size: 1 if all differences favour models, −1 if none"),
            interval=("rank_biserial_low", "rank_biserial_high")),
    },
)  # fmt: skip
