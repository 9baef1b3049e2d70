"""Participants who vote alike, or like an LLM judge: found or not, and honest crowds."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from analysis.stats.errors import CannotCompute
from analysis.stats.manipulation.similar_pairs import SimilarPairs, like_judge, similar_pairs
from benchmarks.coverage.audited_worlds import AuditedStudy
from benchmarks.coverage.copied_worlds import CopiedWorld, draw_copied, with_judge, with_names
from benchmarks.reporting import Row

STUDIES, LEVEL = 500, 0.05
MOST_ALARMS, LEAST_FOUND = 5.0, 80.0
USUAL = CopiedWorld()
# the common items of three names of one person, and the noise of their votes
NAMES: dict[CopiedWorld, tuple[tuple[int, float], ...]] = {
    USUAL: ((20, 0.0), (30, 0.12), (45, 0.12)),
    CopiedWorld(topics=12, votes=8): ((30, 0.12),),
}
LARGE = CopiedWorld(workers=40, votes=8, crowd="features", text_sd=1.5)
HONEST = (
    CopiedWorld(crowd="alike", text_sd=0.2),
    CopiedWorld(crowd="skills", text_sd=1.5),
    CopiedWorld(crowd="experts"),
    CopiedWorld(crowd="lazy", text_sd=0.2),
    CopiedWorld(crowd="camps", text_sd=1.5),
)
FEW_ITEMS = CopiedWorld(topics=12, workers=30, crowd="features")  # with the judge
NOTE = (
    f"% of {STUDIES} simulated studies a world (standard error of 5 % is 1, of 80 % 1.8), of "
    f"{STUDIES // 5} with 30 or 40 participants (2 and 4). Family-wise level 5 %. Crowds: "
    "benchmarks/coverage/copied_worlds.py. A tenth of the votes is missing, and participants do "
    "unequal shares."
)


def rows(studies: int) -> Iterator[Row]:
    for world, cells in NAMES.items():
        yield from _of_names(world, cells, studies)
    yield from _of_judges(USUAL, studies)
    yield from _of_judges(FEW_ITEMS, studies // 5)
    for world in HONEST:
        yield from _of_names(world, (), studies)
    yield from _of_names(LARGE, ((45, 0.12),), studies // 5)


@dataclass
class _Counts:
    values: defaultdict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def add(self, name: str, value: float) -> None:
        self.values[name].append(value)

    def percent(self, name: str) -> float:
        return 100 * float(np.mean(self.values[name]))


def _of_names(
    world: CopiedWorld, cells: tuple[tuple[int, float], ...], studies: int
) -> Iterator[Row]:
    rng, counts = np.random.default_rng(world.topics + world.workers), _Counts()
    for _ in range(studies):
        study, _gap = draw_copied(world, rng)
        result = _pairs(study)
        counts.add("alarm", bool(result and _close(result).size))
        counts.add("pairs", result.pairs / 100 if result else 0)
        for items, noise in cells:
            copied, members = with_names(study, rng, items=items, noise=noise)
            _add_members(counts, f"{items} {noise}", _close(_pairs(copied)), members, world)
    yield Row(
        what="honest studies with a pair that votes alike", n=_size(world),
        ours=counts.percent("alarm"), unit="%", most=MOST_ALARMS,
        remark=f"{counts.percent('pairs'):.0f} pairs compared",
    )  # fmt: skip
    for items, noise in cells:
        yield Row(
            what=f"three names with {100 * noise:.0f} % noise and {items} items, found",
            n=_size(world), ours=counts.percent(f"{items} {noise}"), unit="%", least=LEAST_FOUND,
            remark=_listed(counts, f"{items} {noise}"),
        )  # fmt: skip


def _of_judges(world: CopiedWorld, studies: int) -> Iterator[Row]:
    rng, counts, W = np.random.default_rng(7), _Counts(), world.workers
    for _ in range(studies):
        study, gap = draw_copied(world, rng)
        for name, share in (("none", 0.0), ("fifth", 0.2)):
            copied, members = with_judge(study, gap, rng, share=share)
            result = like_judge(copied.votes(), W)
            close = _close(result)
            counts.add("items", float(result.frame["items"].median()) / 100)
            if members:
                _add_members(counts, name, close[close["worker"].notna()], members, world)
            else:
                counts.add("alarm", bool(close.size))
    items = f"median of {counts.percent('items'):.0f} items with the judge"
    yield Row(
        what="honest studies with a participant who votes like a judge", n=_size(world),
        ours=counts.percent("alarm"), unit="%", most=MOST_ALARMS, remark=items,
    )  # fmt: skip
    yield Row(
        what="20 % with the labels of a judge and 12 % noise, listed", n=_size(world),
        ours=counts.percent("fifth listed"), unit="%", least=LEAST_FOUND,
        remark=_listed(counts, "fifth"),
    )  # fmt: skip


def _pairs(study: AuditedStudy) -> SimilarPairs | None:
    try:
        return similar_pairs(study.votes())
    except CannotCompute:
        return None


def _close(result: SimilarPairs | None) -> pd.DataFrame:
    if result is None:
        return pd.DataFrame(columns=["worker", "other_worker"])
    return result.frame[result.frame["q"] < LEVEL]


def _add_members(
    counts: _Counts, name: str, close: pd.DataFrame, members: set[int], world: CopiedWorld
) -> None:
    listed = {*close["worker"], *close["other_worker"]} - {world.workers}
    counts.add(name, bool(listed & members))
    counts.add(f"{name} listed", len(listed & members) / len(members))
    counts.add(f"{name} wrongly", len(listed - members) / (world.workers - len(members)))


def _listed(counts: _Counts, name: str) -> str:
    return (
        f"{counts.percent(f'{name} listed'):.0f} % of them listed, "
        f"{counts.percent(f'{name} wrongly'):.1f} % of the others"
    )


def _size(world: CopiedWorld) -> str:
    return (
        f"{world.topics} topics, {world.workers} participants, {world.votes} votes, "
        f"{world.crowd}, texts {world.text_sd}"
    )
