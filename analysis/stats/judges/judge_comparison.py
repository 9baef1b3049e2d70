"""Comparison of one judge with people on one question: numbers in rows, by table."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from analysis.stats.arrays import Flags, Floats, Ints, total
from analysis.stats.judges import comparators
from analysis.stats.judges.agreement import JudgeMeasure, judge_measure
from analysis.stats.judges.biases import Bias, WithoutPeople, clusters_of, difference, share
from analysis.stats.judges.tables import PeopleVotes, Tables, accuracy_of, majority_shares

# From labels, each at a place (at), and the unit of each place: hits and draws at each place.
Counting = Callable[[pd.DataFrame, Ints], tuple[Floats, Floats]]


@dataclass(frozen=True, eq=False)
class Judge:
    """Labels of a judge and votes of people on U units.

    labels: oriented (orientation.py), of the judge alone; asked: the same of all its calls in each
    order, where there are calls. numbers (V,): each label as a number from 0 (the second text) to 1
    (the first), or a score; None where labels have no order of worth.
    """

    name: str
    labels: pd.DataFrame
    asked: pd.DataFrame
    people: PeopleVotes
    votes: pd.DataFrame
    numbers: Floats | None
    is_pair: bool

    @cached_property
    def known(self) -> pd.DataFrame:
        """Its labels on units that people judged, with the indices of unit and label."""
        unit = pd.Index(list(self.people.units)).get_indexer(pd.Index(self.labels["unit"]))
        value = self._values(self.labels)
        is_known = (unit >= 0) & (value >= 0)
        return self.labels.assign(at=unit, label=value)[is_known].reset_index(drop=True)

    def _values(self, labels: pd.DataFrame) -> Ints:
        return np.asarray(
            pd.Index(list(self.people.options)).get_indexer(pd.Index(labels["value"]))
        )

    @cached_property
    def shares(self) -> Floats:
        """Shares of its labels on each unit (U, V), which add up to 1."""
        weights = np.zeros((len(self.people.units), len(self.people.options)))
        np.add.at(weights, (self.known["at"].to_numpy(), self.known["label"].to_numpy()), 1)
        return np.asarray(weights / np.maximum(weights.sum(axis=1, keepdims=True), 1))

    @cached_property
    def gold(self) -> Floats:
        return majority_shares(self.people.counts()[:, 0])

    @cached_property
    def tables(self) -> Tables:
        return Tables.of(self.people, comparators.judge(self.shares))

    @cached_property
    def beside_one_person(self) -> Tables:
        """Tables of the judge, and of a person, against the others (comparators.py)."""
        return Tables.of(self.people, comparators.beside_one_person(self.shares))

    @cached_property
    def units(self) -> Ints:
        """Indices of the units that both have judged."""
        return np.flatnonzero(self.shares.sum(axis=1) * self.gold.sum(axis=1) > 0)

    @cached_property
    def cluster(self) -> Ints:
        """Cluster of each of these units."""
        return clusters_of(self.people.topic[self.units], self.units)

    def agreement_on(self, chosen: Flags, confidence: float) -> JudgeMeasure:
        """Return the share of these units (U,) on which it agrees with people."""
        part = self.tables.only(np.flatnonzero(chosen[self.units]))
        return judge_measure(part, accuracy_of, name="the accuracy", confidence=confidence)

    # -- Habits -----------------------------------------------------------------------------------

    def left(self, confidence: float) -> Bias:
        """Return the share of the left among labels that choose a side."""
        decided = self.asked[self.asked["side"] != ""]
        topics, units = (pd.factorize(decided[name])[0] for name in ("topic", "unit"))
        hits = (decided["side"] == "left").to_numpy().astype(np.float64)
        return share(
            hits, np.ones(len(hits)), clusters_of(topics, units), name="the left side",
            confidence=confidence,
        )  # fmt: skip

    def swaps(self, confidence: float) -> Bias:
        """Return the share of equal labels among units that it was asked in both orders."""
        asked_by_side = self.asked[self.asked["left"] != ""].drop_duplicates(["unit", "left"])
        wide = asked_by_side.pivot(index="unit", columns="left", values="value").reindex(
            columns=["a", "b"]
        )
        wide = wide.dropna()
        topics = (
            asked_by_side.drop_duplicates("unit").set_index("unit")["topic"].reindex(wide.index)
        )
        hits = (wide["a"] == wide["b"]).to_numpy().astype(np.float64)
        cluster = clusters_of(pd.factorize(topics)[0], np.arange(len(wide)))
        return share(
            hits, np.ones(len(hits)), cluster, name="the consistency", confidence=confidence
        )

    def longer(self, words: pd.Series, confidence: float) -> dict[str, Bias]:
        """Return the share of the longer text: of the judge, of people, and the difference.

        Only units that both have decided count.
        """
        longer = np.nan_to_num(
            np.sign(
                self._of_text("first").map(words).to_numpy(dtype=float)
                - self._of_text("second").map(words).to_numpy(dtype=float)
            )
        )

        def counted(labels: pd.DataFrame, units: Ints) -> tuple[Floats, Floats]:
            first, second = self._choices(labels, len(units))
            return np.where(longer[units] > 0, first, second), first + second

        return self._beside(counted, longer != 0, "the longer text", confidence)

    def for_system(self, systems: pd.Series, system: str, confidence: float) -> dict[str, Bias]:
        """Return the shares in which judge and people prefer this system; a tie is half."""
        assert self.numbers is not None
        first, second = (self._of_text(name).map(systems) for name in ("first", "second"))
        mine = np.where(first == system, 1, np.where(second == system, -1, 0))
        is_one_sided = ((first == system) != (second == system)).to_numpy()

        def counted(labels: pd.DataFrame, units: Ints) -> tuple[Floats, Floats]:
            points, number = self._points(labels, len(units))
            return np.where(mine[units] > 0, points, number - points), number

        return self._beside(counted, is_one_sided, "the preference", confidence)

    def _beside(
        self, counted: Counting, usable: Flags, name: str, confidence: float
    ) -> dict[str, Bias]:
        """Return shares and difference on the usable units (U,).

        A unit counts once on either side, and only where both have a label that counts.
        """
        every = np.arange(len(self.people.units))
        sums = [counted(labels, every) for labels in (self.known, self._votes)]
        units = np.flatnonzero(usable & (sums[0][1] > 0) & (sums[1][1] > 0))
        hits = [(hit / np.maximum(draw, 1))[units] for hit, draw in sums]
        draws = np.ones(len(units))
        cluster = clusters_of(self.people.topic[units], units)
        biases = {
            side: share(hit, draws, cluster, name=name, confidence=confidence)
            for side, hit in zip(("judge", "people"), hits, strict=True)
        }
        lost = self._lost(counted, sums[1], units)
        apart = difference(
            (hits[0], hits[1]), (draws, draws), cluster, name=name, lost=lost, confidence=confidence
        )
        return biases | {"difference": apart}

    def _lost(self, counted: Counting, sums: tuple[Floats, Floats], units: Ints) -> WithoutPeople:
        """Return the losses of people's share on these units without each person on each unit."""
        unit_and_worker = np.stack([self.people.unit, self.people.worker])
        (unit, worker), cell = np.unique(unit_and_worker, axis=1, return_inverse=True)
        hits, draws = counted(self._votes.assign(at=cell.ravel()), unit)
        place = np.full(len(self.people.units), -1)
        place[units] = np.arange(len(units))
        is_used = (place[unit] >= 0) & (draws > 0)
        all_hits, all_draws = (unit_sums[unit[is_used]] for unit_sums in sums)
        left = all_draws - draws[is_used]
        rest = np.where(left > 0, (all_hits - hits[is_used]) / np.maximum(left, 1), 0)
        return WithoutPeople(
            item=place[unit[is_used]], worker=worker[is_used],
            hits=all_hits / all_draws - rest, draws=(left <= 0).astype(float),
        )  # fmt: skip

    # -- What it says in numbers -------------------------------------------------------------------

    @cached_property
    def _votes(self) -> pd.DataFrame:
        return pd.DataFrame({"at": self.people.unit, "label": self.people.value})

    def _of_text(self, side: str) -> pd.Series:
        """Return the first or second text of each unit (U,)."""
        text_by_unit = self.votes.drop_duplicates("unit").set_index("unit")[side]
        return text_by_unit.reindex(list(self.people.units)).reset_index(drop=True)

    def _choices(self, labels: pd.DataFrame, units: int) -> tuple[Floats, Floats]:
        """Return counts of preferences for the first, and for the second text, by unit."""
        assert self.numbers is not None
        number, at = self.numbers[labels["label"].to_numpy()], labels["at"].to_numpy()
        return (
            np.bincount(at[number == 1], minlength=units).astype(float),
            np.bincount(at[number == 0], minlength=units).astype(float),
        )

    def _points(self, labels: pd.DataFrame, units: int) -> tuple[Floats, Floats]:
        """Return sums of the numbers of its labels, and counts of labels, by unit."""
        assert self.numbers is not None
        at, number = labels["at"].to_numpy(), self.numbers[labels["label"].to_numpy()]
        return total(at, number, units), total(at, np.ones(len(at)), units)
