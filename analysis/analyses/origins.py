"""On the same topics, do people or models have the better responses?"""

from collections.abc import Iterator

from analysis.analyses.described import Analysis, Column, Display, Form, N, Reads
from analysis.analyses.groups import scored
from analysis.inputs.asked import Asked, Tables, table, table_of
from analysis.inputs.scores import is_scored
from analysis.pages.results.figures import Figure, by_question, figure
from analysis.pages.results.found import Found
from analysis.plots import Reference, forest
from analysis.stats.designs import LEAST_UNITS
from analysis.stats.effects.paired import paired_family
from analysis.stats.errors import CannotCompute

PAIRED = (
    "test", "n", "zeros", "difference", "low", "high", "t", "t_p", "t_q", "d_z", "d_z_low",
    "d_z_high", "w", "w_p", "w_q", "rank_biserial", "rank_biserial_low", "rank_biserial_high",
)  # fmt: skip


FEW_TOPICS = f" Where there are fewer than {LEAST_UNITS}, there is no interval."


FAMILIES = {"by_style": "by style", "over_all": "over all styles"}


class NotBoth(CannotCompute):
    def __init__(self) -> None:
        super().__init__(
            "People and models cannot be compared because all responses are by people, or all "
            "by models."
        )


def origins(asked: Asked) -> Tables:
    """People against models on the same topics, by question and style and over all styles.

    Two families of tests, each corrected for itself: one test a question and style, and one a
    question over all styles.
    """
    frame = scored(asked)
    if not {"human", "llm"} <= set(frame["origin"]):
        raise NotBoth
    by_style = frame.assign(test=frame["question"] + ", " + frame["style"])
    tables, undefined = {}, []
    for name, rows in (("by_style", by_style), ("over_all", frame.assign(test=frame["question"]))):
        means = rows.pivot_table(
            index=["test", "topic"], columns="origin", values="value"
        ).reset_index()
        long = means.rename(columns={"human": "first", "llm": "second"})
        if {"first", "second"} <= set(long):
            long = long.dropna(subset=["first", "second"])
        found = paired_family(long, family=FAMILIES[name], confidence=asked.confidence)
        undefined += [[name, str(test), why] for test, why in found.refused.items()]
        lacking = found.frame[found.frame["why"] != ""]
        undefined += [[name, *said] for said in lacking[["test", "why"]].to_numpy().tolist()]
        tables[name] = table(found.frame[list(PAIRED)])
    return tables | {"undefined": table_of(("family", "test", "reason"), undefined)}


def figures(found: Found) -> Iterator[Figure]:
    tests = {row["test"]: row for row in found.records("origins", "over_all")}
    rows = [tests[key] | {"question": key} for key in found.words.questions if key in tests]
    if rows:
        few = any((row["n"] or 0) < LEAST_UNITS for row in rows)
        yield figure(
            lambda title, width: forest(
                by_question(found, rows, "difference", "n"),
                title=title,
                axis=f"models minus people, in {found.scores_called}",
                references=[Reference(0.0, "no difference")],
                width=width,
                confidence=found.confidence,
            ),
            title="Models minus people",
            caption=f"Mean difference of {found.scores_called} on the same topics; n is the number "
            "of topics." + FEW_TOPICS * few,
        )


ANALYSIS = Analysis(
    name="origins",
    title="People and models",
    answers="On the same topics, do people or models have the better responses?",
    assumes="Topics are independent draws; differences are symmetric for the signed-rank test.",
    reads=Reads.SCORES,
    applies=is_scored,
    function=origins,
    part="systems",
    place=1,
    lede="Tests and {percent} intervals are over topics, and take those who judged as given; for "
    "other workers too, read the differences of systems.",
    columns={
        "n": N,
        "zeros": Column("Equal", Form.WHOLE),
        "t": Column("t", Form.TWO),
        "t_p": Column("p (t)", Form.CHANCE),
        "t_q": Column("q (t)", Form.CHANCE),
        "d_z": Column("Cohen’s d_z"),
        "w": Column("W", Form.TWO),
        "w_p": Column("p (W)", Form.CHANCE),
        "w_q": Column("q (W)", Form.CHANCE),
        "rank_biserial": Column("Rank-biserial"),
    },
    tables={
        "over_all": Display(
            "Over all styles",
            note="Models minus people. q is the p-value corrected for the number of tests "
            "(Benjamini "
            "and Hochberg).",
        ),
        "by_style": Display("By style", folded=True),
    },
    figures=figures,
)
