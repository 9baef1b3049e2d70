"""Which systems, and which styles, have the better responses, and which of them differ?"""

from collections.abc import Iterator
from typing import Any

import pandas as pd

from analysis.analyses.described import (
    COUNT,
    SHARE,
    TWO_DIGITS,
    Analysis,
    Column,
    Display,
    Form,
    P,
    Panel,
    Reads,
)
from analysis.analyses.group_worth import worth_by
from analysis.inputs.asked import Asked, Tables, table, table_of
from analysis.inputs.scores import is_scored
from analysis.pages.results.figures import DIGITS, ROWS_IN_ONE, Figure, figure
from analysis.pages.results.found import Found
from analysis.pages.results.pages.responses import compared_context
from analysis.plots import Estimate, empty, forest, matrix
from analysis.stats.effects.crossed_means import OVER_TOPICS, CrossedMeans, crossed_means
from analysis.stats.effects.group_means import group_means
from analysis.stats.errors import CannotCompute

# What responses without a system are called.
UNNAMED = {"human": "human writers", "llm": "LLM writers"}
BY = ("system", "style, origin")
FAMILY = (
    "One family of tests is all compared pairs of systems on one question, and another all pairs "
    "of styles: q is p corrected over the family (Benjamini and Hochberg). Groups that share a "
    "letter were compared and do not differ at a false discovery rate of 5 %."
)
MEANS = (
    "group", "mean", "low", "high", "letters", "responses", "topics", "workers", "over", "by",
    "question", "why",
)  # fmt: skip
PAIRS = (
    "by", "question", "group", "other", "difference", "low", "high", "ahead", "p", "q", "topics",
    "workers", "over", "why",
)  # fmt: skip


def scored(asked: Asked) -> pd.DataFrame:
    """Scores with what is known of their responses: question, topic, response, value, style, ..."""
    responses = asked.responses
    assert responses is not None  # Reads.SCORES brings them
    frame = asked.frame[["question", "response", "value"]].merge(responses, on="response")
    frame["system"] = frame["system"].fillna(frame["origin"].map(UNNAMED))
    return frame


def groups(asked: Asked) -> Tables:
    """Mean scores of systems and of styles by origin, with letters; each against each."""
    frame = scored(asked)
    frame["style, origin"] = frame["style"] + ", " + frame["origin"]
    if asked.as_published:
        return _as_published(frame, asked)
    means, pairs, undefined = [], [], []
    for question, rows in frame.groupby("question", sort=False):
        try:
            worth = worth_by(str(question), asked)
        except CannotCompute as reason:
            undefined.append(["", question, "", "", "", str(reason)])
            continue
        undefined += [["", question, topics, "", "", why] for topics, why in worth.left_out]
        for by in BY:
            long = rows.rename(columns={by: "group"})
            values, changes = worth.of(long)
            if values.empty:
                continue
            found = crossed_means(values, changes, confidence=asked.confidence)
            sizes = long.groupby("group").size()
            means.append(
                found.means.assign(
                    responses=found.means["group"].map(sizes), by=by, question=question
                )
            )
            pairs.append(_both_ways(found.differences).assign(by=by, question=question))
            undefined += [[by, str(question), "", *each] for each in _not_compared(found)]
    return {
        "means": table(pd.concat(means)[[*MEANS]]) if means else table_of(MEANS, []),
        "ahead": table(pd.concat(pairs)[[*PAIRS]]) if pairs else table_of(PAIRS, []),
        "undefined": table_of(("by", "question", "topics", "group", "other", "reason"), undefined),
    }


def _not_compared(found: CrossedMeans) -> Iterator[tuple[str, str, str]]:
    """Yield group, other and reason of what was not compared.

    These are the groups without an interval, by name unless all share the reason, and the pairs of
    the others.
    """
    whys = found.means["why"]
    if len(set(whys)) == 1:
        yield from (("", "", why) for why in set(whys) if why)
    else:
        groups = zip(found.means["group"], whys, strict=True)
        yield from ((str(group), "", why) for group, why in groups if why)
    lacking = dict(zip(found.means["group"], whys, strict=True))
    pairs = found.differences
    for row in pairs[pairs["q"].isna()].itertuples():
        if not lacking[row.first] and not lacking[row.second]:
            yield str(row.first), str(row.second), str(row.why)


def _both_ways(pairs: pd.DataFrame) -> pd.DataFrame:
    """Each group against each other, in both directions."""
    here = pairs.rename(columns={"first": "group", "second": "other"})
    there = pairs.rename(columns={"first": "other", "second": "group"}).assign(
        difference=-pairs["difference"],
        low=-pairs["high"],
        high=-pairs["low"],
        ahead=1 - pairs["ahead"],
    )
    return pd.concat([here, there], ignore_index=True)


def _as_published(frame: pd.DataFrame, asked: Asked) -> Tables:
    """The same by a bootstrap of topics, with the scores of the published pipeline."""
    means, ahead, undefined = [], [], []
    for by in BY:
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


NOTHING_SHARED = "No two of them could be compared."
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
        yield _ahead(found, rows, pairs)


def _ahead(found: Found, rows: list[dict[str, Any]], pairs: list[dict[str, Any]]) -> Figure:
    """How surely each is ahead of each, or why that is known of none: what is lacking of the groups
    themselves comes before what is lacking of a pair."""
    question = found.headline
    title = f"Who is ahead of whom: {found.words.of(question)}"
    if all(row["ahead"] is None for row in pairs):
        reason = next((why for row in [*rows, *pairs] if (why := row.get("why"))), NOTHING_SHARED)
        return figure(
            lambda title, width: empty(reason, title=title, width=width),
            title=title,
            caption=reason,
        )
    names = [row["group"] for row in rows]
    chance = {(row["group"], row["other"]): row["ahead"] for row in pairs}
    cells = [[chance.get((one, other)) for other in names] for one in names]
    return figure(
        lambda title, width: matrix(
            [found.words.of_group(name) for name in names],
            cells,
            title=title,
            meaning="How surely the row is ahead; columns carry the rows’ numbers.",
            width=width,
        ),
        title=title,
        caption=f"How surely the mean {found.called(question)} of the row is the higher, "
        f"over {_over(pairs)}.",
    )


def _over(rows: list[dict[str, Any]]) -> str:
    """What intervals are over; a bootstrap drew topics."""
    return str(rows[0].get("over") or OVER_TOPICS)


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)


def _group_means(found: Found, rows: list[dict[str, Any]], what: str) -> Figure:
    labelled = [
        Estimate(
            _labelled(found.words.of_group(row["group"]), row),
            round(row["mean"], DIGITS),
            _rounded(row["low"]),
            _rounded(row["high"]),
            int(row["topics"]),
        )
        for row in rows
    ]
    name = found.called(rows[0]["question"])
    possible = found.possible(rows[0]["question"])
    return figure(
        lambda title, width: forest(
            labelled,
            title=title,
            axis=f"mean {name}",
            possible=possible,
            width=width,
            confidence=found.confidence,
        ),
        title=f"Mean {name} of {what}: {found.words.of(rows[0]['question'])}",
        caption=_caption(rows),
    )


def _labelled(name: str, row: dict[str, Any]) -> str:
    """Return the name with its letters, where it was compared."""
    is_compared = row["low"] is not None and row["letters"]
    return f"{name} ({row['letters']})" if is_compared else name


def _caption(rows: list[dict[str, Any]]) -> str:
    known = [row for row in rows if row["low"] is not None]
    if not known:  # why stands above, once
        return "n is the number of topics."
    said = f"With the interval over {_over(known)}; n is the number of topics."
    if any(row["letters"] for row in known):
        said += " Those that share a letter were compared and do not differ clearly."
    return said


ANALYSIS = Analysis(
    name="groups",
    title="Systems and styles",
    answers="Which systems, and which styles, have better responses, and which of them differ?",
    assumes="Topics and workers are independent draws from those one wants to speak about.",
    reads=Reads.VOTED_SCORES,
    applies=is_scored,
    function=groups,
    part="systems",
    lede="Mean {scores}. Where an interval could be computed, it is the {percent} interval for "
    "{drawn}, and groups that share a letter were compared and do not differ clearly.",
    columns={
        "mean": TWO_DIGITS,
        "responses": COUNT,
        "topics": COUNT,
        "ahead": SHARE,
        "difference": TWO_DIGITS,
        "workers": COUNT,
        "p": P,
        "q": Column("q", Form.CHANCE),
        "why": Column("No interval because"),
    },
    tables={
        "means": Display(
            "Mean {scores_called}, one a row",
            hidden=("why",),
            folded=True,
            note="The best first, by the topics that groups share. " + FAMILY,
        ),
        "ahead": Display(
            "Each against each",
            hidden=("p",),
            folded=True,
            note="In the topics that both are in. Ahead: how surely the first is. " + FAMILY,
        ),
    },
    figures=figures,
    panel=Panel(below="console/_compared.html", context=compared_context),
)
