"""Differences between systems by a mixed model of votes."""

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import scipy

from analysis.analyses.conditions import to_comparisons
from analysis.analyses.groups import UNNAMED
from analysis.inputs.analysis_input import AnalysisInput, Tables, table, table_of
from analysis.inputs.columns import (
    HIDDEN,
    INTERVAL,
    SHARE,
    TWO_DIGITS,
    Column,
    NumberFormat,
)
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.measures import Measure
from analysis.stats.arrays import Ints
from analysis.stats.bradley_terry.mixed import MixedResult, fit_mixed
from analysis.stats.bradley_terry.mixed_effects import (
    variance_components,
    vote_reliability,
    win_probability,
)
from analysis.stats.bradley_terry.mixed_votes import MixedVotes
from analysis.stats.bradley_terry.next_by_topic import next_by_topic
from analysis.stats.design_checks import (
    LEAST_UNITS,
    LEAST_WORKERS,
    NOT_ENOUGH,
    at_least,
)
from analysis.stats.effects.equivalence import equivalence
from analysis.stats.effects.sweeps import sweeps_of
from analysis.stats.errors import CannotCompute
from analysis.stats.labels.worker_copies import counted_once
from annotation.texts.sentences import marked
from judging.items.kinds import KINDS, Holds

OUTCOMES: dict[Hashable, int] = {1: 1, 0: 0, -1: -1}


def _systems_not_comparable(reason: str) -> CannotCompute:
    return CannotCompute(
        "systems_not_comparable", f"The mixed model cannot compare the systems: {reason}."
    )


def to_compared_responses(measure: Measure) -> bool:
    """Return whether it compares two texts that have systems; passages have none."""
    if not to_comparisons(measure):
        return False
    return all(slot.holds == Holds.RESPONSE for slot in KINDS[measure.kind].slots if slot.drawn)


def mixed(data: AnalysisInput) -> Tables:
    """Return the mixed model of counted votes and its consequences. Raises CannotCompute."""
    frame = compared_votes(data)
    check_compared(frame, data.names)
    votes = MixedVotes.from_frame(frame, outcomes=OUTCOMES)
    result = fit_mixed(votes, confidence=data.confidence)
    per_item = len(frame) / frame["item"].nunique()
    return {
        "differences": table(_differences(result, float(data.setting("margin")))),
        "systems": table(_systems(result)),
        "reliability": _reliability(result, frame["item"].nunique(), per_item),
        "components": _components(result),
        "variance": _variance(result),
        "next_votes": table(next_by_topic(result)),
    }


def compared_votes(data: AnalysisInput) -> pd.DataFrame:
    """Return votes as MixedVotes reads them; people and models count as systems of a response."""
    responses = data.responses
    assert responses is not None  # Reads.VOTES_ON_RESPONSES or VOTES_ON_TEXTS
    systems = responses["system"].fillna(responses["origin"].map(UNNAMED))
    system = dict(zip(responses["response"], systems, strict=True))
    frame = counted_once(data.counted)
    first = {shown: str(shown).split(",")[0] for shown in frame["shown"].unique()}
    left = frame["shown"].map(first)
    return pd.DataFrame(
        {
            "item": frame["item"],
            "topic": frame["topic"],
            "a": frame["a"],
            "b": frame["b"],
            "worker": frame["worker"],
            "outcome": frame["value"].map(data.measure.outcomes),
            "left": left.where(left.isin(["a", "b"])),  # else nobody knows
            "system_a": frame["a"].map(system),
            "system_b": frame["b"].map(system),
        }
    )


def check_compared(frame: pd.DataFrame, names: Mapping[str, str]) -> None:
    """Raise CannotCompute where a sentence is more useful than a number; names: of systems."""
    systems, a, b = _both_sides(frame, names)
    if len(systems) < 2:
        raise _systems_not_comparable(
            f"all responses are by one system, {systems[0]}" if systems else "there are no votes"
        )
    lacking = [
        at_least(least, name, number)
        for name, column, least in (
            ("topics", "topic", LEAST_UNITS),
            ("participants", "worker", LEAST_WORKERS),
        )
        if (number := frame[column].nunique()) < least
    ]
    if lacking:
        raise CannotCompute(
            "systems_not_comparable",
            f"{NOT_ENOUGH} the mixed model needs at least {' and '.join(lacking)}.",
        )
    joined = scipy.sparse.coo_array((np.ones(len(frame)), (a, b)), shape=(len(systems),) * 2)
    parts, part = scipy.sparse.csgraph.connected_components(joined, directed=False)
    if parts > 1:
        apart = next(name for name, group in zip(systems, part, strict=True) if group != part[0])
        raise _systems_not_comparable(
            f"{systems[0]} and {apart} are never compared, directly or through other systems"
        )
    _check_overlap(frame, systems, a, b)
    if not frame["outcome"].any():
        raise _systems_not_comparable("no vote prefers either text")


def _both_sides(frame: pd.DataFrame, names: Mapping[str, str]) -> tuple[list[str], Ints, Ints]:
    """Return the systems that votes compare, sorted, and the two of each vote by number.

    Systems have their names, or, where two have the same, their keys.
    """
    both = pd.concat([frame["system_a"], frame["system_b"]], ignore_index=True)
    code, keys = pd.factorize(both)
    if len(set(names.values())) < len(names):
        names = {}
    place, systems = pd.factorize(
        np.array([names.get(key, key) for key in keys], object), sort=True
    )
    a, b = place[code].reshape(2, -1)
    return systems.tolist(), a, b


def _check_overlap(frame: pd.DataFrame, systems: list[str], a: Ints, b: Ints) -> None:
    """Raise CannotCompute where some systems win all votes: no finite difference fits best."""
    outcome = frame["outcome"].to_numpy()
    wins, losses = outcome >= 0, outcome <= 0
    edges = np.r_[a[wins], b[losses]], np.r_[b[wins], a[losses]]
    beats = scipy.sparse.coo_array((np.ones(len(edges[0])), edges), shape=(len(systems),) * 2)
    parts, part = scipy.sparse.csgraph.connected_components(beats, connection="strong")
    if parts == 1:
        return
    names = np.array(systems, dtype=object)
    sweep = next(iter(sweeps_of(frame.assign(first=names[a], second=names[b])).values()), None)
    if len(systems) == 2 and sweep and sweep.shows_winner:
        claim = sweep.claim(winner=str(sweep.winner)).removesuffix(".")
        raise _systems_not_comparable(f"their difference is infinite: {claim}")
    beaten = {
        part[loser] for winner, loser in zip(*edges, strict=True) if part[winner] != part[loser]
    }
    first_part = min(set(part) - beaten)
    top = [name for name, k in zip(systems, part, strict=True) if k == first_part]
    raise _systems_not_comparable(
        f"their difference is infinite: all votes between {' or '.join(top)} and the other "
        f"systems prefer {' or '.join(top)}"
    )


def _differences(result: MixedResult, margin: float) -> pd.DataFrame:
    """Return one row for each pair of systems, the better one first."""
    order = np.argsort(-result.systems_merit, kind="stable")
    ordered = [result.votes.systems[k] for k in order]
    pairs = list(combinations(ordered, 2))
    adjusted = result.adjusted(pairs)
    rows = [
        _difference(result, *pair, margin, family=len(pairs), p_adjusted=p)
        for pair, p in zip(pairs, adjusted.tolist(), strict=True)
    ]
    frame = pd.DataFrame(rows)
    frame.insert(list(frame).index("p") + 1, "p_adjusted", adjusted)
    frame.insert(list(frame).index("p") + 2, "q", scipy.stats.false_discovery_control(frame["p"]))
    return frame


def _difference(
    result: MixedResult, system: Any, other: Any, margin: float, *, family: int, p_adjusted: float
) -> dict[str, Any]:
    wins = win_probability(result, system, other)
    verdict = equivalence(
        wins.difference[0],
        result.error(system, other),
        margin=margin,
        freedom=result.freedom,
        confidence=result.confidence,
        family=family,
        p_adjusted=p_adjusted,
    )
    named = {"difference": wins.difference, "vote": wins.votes, "better": wins.better}
    row: dict[str, Any] = {"system": system, "other": other}
    for name, (value, low, high) in named.items():
        ends = ("low", "high") if name == "difference" else (f"{name}_low", f"{name}_high")
        row |= {name: value, ends[0]: low, ends[1]: high}
    return row | {
        "finding": verdict.sentence,
        "within": verdict.within,
        "margin": margin,
        "p": verdict.p_different,
        "p_equivalent": verdict.p_equivalent,
        "topics": wins.topics,
        "workers": wins.workers,
        "votes": wins.n,
    }


def _systems(result: MixedResult) -> pd.DataFrame:
    """Return the merits of systems, their mean 0, the best first."""
    votes, merit = result.votes, result.systems_merit
    half = np.sqrt(result.systems_covariance.diagonal()) * result.critical
    sides = [votes.system[votes.a], votes.system[votes.b]]
    G = len(votes.systems)
    frame = pd.DataFrame(
        {
            "system": list(votes.systems),
            "merit": merit,
            "low": merit - half,
            "high": merit + half,
            "responses": np.bincount(votes.system, minlength=G),
            "votes": np.bincount(np.concatenate(sides), minlength=G),
        }
    )
    return frame.sort_values("merit", ascending=False, kind="stable", ignore_index=True)


def _reliability(result: MixedResult, items: int, votes_per_item: float) -> dict[str, Any]:
    reliability = vote_reliability(result)
    enough = reliability.votes_for(0.8)
    return table_of(
        ("single", "votes_per_item", "reliability", "votes_for_80", "items", "votes"),
        [
            [
                reliability.single,
                votes_per_item,
                reliability.of(votes_per_item),
                float(np.ceil(enough)) if np.isfinite(enough) else None,
                items,
                len(result.votes),
            ]
        ],
    )


def _components(result: MixedResult) -> dict[str, Any]:
    components, votes = result.components, result.votes
    side: Sequence[float | None] = result.side or (None, None, None)
    return table_of(
        (
            "response", "system_topic", "lean", "habit", "discrimination", "side", "side_low",
            "side_high", "tie_parameter", "topics", "workers", "responses", "votes", "converged",
            "component_topics",
        ),
        [
            [
                components.response,
                components.system_topic,
                components.lean,
                components.habit,
                components.discrimination,
                *side,
                result.tie_parameter,
                len(votes.topics),
                len(votes.workers),
                len(votes.responses),
                len(votes),
                result.converged,
                result.component_topics,
            ]
        ],
    )  # fmt: skip


def _variance(result: MixedResult) -> dict[str, Any]:
    """Return the share of each part in the variance of a vote, in logits."""
    parts = variance_components(result)
    whole = sum(parts.values())
    names = [name.replace("'", "").replace(" ", "_") for name in parts]
    return table_of(names, [[part / whole for part in parts.values()]])


ANALYSIS = Analysis(
    name="mixed",
    title="Systems by a mixed model of votes",
    answers="How much better is one system than another, for new topics, texts and participants?",
    assumes="Topics, texts and participants are random samples with normally distributed effects.",
    reads=Reads.VOTES_ON_RESPONSES,
    applies=to_compared_responses,
    function=mixed,
    columns={
        "other": Column("Over", meaning=marked("the other system")),
        "vote": Column("A vote", NumberFormat.SHARE, interval=("vote_low", "vote_high")),
        "better": Column("Better text", NumberFormat.SHARE, interval=("better_low", "better_high")),
        "within": Column("Smallest margin", NumberFormat.TWO),
        "margin": HIDDEN,
        "p_equivalent": Column("p (equivalent)", NumberFormat.CHANCE),
        "merit": Column("Strength", NumberFormat.TWO, interval=INTERVAL),
        "single": Column("One vote", NumberFormat.TWO),
        "votes_per_item": Column("Votes per item", NumberFormat.TWO),
        "reliability": Column("These votes", NumberFormat.TWO),
        "votes_for_80": Column("Votes for .8", NumberFormat.WHOLE),
        "response": Column("Answers", NumberFormat.TWO),
        "system_topic": Column("Systems in topics", NumberFormat.TWO),
        "lean": Column("Participants’ leanings", NumberFormat.TWO),
        "habit": Column("Participants’ side habits", NumberFormat.TWO),
        "discrimination": TWO_DIGITS,
        "side": Column("Left side", NumberFormat.TWO, interval=("side_low", "side_high")),
        "tie_parameter": Column("Ties", NumberFormat.TWO),
        "converged": HIDDEN,
        "component_topics": HIDDEN,
    },
    published=False,
    table_columns={
        "variance": {
            "systems": SHARE,
            "responses": Column("Answers", NumberFormat.SHARE),
            "systems_in_topics": SHARE,
            "workers_leanings": Column("Participants’ leanings", NumberFormat.SHARE),
            "workers_sides": Column("Participants’ side habits", NumberFormat.SHARE),
            "chance": SHARE,
        }
    },
)
