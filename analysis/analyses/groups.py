"""Mean scores of systems and of styles, and the differences between them."""

from collections.abc import Iterator

import pandas as pd

from analysis.analyses.group_values import group_values
from analysis.inputs.analysis_input import AnalysisInput, Tables, table, table_of
from analysis.inputs.columns import INTERVAL, Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.scorers import is_scored
from analysis.stats.effects.crossed_means import CrossedMeans, crossed_means
from analysis.stats.effects.group_means import group_means
from analysis.stats.effects.sweeps import with_sweeps
from analysis.stats.errors import CannotCompute
from annotation.texts.sentences import marked

# What responses without a system are called.
UNNAMED = {"human": "human writers", "llm": "LLM writers"}
BY = ("system", "style, origin")
MEANS = (
    "group", "mean", "low", "high", "letters", "responses", "topics", "workers", "over", "about",
    "by", "question", "why",
)  # fmt: skip
PAIRS = (
    "by", "question", "group", "other", "difference", "low", "high", "ahead", "p", "p_adjusted",
    "q", "topics", "workers", "over", "about", "why",
)  # fmt: skip


def scored(data: AnalysisInput) -> pd.DataFrame:
    """Return scores with their responses: question, topic, response, value, style, ..."""
    responses = data.responses
    assert responses is not None  # Reads.SCORES brings them
    frame = data.frame[["question", "response", "value"]].merge(responses, on="response")
    frame["system"] = frame["system"].fillna(frame["origin"].map(UNNAMED))
    return frame


def groups(data: AnalysisInput) -> Tables:
    """Return mean scores of systems and of styles by origin, with letters, and all pairs."""
    frame = scored(data)
    frame["style, origin"] = frame["style"] + ", " + frame["origin"]
    if data.as_published:
        return _as_published(frame, data)
    means, pairs, undefined = [], [], []
    for question, rows in frame.groupby("question", sort=False):
        try:
            worth = group_values(str(question), data)
        except CannotCompute as reason:
            undefined.append(["", question, "", "", "", str(reason)])
            continue
        undefined += [["", question, topics, "", "", why] for topics, why in worth.left_out]
        for by in BY:
            long = rows.rename(columns={by: "group"})
            values, changes = worth.of(long)
            if values.empty:
                continue
            result = crossed_means(
                values, changes, confidence=data.confidence, sequential=data.sequential
            )
            result = with_sweeps(result, worth.sweeps(long))
            sizes = long.groupby("group").size()
            means.append(
                result.means.assign(
                    responses=result.means["group"].map(sizes), by=by, question=question
                )
            )
            pairs.append(_both_ways(result.differences).assign(by=by, question=question))
            if len(result.means) > 1 or by != BY[-1]:  # one style alone has nothing to compare
                undefined += [
                    [by, str(question), "", *missing] for missing in _not_compared(result)
                ]
    return {
        "means": table(pd.concat(means)[[*MEANS]]) if means else table_of(MEANS, []),
        "ahead": table(pd.concat(pairs)[[*PAIRS]]) if pairs else table_of(PAIRS, []),
        "undefined": table_of(("by", "question", "topics", "group", "other", "reason"), undefined),
    }


def _not_compared(result: CrossedMeans) -> Iterator[tuple[str, str, str]]:
    """Yield group, other and reason of missing comparisons.

    These are the groups without an interval, by name unless all share the reason, and the pairs of
    the others.
    """
    whys = result.means["why"]
    if len(set(whys)) == 1:
        yield from (("", "", why) for why in set(whys) if why)
    else:
        groups = zip(result.means["group"], whys, strict=True)
        yield from ((str(group), "", why) for group, why in groups if why)
    lacking = dict(zip(result.means["group"], whys, strict=True))
    pairs = result.differences
    for row in pairs[pairs["q"].isna()].itertuples():
        if not lacking[row.first] and not lacking[row.second]:
            yield str(row.first), str(row.second), str(row.why)


def _both_ways(pairs: pd.DataFrame) -> pd.DataFrame:
    forward = pairs.rename(columns={"first": "group", "second": "other"})
    backward = pairs.rename(columns={"first": "other", "second": "group"}).assign(
        difference=-pairs["difference"],
        low=-pairs["high"],
        high=-pairs["low"],
        ahead=1 - pairs["ahead"],
    )
    return pd.concat([forward, backward], ignore_index=True)


def _as_published(frame: pd.DataFrame, data: AnalysisInput) -> Tables:
    """Return the same by a bootstrap of topics, with the scores of the published pipeline."""
    means, ahead, undefined = [], [], []
    for by in BY:
        for question, rows in frame.groupby("question", sort=False):
            long = rows.rename(columns={by: "group"})
            try:
                result = group_means(
                    long[["topic", "group", "value"]],
                    draws=data.draws,
                    confidence=data.confidence,
                    seed=data.seed,
                )
            except CannotCompute as reason:
                undefined.append([by, question, str(reason)])
                continue
            means.append(result.frame().assign(by=by, question=question))
            ahead += [
                [by, question, group, other, float(result.ahead[i, j]), float(result.p[i, j])]
                for i, group in enumerate(result.groups)
                for j, other in enumerate(result.groups)
                if i != j
            ]
    return {
        "means": table(pd.concat(means, ignore_index=True)) if means else table_of((), []),
        "ahead": table_of(("by", "question", "group", "other", "ahead", "p"), ahead),
        "undefined": table_of(("by", "question", "reason"), undefined),
    }


ANALYSIS = Analysis(
    name="groups",
    title="Systems and styles",
    answers="Which systems and styles have better answers?",
    assumes="Topics are a random sample, and so are participants if there are at least 10.",
    reads=Reads.VOTED_SCORES,
    applies=is_scored,
    function=groups,
    sequential=("means", "ahead"),
    columns={
        "mean": Column(
            form=NumberFormat.TWO,
            meaning=marked("mean score over topics"),
            interval=INTERVAL,
        ),
        "letters": Column(meaning=marked("groups that share a letter don't differ clearly")),
        "ahead": Column(
            "Probability",
            NumberFormat.SHARE,
            marked("unadjusted probability that the first mean is higher"),
        ),
    },
)
