"""Which systems, and which styles, have the better responses, and which of them differ?"""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from analysis.analyses.described import (
    COUNT,
    SHARE,
    TWO_DIGITS,
    Analysis,
    P,
    Panel,
    Reads,
    Shown,
)
from analysis.inputs.asked import Asked, Tables, table, table_of
from analysis.inputs.scores import is_scored
from analysis.plots import Estimate
from analysis.plots.offered import merits, wins
from analysis.results.figures import DIGITS, ROWS_IN_ONE, Figure, figure
from analysis.results.found import Found
from analysis.results.pages.responses import compared_context
from analysis.stats.effects.group_means import group_means
from analysis.stats.errors import CannotCompute

# What responses without a system are called.
UNNAMED = {"human": "human writers", "llm": "LLM writers"}


def scored(asked: Asked) -> pd.DataFrame:
    """Scores with what is known of their responses: question, topic, response, value, style, ..."""
    responses = asked.responses
    assert responses is not None  # Reads.SCORES brings them
    frame = asked.frame[["question", "response", "value"]].merge(responses, on="response")
    frame["system"] = frame["system"].fillna(frame["origin"].map(UNNAMED))
    return frame


def groups(asked: Asked) -> Tables:
    """Mean scores of systems and of styles by origin, with letters; P(row ahead of column)."""
    frame = scored(asked)
    frame["style, origin"] = frame["style"] + ", " + frame["origin"]
    means, ahead, undefined = [], [], []
    for by in ("system", "style, origin"):
        for question, rows in frame.groupby("question", sort=False):
            long = rows.rename(columns={by: "group"})
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


MANY_GROUPS = 40  # a win matrix with more has cells that nobody can read


def figures(found: Found) -> Iterator[Figure]:
    question = found.headline
    for by, what in (("system", "systems"), ("style, origin", "styles")):
        rows = found.records("groups", "means", by=by, question=question)
        if rows and len(rows) <= ROWS_IN_ONE:
            yield _group_means(found, rows, what)
    rows = found.records("groups", "means", by="system", question=question)
    pairs = found.records("groups", "ahead", by="system", question=question)
    if 3 <= len(rows) <= MANY_GROUPS:
        names = [row["group"] for row in rows]
        chance = {(row["group"], row["other"]): row["ahead"] for row in pairs}
        cells = [[chance.get((one, other)) for other in names] for one in names]
        yield figure(
            lambda title, width: wins(names, cells, title=title, width=width),
            title=f"Who is ahead of whom: {found.words.of(question)}",
            caption="Share of draws of topics in which the mean "
            f"{found.called(question)} of the row is the higher.",
        )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)


def _group_means(found: Found, rows: list[dict[str, Any]], what: str) -> Figure:
    labelled = [
        Estimate(
            f"{found.words.of(row['group'])} ({row['letters']})",
            round(row["mean"], DIGITS),
            _rounded(row["low"]),
            _rounded(row["high"]),
            int(row["responses"]),
        )
        for row in rows
    ]
    name = found.called(rows[0]["question"])
    return figure(
        lambda title, width: merits(
            labelled, title=title, axis=f"mean {name}", width=width, confidence=found.confidence
        ),
        title=f"Mean {name} of {what}: {found.words.of(rows[0]['question'])}",
        caption="With the interval over topics. Those that share a letter do not differ clearly.",
    )


ANALYSIS = Analysis(
    name="groups",
    title="Systems and styles",
    answers="Which systems, and which styles, have better responses, and which of them differ?",
    assumes="Topics are independent draws from those one wants to speak about.",
    reads=Reads.SCORES,
    applies=is_scored,
    function=groups,
    part="systems",
    lede="Mean {scores}. Brackets hold the {percent} interval from topics drawn anew. Groups that "
    "share a letter do not differ clearly.",
    columns={
        "mean": TWO_DIGITS,
        "responses": COUNT,
        "topics": COUNT,
        "ahead": SHARE,
        "p": P,
    },
    tables={
        "means": Shown(
            "Mean {scores_called}, one a row",
            folded=True,
            note="Groups that share a letter do not differ clearly, at a false discovery rate "
            "of 5 %.",
        ),
        "ahead": Shown("Each against each", folded=True),
    },
    figures=figures,
    panel=Panel(below="console/_compared.html", context=compared_context),
)
