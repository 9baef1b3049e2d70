"""Scores by models compared with those by people."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from analysis.analyses.conditions import to_scores
from analysis.analyses.retrieval import levels_of, runs_of, to_passages
from analysis.inputs.analysis_input import AnalysisInput, Tables, table_of
from analysis.inputs.columns import (
    BESIDE_PEOPLE,
    HIDDEN,
    INTERVAL,
    PAIRED_T,
    TAU,
    Column,
    N,
    NumberFormat,
)
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.machine_calls import MODELS
from analysis.inputs.measures import Measure
from analysis.stats.design_checks import LEAST_UNITS, few_clusters
from analysis.stats.effects.families import holm
from analysis.stats.effects.method_comparison import (
    LEAST_GROUPS,
    LEAST_RANKED,
    NotTwoMeasures,
    bland_altman,
    rank_correlations,
)
from analysis.stats.effects.paired import NotPaired, paired_test
from analysis.stats.errors import CannotCompute
from analysis.stats.labels.worker_copies import counted_once
from analysis.stats.retrieval.mean_grades import mean_grades, qrels_from
from analysis.stats.retrieval.rankings import per_topic
from annotation.texts.sentences import marked
from judging.items.kinds import Holds, item_kind

COLUMNS = {
    "ranks": ("judge", "of", "units", "topics", "rho", "rho_low", "rho_high", "tau", "tau_low",
              "tau_high"),
    "paired": ("judge", "of", "topics", "score", "people_score", "difference", "low", "high", "t",
               "df", "p", "p_adjusted"),
    "limits": ("judge", "of", "units", "topics", "difference", "low", "high", "sd", "lower_limit",
               "lower_low", "lower_high", "upper_limit", "upper_low", "upper_high"),
    "means": ("judge", "of", "system", "units", "topics", "score", "people_score", "difference"),
    "spots": ("judge", "of", "mean", "difference", "units"),
    "undefined": ("judge", "table", "reason"),
}  # fmt: skip
ENDS_OF_LIMITS = ("lower_low", "lower_high", "upper_low", "upper_high")
Rows = Iterator[tuple[str, dict[str, Any]]]
ITEMS, TOPICS, SYSTEMS = "items", "means of topics", "means of systems"

NO_RANK_INTERVAL = (
    "An interval for rank correlations needs at least {least} topics (you have {topics})."
)
OF_TOPICS = (
    "Limits of agreement for single items have no interval because items of a topic are not "
    "independent. Use the limits for topic means."
)
OF_GRADES = (
    "Limits of agreement have no interval because differences of grades and of reciprocal "
    "ranks are not normal: the interval of Bland and Altman (1999) covered 79 to 97% of "
    "simulated studies instead of 95%."
)
NO_SYSTEM_INTERVAL = (
    "Rank correlations of systems have no interval because the systems are not a sample."
)
ALL_ALIKE = "The mean difference and the limits have no interval because all differences are equal."


def to_machine_scores(measure: Measure) -> bool:
    """Return whether models give a number for one thing."""
    return measure.pool == MODELS and to_scores(measure)


def score_pairs(data: AnalysisInput) -> Tables:
    """Return tables of each model beside people, on the items that both scored."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in COLUMNS}
    for judge, units in _judges(data):
        for name, row in _rows(units, bool(data.options), data.confidence):
            rows[name].append({"judge": judge, **row})
        for name, row in _of_rankings(data, judge) if len(units) else ():
            rows[name].append({"judge": judge, **row})
    if not any(rows.values()):
        raise CannotCompute(
            "no_common_scores",
            "Scores by models and people cannot be compared because no item has scores by both.",
        )
    for row, p in zip(rows["paired"], _holm(rows["paired"]), strict=True):
        row["p_adjusted"] = p
    return {
        name: table_of(columns, [[row.get(column) for column in columns] for row in rows[name]])
        for name, columns in COLUMNS.items()
    }


def _holm(rows: Sequence[dict[str, Any]]) -> list[float]:
    """Return the adjusted p of these tests, taken together."""
    return [float(p) for p in holm(np.array([row["p"] for row in rows], dtype=np.float64))]


def _judges(data: AnalysisInput) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield each model with its items: item, topic, system, score, people.

    Score and people are means of the answers of the model and of people.
    """
    assert data.beside is not None  # it reads judges beside people
    people = data.beside.people.groupby("item")["score"].mean().rename("people").dropna()
    systems = data.beside.texts.set_index("response")["system"].to_dict()
    subject = item_kind(data.measure.kind).subject
    for judge, answers in data.frame.groupby("worker", sort=True):
        units = answers.groupby("item").agg(topic=("topic", "first"), score=("score", "mean"))
        units = units.dropna(subset="score").join(people, how="inner")
        system = None
        if subject.holds == Holds.RESPONSE and subject.name in answers:
            text = answers.groupby("item")[subject.name].first()
            system = text.map(systems).reindex(units.index)
        yield str(judge), units.assign(system=system)


def _rows(units: pd.DataFrame, are_grades: bool, confidence: float) -> Rows:
    if units.empty:
        return
    by_topic = units.groupby("topic", as_index=False)[["score", "people"]].mean()
    topics = len(by_topic)
    yield from _ranked(ITEMS, units, topics, confidence)
    if topics < LEAST_GROUPS:
        why = NO_RANK_INTERVAL.format(least=LEAST_GROUPS, topics=topics)
        yield "undefined", {"table": "ranks", "reason": why}
    yield from _paired(ITEMS, by_topic, confidence)
    if are_grades:
        yield from _limits(ITEMS, units, topics, confidence, without=OF_GRADES)
    elif topics < len(units):
        yield from _limits(ITEMS, units, topics, confidence, without=OF_TOPICS)
        yield from _limits(TOPICS, by_topic, topics, confidence)
    else:
        yield from _limits(ITEMS, units, topics, confidence)
    yield from _by_system(ITEMS, SYSTEMS, units, confidence)


def _of_rankings(data: AnalysisInput, judge: str) -> Rows:
    """Yield rows of MRR by the model's grades of passages and by people's."""
    try:
        answers = data.frame[data.frame["worker"] == judge]
        for measure, units in _reciprocal_ranks(data, answers):
            by_topic = units.groupby("topic", as_index=False)[["score", "people"]].mean()
            yield from _paired(measure, by_topic, data.confidence)
            yield from _limits(measure, units, len(by_topic), data.confidence, without=OF_GRADES)
            yield from _by_system(measure, measure, units, data.confidence)
    except CannotCompute as reason:
        yield "undefined", {"table": "MRR", "reason": str(reason)}


def _reciprocal_ranks(
    data: AnalysisInput, ours_rows: pd.DataFrame
) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the name of MRR@k from each grade on, with its frame.

    The frame has one row a topic and system: score (by the model) and people. Only passages that
    both graded have a grade. Passages that are graded on points have none of these. Raises
    CannotCompute.
    """
    assert data.beside is not None  # it reads judges beside people
    if not to_passages(data.measure) or "criterion" in ours_rows or data.rankings is None:
        return
    theirs = data.beside.people.dropna(subset="score")
    ours_rows = ours_rows[ours_rows["item"].isin(theirs["item"])].dropna(subset="score")
    theirs = theirs[theirs["item"].isin(ours_rows["item"])]
    runs = runs_of(data, {*ours_rows["topic"]})
    grades = [mean_grades(counted_once(votes)) for votes in (ours_rows, theirs)]
    qrels = [qrels_from(grade) for grade in grades]
    for level in levels_of(data):
        for k in data.setting("cutoffs"):
            frames = []
            for system, run in runs.items():
                ours, others = (
                    per_topic(run, qrel, ["recip_rank"], level=level, depth=k) for qrel in qrels
                )
                frames.append(
                    ours[["topic"]].assign(
                        system=system, score=ours["value"], people=others["value"]
                    )
                )
            yield f"MRR@{k}, grade from {level}", pd.concat(frames, ignore_index=True)


def _ranked(scale: str, units: pd.DataFrame, topics: int | None, confidence: float) -> Rows:
    groups = None if topics is None else list(units["topic"])
    try:
        result = rank_correlations(
            units["score"], units["people"], groups=groups, confidence=confidence
        )
    except NotTwoMeasures as reason:
        yield "undefined", {"table": scale, "reason": str(reason)}
        return
    yield "ranks", {"of": scale, "units": result.n, "topics": topics, **vars(result)}


def _paired(scale: str, by_topic: pd.DataFrame, confidence: float) -> Rows:
    """Yield the paired test over topics, each by the mean of its items or systems."""
    try:
        result = paired_test(by_topic["people"], by_topic["score"], confidence=confidence)
    except NotPaired as reason:
        yield "undefined", {"table": scale, "reason": str(reason)}
        return
    if result.n < LEAST_UNITS:
        yield "undefined", {"table": scale, "reason": result.why}
    yield (
        "paired",
        {
            "of": scale,
            "topics": result.n,
            "score": by_topic["score"].mean(),
            "people_score": by_topic["people"].mean(),
            "difference": result.difference,
            "low": result.low,
            "high": result.high,
            "t": result.t,
            "df": result.n - 1,
            "p": result.t_p,
        },
    )


def _limits(
    scale: str, units: pd.DataFrame, topics: int, confidence: float, *, without: str = ""
) -> Rows:
    """Yield the limits of agreement; `without` is the reason why they have no interval."""
    try:
        result = bland_altman(
            units["score"], units["people"], groups=list(units["topic"]), confidence=confidence
        )
    except NotTwoMeasures as reason:
        yield "undefined", {"table": scale, "reason": str(reason)}
        return
    if result.sd == 0:
        yield "undefined", {"table": scale, "reason": ALL_ALIKE}
    elif topics < len(units) and topics < LEAST_UNITS:
        why = few_clusters("the mean difference", units=topics, workers=None, called="topics")
        yield "undefined", {"table": scale, "reason": why}
    ends: dict[str, float | None]
    ends = {"difference": result.bias, "low": result.bias_low, "high": result.bias_high}
    if without and result.sd:
        ends |= dict.fromkeys(ENDS_OF_LIMITS)
        yield "undefined", {"table": scale, "reason": without}
    yield "limits", {"of": scale, "units": result.n, "topics": topics, **vars(result), **ends}
    spots = pd.DataFrame(
        {
            "mean": ((units["score"] + units["people"]) / 2).round(9),
            "difference": (units["score"] - units["people"]).round(9),
        }
    )
    for row in spots.value_counts().rename("units").sort_index().reset_index().to_dict("records"):
        yield "spots", {"of": scale} | {str(name): value for name, value in row.items()}


def _by_system(scale: str, ranked: str, units: pd.DataFrame, confidence: float) -> Rows:
    """Yield the mean of each system over the topics that it has items in."""
    with_system = units.dropna(subset="system")
    if with_system.empty:
        return
    cells = with_system.groupby(["system", "topic"])[["score", "people"]].mean()
    means = cells.groupby("system").mean().reset_index()
    sizes, topics = (
        with_system.groupby("system").size(),
        with_system.groupby("system")["topic"].nunique(),
    )
    for row in means.sort_values("people", ascending=False).to_dict("records"):
        system, score, people = row["system"], row["score"], row["people"]
        yield (
            "means",
            {
                "of": scale,
                "system": system,
                "units": int(sizes[system]),
                "topics": int(topics[system]),
                "score": score,
                "people_score": people,
                "difference": score - people,
            },
        )
    yield from _ranked(ranked, means, None, confidence)
    if len(means) >= LEAST_RANKED:
        yield "undefined", {"table": ranked, "reason": NO_SYSTEM_INTERVAL}


ANALYSIS = Analysis(
    name="score_pairs",
    title="Scores by LLM judges and people",
    answers="How close are scores by LLM judges and people?",
    assumes="Topics are a random sample; limits of agreement assume normal differences of "
    "constant size.",
    reads=Reads.BESIDE_PEOPLE,
    applies=to_machine_scores,
    function=score_pairs,
    columns={
        "units": N,
        "rho": Column("Spearman's rho", interval=("rho_low", "rho_high")),
        "tau": replace(TAU, interval=("tau_low", "tau_high")),
        "score": Column("Mean by the judge"),
        "people_score": Column("Mean by people"),
        "difference": Column(meaning=BESIDE_PEOPLE, interval=INTERVAL),
        "t": Column("t", meaning=PAIRED_T),
        "df": Column("df", NumberFormat.WHOLE),
        "p_adjusted": Column(
            "Adjusted p",
            NumberFormat.CHANCE,
            marked("p-value, Holm-adjusted for all judges and scales of the question"),
        ),
        "lower_limit": Column(interval=("lower_low", "lower_high")),
        "upper_limit": Column(interval=("upper_low", "upper_high")),
        "mean": HIDDEN,
    },
    published=False,
)
