"""False sentences about LLM judges, with all judges of a question taken together.

Three judges, of two kinds: they guess; or each label is that of another person, so that they agree
with people exactly as well as one person does. A sentence is false if it says that a judge that
guesses agrees better than by its habits, that either agrees better or worse than one person where
it does not, or that it leans to a side. Before: each judge by itself, by its intervals.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from analysis.analyses.judge_claims import adjust_claims
from analysis.stats.judges import comparators
from analysis.stats.judges.agreement import judge_measure
from analysis.stats.judges.biases import share
from analysis.stats.judges.permutation_null import habits_alone
from analysis.stats.judges.tables import PeopleVotes, Tables, further, majority_shares
from benchmarks.coverage.intervals import Hits, Tally, coverage_row
from benchmarks.judges.drawn import STATISTICS, people_of
from benchmarks.reporting import Row
from benchmarks.simulated_studies import World, draw, vote

STUDIES, JUDGES = 500, 3
ALPHA, MOST = 0.05, 7.0  # 5 %, and two standard errors above
NOTE = (
    f"Share of {STUDIES} simulated studies with a false sentence about any of {JUDGES} judges, in "
    "% (standard error 1); 5 is promised. Before: by the rule of earlier versions."
)
GUESS, PERSON = "judges that guess", "judges like one person"
FALSE = "a false sentence about a judge"
PERSON_CLAIM = "better or worse than one person"


@dataclass(frozen=True)
class JudgedWorld:
    kind: str
    topics: int
    workers: int


WORLDS = tuple(
    JudgedWorld(kind, *size) for size in ((10, 30), (30, 10), (30, 30)) for kind in (GUESS, PERSON)
)


def rows(studies: int) -> Iterator[Row]:
    for seed, world in enumerate(WORLDS):
        rng, tally = np.random.default_rng(seed), Tally()
        for _ in range(studies):
            tally.add(claims(world, rng))
        before = f"before {tally.share('before'):.1f}"
        size = f"{world.topics} topics, {world.workers} workers"
        for name, remark in ((FALSE, before), (PERSON_CLAIM, "")):
            yield coverage_row(
                f"{name}: {world.kind}", size, tally.share(name), least=None, most=MOST,
                remark=remark,
            )  # fmt: skip


def claims(world: JudgedWorld, rng: np.random.Generator) -> Hits:
    """Return whether any sentence about the judges of a study is false."""
    how = World(topics=world.topics, workers=world.workers, side=0.0)
    study = draw(how, rng)
    people, N = people_of(study), len(study.a)
    one = judge_measure(
        Tables.of(people, comparators.leave_one_out), STATISTICS["alpha"], name="alpha"
    ).value
    found: dict[str, list[dict[str, Any]]] = {"agreement": [], "habits": [], "replacement": []}
    for _ in range(JUDGES):
        label, left_is_second = rng.integers(0, 3, N), rng.integers(0, 2, N)
        if world.kind == PERSON:  # another person for each pair
            other = vote(replace(how, workers=N, votes=1), study.merit, rng)
            label[other.item], left_is_second[other.item] = other.value, 1 - other.left
        agreement, habit = said_of(people, label, left_is_second, int(rng.integers(2**31)))
        found["agreement"].append(agreement)
        found["habits"].append(habit)
    adjust_claims(found)
    pairs = list(zip(found["agreement"], found["habits"], strict=True))
    return {
        FALSE: float(any(_is_false(world, *pair) for pair in pairs)),
        PERSON_CLAIM: float(any(_over(world, row) for row in found["agreement"])),
        "before": float(any(_was_false(world, *pair, one) for pair in pairs)),
    }


def said_of(
    people: PeopleVotes, label: Any, left_is_second: Any, seed: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what the tables of agreement and habits hold of a judge."""
    alpha, shares = STATISTICS["alpha"], np.eye(3)[label]
    reached = judge_measure(Tables.of(people, comparators.judge(shares)), alpha, name="alpha")
    beside = judge_measure(
        Tables.of(people, comparators.beside_one_person(shares)), further(alpha), name="alpha"
    )
    null = habits_alone(
        label=label, left_is_second=left_is_second, gold=majority_shares(people.counts()[:, 0]),
        weight=np.ones(len(label)), ends=(0, 2), statistics={"alpha": alpha},
        reached={"alpha": reached.value}, seed=seed,
    )["alpha"]  # fmt: skip
    decided = (label != 1).astype(float)
    left = share(
        decided * (label == 2 * left_is_second), decided, people.topic, name="the left side"
    )
    return (
        {
            "p": null.p, "over_person": beside.value, "p_over_person": beside.p,
            "alpha_low": reached.low, "alpha_high": reached.high,
        },
        {"p": left.p, "low": left.low, "high": left.high},
    )  # fmt: skip


def _is_false(world: JudgedWorld, agreement: dict[str, Any], habit: dict[str, Any]) -> bool:
    known = world.kind == GUESS and agreement["p_adjusted"] <= ALPHA
    return known or _over(world, agreement) or habit["p_adjusted"] <= ALPHA


def _over(world: JudgedWorld, agreement: dict[str, Any]) -> bool:
    claimed = agreement["p_over_person_adjusted"] <= ALPHA
    return bool(claimed and (world.kind == PERSON or agreement["over_person"] > 0))


def _was_false(
    world: JudgedWorld, agreement: dict[str, Any], habit: dict[str, Any], one: float
) -> bool:
    known = agreement["p"] <= ALPHA
    over = known and agreement["alpha_low"] > one
    under = world.kind == PERSON and known and agreement["alpha_high"] < one
    leans = not habit["low"] <= 0.5 <= habit["high"]
    return bool((world.kind == GUESS and known) or over or under or leans)
