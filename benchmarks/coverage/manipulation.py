"""Groups of workers who favour one system: found or not, and honest workers who are not a group."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import scipy

from analysis.stats.manipulation.one_side import one_side
from analysis.stats.manipulation.robustness import system_means
from analysis.stats.manipulation.shared_leans import SharedLeans, shared_leans
from benchmarks.coverage.audited_worlds import (
    AuditedStudy,
    AuditedWorld,
    draw_audited,
    with_colluders,
)
from benchmarks.reporting import Row

STUDIES, DRAWS, LEVEL = 500, 99, 0.05
WORLDS = (
    AuditedWorld(),
    AuditedWorld(tastes="exponential"),
    AuditedWorld(topics=12, systems=8, workers=40, votes=3),
    AuditedWorld(topics=12, systems=8, workers=40, votes=5),
)
MOST_ALARMS, LEAST_FOUND, LEAST_TAU = 5.0, 80.0, 0.55
NOTE = (
    f"% of {STUDIES} simulated studies a world (standard error of 5 % is 1, of 80 % 1.8), {DRAWS} "
    "draws under the null; tau: mean Kendall's tau of systems to the truth. A tenth of the workers "
    "is careless, a tenth of the votes is missing, workers take unequal shares."
)


def rows(studies: int) -> Iterator[Row]:
    for world in WORLDS:
        yield from of_world(world, studies)


@dataclass
class _Counts:
    values: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def mean(self, name: str) -> float:
        return float(np.mean(self.values[name]))


def of_world(world: AuditedWorld, studies: int) -> Iterator[Row]:
    """Yield false alarms, groups found for and against, and tau with and without them."""
    rng, counts = np.random.default_rng(world.topics * 100 + world.systems), _Counts()
    for number in range(studies):
        honest = draw_audited(world, rng)
        add = counts.values
        found = shared_leans(honest.votes(), draws=DRAWS, level=LEVEL, seed=number)
        add["alarm"].append(found.groups["p"].min() <= LEVEL)
        add["honest listed"].append(len(found.members) / world.workers)
        add["side"].append(one_side(honest.votes())["q"].min() < LEVEL)
        add["tau honest"].append(tau(honest))
        for sign, name in ((1, "for"), (-1, "against")):
            study, members, system = with_colluders(honest, rng, sign=sign)
            _add_found(counts, study, members, system, name, number)
    yield from _rows(world, counts)


def _add_found(
    counts: _Counts, study: AuditedStudy, members: set[int], system: int, name: str, seed: int
) -> None:
    add = counts.values
    result = shared_leans(study.votes(), draws=DRAWS, level=LEVEL, seed=seed)
    best = result.groups.iloc[0]
    hit = best["p"] <= LEVEL and (best["system"], best["direction"]) == (system, name)
    add[name].append(hit)
    if hit:
        listed = _listed(result)
        add[f"{name} listed"].append(len(members & listed) / len(members))
        add[f"{name} wrongly"].append(len(listed - members) / (study.world.workers - len(members)))
    add[f"tau {name}"].append(tau(study))
    add[f"tau {name} without"].append(tau(study, _listed(result)))


def _listed(result: SharedLeans) -> set[int]:
    return {int(str(name)) for name in result.members}


def tau(study: AuditedStudy, out: set[int] | None = None) -> float:
    """Return Kendall's tau of the systems to the truth, without some workers."""
    votes = study.votes()
    if out:
        votes = votes.only(~np.isin(votes.worker, sorted(out)))
    return float(scipy.stats.kendalltau(system_means(votes), study.merit).statistic)


def _rows(world: AuditedWorld, counts: _Counts) -> Iterator[Row]:
    size = (
        f"{world.topics} topics, {world.systems} systems, {world.workers} workers, "
        f"{world.votes} votes, {world.tastes} tastes"
    )
    yield Row(
        what="honest studies with a group that shares a lean",
        n=size, ours=100 * counts.mean("alarm"), unit="%", most=MOST_ALARMS,
        remark=f"honest workers listed {100 * counts.mean('honest listed'):.1f} %",
    )  # fmt: skip
    yield Row(
        what="honest studies with a worker of one side (q < .05)",
        n=size, ours=100 * counts.mean("side"), unit="%", most=MOST_ALARMS,
    )  # fmt: skip
    for name in ("for", "against"):
        yield Row(
            what=f"20 % colluders {name} a system, found",
            n=size, ours=100 * counts.mean(name), unit="%", least=LEAST_FOUND,
            remark=f"then {100 * counts.mean(f'{name} listed'):.0f} % of them listed, and "
            f"{100 * counts.mean(f'{name} wrongly'):.1f} % of the others",
        )  # fmt: skip
        yield Row(
            what=f"tau without the listed workers, 20 % {name} a system",
            n=size, ours=counts.mean(f"tau {name} without"), unit="", least=LEAST_TAU,
            remark=f"with them {counts.mean(f'tau {name}'):.2f}, "
            f"without collusion {counts.mean('tau honest'):.2f}",
        )  # fmt: skip
