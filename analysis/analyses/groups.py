"""Which systems, and which styles, have the better responses, and which of them differ?"""

import pandas as pd

from analysis.inputs.asked import Asked, Tables, table, table_of
from analysis.stats.effects.group_means import group_means
from analysis.stats.effects.paired import paired_family
from analysis.stats.errors import CannotCompute

PAIRED = (
    "test", "n", "zeros", "difference", "low", "high", "t", "t_p", "t_q", "d_z", "d_z_low",
    "d_z_high", "w", "w_p", "w_q", "rank_biserial", "rank_biserial_low", "rank_biserial_high",
)  # fmt: skip


# What responses without a system are called.
UNNAMED = {"human": "human writers", "llm": "LLM writers"}


def graded(asked: Asked) -> pd.DataFrame:
    """Grades with what is known of their responses: question, topic, response, grade, style, ..."""
    responses = asked.responses
    assert responses is not None  # Reads.GRADES brings them
    frame = asked.frame[["question", "response", "grade"]].merge(responses, on="response")
    frame["system"] = frame["system"].fillna(frame["origin"].map(UNNAMED))
    return frame


def groups(asked: Asked) -> Tables:
    """Mean grades of systems and of styles by origin, with letters; P(row ahead of column)."""
    frame = graded(asked)
    frame["style, origin"] = frame["style"] + ", " + frame["origin"]
    means, ahead, undefined = [], [], []
    for by in ("system", "style, origin"):
        for question, rows in frame.groupby("question", sort=False):
            long = rows.rename(columns={by: "group", "grade": "value"})
            try:
                found = group_means(
                    long[["topic", "group", "value"]],
                    draws=asked.draws,
                    confidence=asked.confidence,
                    seed=asked.seed,
                )
            except CannotCompute as reason:
                undefined.append([by, question, str(reason)])
                continue
            means.append(found.frame().assign(by=by, question=question))
            ahead += [
                [by, question, one, other, float(found.ahead[i, j]), float(found.p[i, j])]
                for i, one in enumerate(found.groups)
                for j, other in enumerate(found.groups)
                if i != j
            ]
    return {
        "means": table(pd.concat(means, ignore_index=True)) if means else table_of((), []),
        "ahead": table_of(("by", "question", "group", "other", "ahead", "p"), ahead),
        "undefined": table_of(("by", "question", "reason"), undefined),
    }


def origins(asked: Asked) -> Tables:
    """People against models on the same topics, by question and style and over all styles.

    Two families of tests, each corrected for itself: one test a question and style, and one a
    question over all styles.
    """
    frame = graded(asked)
    by_style = frame.assign(test=frame["question"] + ", " + frame["style"])
    tables, undefined = {}, []
    for name, rows in (("by_style", by_style), ("over_all", frame.assign(test=frame["question"]))):
        means = rows.pivot_table(
            index=["test", "topic"], columns="origin", values="grade"
        ).reset_index()
        long = means.rename(columns={"human": "first", "llm": "second"})
        if {"first", "second"} <= set(long):
            long = long.dropna(subset=["first", "second"])
        found = paired_family(
            long,
            family=name.replace("_", " "),
            confidence=asked.confidence,
            draws=asked.draws,
            seed=asked.seed,
        )
        undefined += [[name, str(test), why] for test, why in found.refused.items()]
        tables[name] = table(found.frame[list(PAIRED)])
    return tables | {"undefined": table_of(("family", "test", "reason"), undefined)}
