"""Rows of one LLM judge in the tables of the analysis of judges."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from analysis.analyses.judge_bench import ENDS, Bench, Rows, ends_of, measures_of_tables
from analysis.analyses.judge_likeness import LIKENESS, likeness
from analysis.analyses.judge_replacement import REPLACEMENT, replacement
from analysis.stats.errors import CannotCompute
from analysis.stats.judges import system_ranking
from analysis.stats.judges.agreement import judge_measure
from analysis.stats.judges.biases import Bias, clusters_of, share
from analysis.stats.judges.judge_comparison import Judge
from analysis.stats.judges.permutation_null import Null, habits_alone
from analysis.stats.judges.tables import further
from analysis.stats.judges.vote_worth import votes_worth

OF_ENDS = tuple(f"{name}{end}" for name in ENDS for end in ("", "_low", "_high"))
COLUMNS: Mapping[str, tuple[str, ...]] = {
    "agreement": ("judge", *OF_ENDS, "null", "null_low", "null_high", "p", "p_adjusted",
                  "over_person", "over_person_low", "over_person_high", "p_over_person",
                  "p_over_person_adjusted", "items", "over"),
    "ceiling": ("against", *OF_ENDS, "items", "workers", "over"),
    "parts": ("judge", "by", "part", "accuracy", "low", "high", "items"),
    "habits": ("judge", "habit", "share", "low", "high", "people", "difference",
               "difference_low", "difference_high", "labels", "p", "p_adjusted"),
    "systems": ("judge", "system", "own", "share", "people", "difference", "low", "high", "items"),
    "confusion": ("judge", "label", "people_say", "items", "share"),
    "ranking": ("judge", "of", "tau", "low", "high", "topics", "ranked", "about"),
    "places": ("judge", "system", "score", "people_score", "place", "people_place", "topics"),
    "worth": ("judge", "votes", "low", "high", "reliability", "r2", "items", "calls", "cost",
              "cost_of_item", "cost_of_vote", "seconds", "currency"),
    "powered": ("judge", "system", "value", "low", "high", "people", "people_low", "people_high",
                "score", "tuning", "gain", "units", "more", "over"),
    "replacement": REPLACEMENT,
    "likeness": LIKENESS,
    "undefined": ("judge", "table", "reason"),
}  # fmt: skip
LENGTHS = ((0.1, "within 10 %"), (0.3, "10 to 30 % apart"), (np.inf, "over 30 % apart"))
SIZES = ((200, "up to 200 words"), (400, "up to 400 words"), (np.inf, "over 400 words"))


# -- One judge ------------------------------------------------------------------------------------


def rows_of(bench: Bench, judge: Judge) -> Rows:
    """Yield all rows of a judge; a row of `undefined` for each missing number."""
    if not len(judge.units):
        reason = "The judge and people judged no item in common."
        if not len(judge.labels):
            reason = "All labels of the judge were discarded."
        yield "undefined", {"judge": judge.name, "table": "agreement", "reason": reason}
        for counts in (_sides, _unread, _discarded):
            for table, row in counts(bench, judge):
                yield table, {"judge": judge.name, **row}
        return
    parts: tuple[Callable[[Bench, Judge], Rows], ...] = (
        _agreement, _parts, _sides, _longer, _unread, _discarded, _systems, _confusion, _ranking,
        _worth, _powered, replacement, likeness,
    )  # fmt: skip
    for part in parts:
        try:
            for table, row in part(bench, judge):
                yield table, {"judge": judge.name, **row}
        except CannotCompute as reason:
            cause = {"table": part.__name__.strip("_"), "reason": str(reason)}
            yield "undefined", {"judge": judge.name, **cause}


def _agreement(bench: Bench, judge: Judge) -> Rows:
    measures = measures_of_tables(bench, judge.tables)
    labels = judge.known
    ends = bench.measure.outcomes if bench.is_pair else {}
    places = {label: place for place, label in enumerate(bench.measure.labels)}
    sides_of = {"a": 0, "b": 1}
    null: dict[str, Null] = habits_alone(
        label=labels["label"].to_numpy(),
        left_is_second=np.array([sides_of.get(side, -1) for side in labels["left"]]),
        gold=judge.gold[labels["at"].to_numpy()],
        weight=(1 / labels.groupby("at")["at"].transform("size")).to_numpy(),
        ends=(places["a"], places["b"]) if {"a", "b"} <= set(ends) else None,
        statistics={"alpha": bench.statistics["alpha"]},
        reached={"alpha": measures["alpha"].value},
        confidence=bench.confidence,
        seed=bench.seed,
    )
    alone = null.get("alpha")
    yield "agreement", {
        **ends_of(measures), "null": alone and alone.mean, "null_low": alone and alone.low,
        "null_high": alone and alone.high, "p": alone and alone.p, **_over_person(bench, judge),
        "items": measures["alpha"].units, "over": measures["alpha"].over,
    }  # fmt: skip
    for why in dict.fromkeys(measure.why for measure in measures.values() if measure.why):
        yield "undefined", {"table": "agreement", "reason": why}


def _over_person(bench: Bench, judge: Judge) -> dict[str, Any]:
    """Return the alpha of the judge less that of one person, both with the others."""
    alpha = further(bench.statistics["alpha"])
    beside = judge_measure(
        judge.beside_one_person, alpha, name="the difference", confidence=bench.confidence
    )
    return {
        "over_person": beside.value, "over_person_low": beside.low,
        "over_person_high": beside.high, "p_over_person": beside.p,
    }  # fmt: skip


def _parts(bench: Bench, judge: Judge) -> Rows:
    """Yield agreement by system (an item counts for both of its systems), style and length."""
    units = judge.votes.drop_duplicates("unit").set_index("unit").reindex(list(bench.people.units))
    first, second = (units[name].map(_known(bench, "system")) for name in ("first", "second"))
    for system in sorted({*first.dropna(), *second.dropna()}):
        yield from _part(bench, judge, "system", system, (first == system) | (second == system))
    style = units["first"].map(_known(bench, "style"))
    for name in sorted(set(style.dropna())):
        yield from _part(bench, judge, "style", name, style == name)
    words, others = (
        units[name].map(_known(bench, "words")).astype(float) for name in ("first", "second")
    )
    apart: pd.Series[float] = (words - others).abs() / np.maximum(words, others)
    length, steps = (apart, LENGTHS) if bench.is_pair else (words, SIZES)
    least = -1.0
    for most, name in steps:
        yield from _part(bench, judge, "length", name, (length > least) & (length <= most))
        least = most


def _part(bench: Bench, judge: Judge, by: str, part: str, chosen: "pd.Series[bool]") -> Rows:
    agreement = judge.agreement_on(chosen.to_numpy(dtype=bool), bench.confidence)
    if agreement.units:
        yield "parts", {
            "by": by, "part": part, "accuracy": agreement.value, "low": agreement.low,
            "high": agreement.high, "items": agreement.units,
        }  # fmt: skip


def _known(bench: Bench, column: str) -> dict[str, Any]:
    values = bench.texts[column]
    values = values[values.notna() & (values != "")]
    return dict(zip(values.index.astype(str), values.tolist(), strict=True))


def _habit(bias: Bias) -> dict[str, Any]:
    return {"low": bias.low, "high": bias.high, "labels": bias.n}


def _sides(bench: Bench, judge: Judge) -> Rows:
    """Yield how the order of a pair moves the judge."""
    single = {}
    if bench.is_pair:
        single = {
            "same answer in both orders": judge.swaps(bench.confidence),
            LEFT_SIDE: judge.left(bench.confidence),
        }
    for name, bias in single.items():
        if bias.n:
            row = {"habit": name, "share": bias.value, **_habit(bias)}
            if name == LEFT_SIDE:
                row["p"] = bias.p
            yield "habits", row
            if bias.why:
                yield "undefined", {"table": "habits", "reason": bias.why}


def _longer(bench: Bench, judge: Judge) -> Rows:
    if bench.is_pair and _known(bench, "words"):
        words = judge.longer(bench.texts["words"].astype(float), bench.confidence)
        if words["judge"].n:
            yield "habits", {
                "habit": "longer text, of labels that choose", "share": words["judge"].value,
                **_habit(words["judge"]), **_apart(words),
            }  # fmt: skip


def _unread(bench: Bench, judge: Judge) -> Rows:
    """Yield the share of answers that could not be read."""
    calls = bench.beside.calls
    answers = calls[calls["worker"] == judge.name]
    if len(answers):
        cluster = clusters_of(pd.factorize(answers["topic"])[0], pd.factorize(answers["item"])[0])
        hits = (~answers["parsed"].astype(bool)).to_numpy().astype(np.float64)
        unread = share(
            hits, np.ones(len(hits)), cluster, name="the share", confidence=bench.confidence
        )
        yield "habits", {"habit": UNREAD, "share": unread.value, **_habit(unread)}


def _discarded(bench: Bench, judge: Judge) -> Rows:
    """Yield the share of items without a label, of those that it was asked about."""
    calls = bench.beside.calls
    items = calls[calls["worker"] == judge.name].drop_duplicates("item")
    if len(items):
        cluster = clusters_of(pd.factorize(items["topic"])[0], np.arange(len(items)))
        hits = (~items["item"].isin(judge.labels["direction"])).to_numpy().astype(np.float64)
        discarded = share(
            hits, np.ones(len(hits)), cluster, name="the share", confidence=bench.confidence
        )
        yield "habits", {
            "habit": DISCARDED, "share": discarded.value, **_habit(discarded)
        }  # fmt: skip


LEFT_SIDE = "left side, of labels that choose"
UNREAD = "answers that could not be read"
DISCARDED = "labels discarded, of those asked for"


def _apart(biases: Mapping[str, Bias]) -> dict[str, Any]:
    apart = biases["difference"]
    return {
        "people": biases["people"].value, "difference": apart.value, "difference_low": apart.low,
        "difference_high": apart.high,
    }  # fmt: skip


def _systems(bench: Bench, judge: Judge) -> Rows:
    """Yield how often the judge and people prefer each system."""
    if not bench.is_pair:
        return
    systems = _known(bench, "system")
    shown = {*judge.votes["first"].map(systems).dropna(), *judge.votes["second"].map(systems)}
    for system in sorted(system_key for system_key in shown if isinstance(system_key, str)):
        biases = judge.for_system(pd.Series(systems), system, bench.confidence)
        if biases["judge"].n:
            apart = biases["difference"]
            yield "systems", {
                "system": system,
                "own": "its own" if is_own(system, bench.beside.models.get(judge.name, "")) else "",
                "share": biases["judge"].value, "people": biases["people"].value,
                "difference": apart.value, "low": apart.low, "high": apart.high, "items": apart.n,
            }  # fmt: skip


def is_own(system: str, model: str) -> bool:
    """Return whether the name of the system or of the model contains the other.

    For example, gpt-4o is in gpt-4o-2024-08-06.
    """
    first, other = ("".join(name.lower().split()).replace("_", "-") for name in (system, model))
    return min(len(first), len(other)) > 2 and (first in other or other in first)


def _confusion(bench: Bench, judge: Judge) -> Rows:
    whole = judge.tables.T.sum(axis=0)
    for i, label in enumerate(bench.measure.options):
        for j, answer in enumerate(bench.measure.options):
            yield "confusion", {
                "label": label.title, "people_say": answer.title, "items": float(whole[i, j]),
                "share": float(whole[i, j] / whole.sum()),
            }  # fmt: skip


def _ranking(bench: Bench, judge: Judge) -> Rows:
    if bench.numbers is None:
        return
    ours, people = bench.worth(judge.labels), bench.worth(bench.votes)
    systems = _known(bench, "system")
    beside = system_ranking.systems_beside(ours, people, systems)
    rankings: dict[str, Callable[[], system_ranking.RankAgreement]] = {
        "texts of a topic": partial(
            system_ranking.texts_alike, ours, people, confidence=bench.confidence
        ),
        "systems": partial(system_ranking.systems_alike, beside),
    }
    for name, rank in rankings.items():
        try:
            row = rank()
        except CannotCompute as reason:
            yield "undefined", {"table": f"ranking of {name}", "reason": str(reason)}
            continue
        yield "ranking", {
            "of": name, "tau": row.tau, "low": row.low, "high": row.high, "topics": row.topics,
            "ranked": row.ranked, "about": "" if row.why else row.about,
        }  # fmt: skip
        if row.why:
            yield "undefined", {"table": f"ranking of {name}", "reason": row.why}
    if beside.empty:  # passages, say, of no system
        return
    means = beside.pivot_table(index="group", values=["judge", "people"])
    places = means.round(9).rank(ascending=False)
    topics = beside["group"].value_counts()
    for system in places.sort_values(["people", "judge"]).index:
        yield "places", {
            "system": system, "score": means.loc[system, "judge"],
            "people_score": means.loc[system, "people"], "place": places.loc[system, "judge"],
            "people_place": places.loc[system, "people"], "topics": int(topics[system]),
        }  # fmt: skip


def _worth(bench: Bench, judge: Judge) -> Rows:
    if bench.numbers is None:
        return
    numbers = 2 * bench.numbers - 1 if bench.is_pair else bench.numbers
    place = np.full(len(bench.people.units), -1)
    place[judge.units] = np.arange(len(judge.units))
    is_shared = place[bench.people.unit] >= 0
    worth = votes_worth(
        judge=judge.shares[judge.units] @ numbers,
        cluster=judge.cluster,
        unit=place[bench.people.unit[is_shared]],
        worker=bench.people.worker[is_shared],
        number=numbers[bench.people.value[is_shared]],
        symmetric=bench.is_pair,
        confidence=bench.confidence,
    )
    yield "worth", {
        "votes": _finite(worth.votes), "low": worth.low, "high": _finite(worth.high),
        "reliability": worth.reliability, "r2": worth.r2, "items": worth.units,
        **_costs(bench, judge, worth.votes),
    }  # fmt: skip
    if worth.why:
        yield "undefined", {"table": "worth", "reason": worth.why}
    if np.isinf(worth.votes):
        yield "undefined", {"table": "worth", "reason": _MORE}


def _costs(bench: Bench, judge: Judge, votes: float) -> dict[str, Any]:
    """Return the costs of the question, which shares its calls with others."""
    calls = bench.beside.calls
    own_calls = calls[calls["worker"] == judge.name]
    if not len(own_calls):
        return {}
    cost, priced = float(own_calls["cost"].sum()), bool(own_calls["cost"].notna().all())
    of_item = cost / own_calls["item"].nunique()
    return {
        "calls": len(own_calls),
        "cost": cost if priced else None,
        "cost_of_item": of_item if priced else None,
        "cost_of_vote": of_item / votes if priced and 0 < votes < np.inf else None,
        "seconds": float(own_calls["seconds"].mean())
        if own_calls["seconds"].notna().any()
        else None,
        "currency": bench.beside.currency,
    }


_MORE = (
    "The worth of a label cannot be estimated because the judge's labels are closer to "
    "people's mean answer than the reliability of these votes allows."
)


def _finite(value: float) -> float | None:
    return value if np.isfinite(value) else None


def _powered(bench: Bench, judge: Judge) -> Rows:
    if bench.numbers is None:
        return
    powered = system_ranking.powered(
        bench.worth(judge.labels), bench.worth(bench.votes), _known(bench, "system"),
        confidence=bench.confidence,
    )  # fmt: skip
    renamed = powered.frame.rename(columns={"group": "system", "judge": "score"})
    for _, row in renamed.iterrows():
        yield "powered", {str(name): value for name, value in row.items()}
