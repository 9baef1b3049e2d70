"""Workers counted more than once: twice on an item, or under several names.

Three names of one person agree with each other on everything, so that noise gets a competence and a
corrected agreement near 1. Here the same worker counts once on an item, and pairs of names with
nearly identical answers are found, with the evidence against independent workers. The decision is
left to people: two who know nearly everything, in a crowd of others who guess, look the same.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.stats.arrays import Flags, Floats, Ints, total
from analysis.stats.errors import BadSetting
from analysis.stats.labels.label_certainty import concentration_of
from analysis.stats.votes import Votes, common_names

KEY = ("item", "worker", "question")


@dataclass(frozen=True, eq=False, kw_only=True)
class WorkerCopies:
    """Pairs of workers with at least least_items common items, and groups that are too much alike.

    frame: one row a pair, the strongest evidence first: first, second, items that both judged,
    same (those on which all answers are the same), answers in common, agreeing, expected (of the
    agreeing, by independent workers), p (of as much agreement by independent workers), q (p
    times the number of pairs), near_identical (q < level, and of the answers the share alike or
    more agrees). groups: the names that near identity joins, each sorted.
    """

    frame: pd.DataFrame
    groups: Sequence[tuple[Hashable, ...]]
    level: float
    alike: float
    least_items: int


def counted_once(frame: pd.DataFrame) -> pd.DataFrame:
    """Return the first row of a worker on an item (and question, if there is such a column)."""
    is_again = frame.duplicated([name for name in KEY if name in frame.columns], keep="first")
    return frame[~is_again] if is_again.any() else frame.copy(deep=False)


def find_copies(
    questions: Sequence[Votes], *, level: float = 0.01, alike: float = 0.95, least_items: int = 8
) -> WorkerCopies:
    """Find workers with nearly identical answers, from the votes on questions with common names.

    Independent workers answer an item as the others on it do, each with habits of their own: of an
    item, P(v) is in proportion to the share of v among the other votes (with the Dirichlet prior of
    all items) and to how much more often than the crowd the worker chooses v. The number of equal
    answers to a question is then a sum of independent trials, whose tail is computed exactly. Over
    questions, which are correlated, an item counts as the same only if all answers are, and has the
    least probability of its questions; p is twice the smaller of that tail and of the smallest tail
    of a question times the number of questions. Two who know much agree by more than that, which is
    why a small p alone joins nobody.

    Raises BadSetting.
    """
    if not 0 < level < 1:
        raise BadSetting("level", level, "between 0 and 1")
    if not 0 < alike <= 1:
        raise BadSetting("alike", alike, "above 0 and at most 1")
    if least_items < 2:
        raise BadSetting("least_items", least_items, "2 or more")
    workers = common_names(votes.workers for votes in questions)
    items = common_names(votes.items for votes in questions)
    parts = [_Together.of(votes, workers, items) for votes in questions]
    name, n, same, whole = _tails(*_whole_items(parts, len(items)))
    kept = n >= least_items
    name, n, same, whole = name[kept], n[kept], same[kept], whole[kept]
    answers, agreeing, expected = np.zeros((3, len(name)))
    best = np.ones(len(name))
    for part in parts:
        of, size, equal, p = _tails(part.pair, part.equal, part.chance)
        at = pd.Index(of).get_indexer(pd.Index(name))
        found, at = np.flatnonzero(at >= 0), at[at >= 0]
        answers[found] += size[at]
        agreeing[found] += equal[at]
        expected[found] += total(np.searchsorted(of, part.pair), part.chance, len(of))[at]
        best[found] = np.minimum(best[found], p[at])
    first, second = np.divmod(name, max(len(workers), 1))
    p = np.minimum(2 * np.minimum(whole, best * len(questions)), 1.0)
    frame = pd.DataFrame(
        {
            "first": workers.take(first),
            "second": workers.take(second),
            "items": n,
            "same": same,
            "answers": answers.astype(np.int64),
            "agreeing": agreeing.astype(np.int64),
            "expected": expected,
            "p": p,
            "q": np.minimum(p * len(name), 1.0),
        }
    ).sort_values("p", kind="stable", ignore_index=True)
    share = frame["agreeing"] / frame["answers"]
    frame["near_identical"] = (frame["q"] < level) & (share >= alike)
    close = frame[frame["near_identical"]]
    groups = _joined(zip(close["first"], close["second"], strict=True))
    return WorkerCopies(
        frame=frame, groups=groups, level=level, alike=alike, least_items=least_items
    )


def without_copies(frame: pd.DataFrame, found: WorkerCopies) -> pd.DataFrame:
    """Return the rows of one name for each person: of a group the first name in the frame."""
    order = {name: k for k, name in enumerate(dict.fromkeys(frame["worker"]))}
    out = {
        name
        for group in found.groups
        for name in sorted(group, key=lambda name: order.get(name, len(order)))[1:]
    }
    return frame[~frame["worker"].isin(out)]


@dataclass(frozen=True, eq=False)
class _Together:
    """m answers of pairs of workers to a question on the same items.

    pair (m,): first * W + second, numbers of names; item (m,); equal (m,): whether both answer
    alike; chance (m,): of that by independent workers.
    """

    pair: Ints
    item: Ints
    equal: Flags
    chance: Floats

    @classmethod
    def of(cls, votes: Votes, workers: pd.Index, items: pd.Index) -> "_Together":
        W, V = len(votes.workers), len(votes.options)
        counts = votes.counts()
        a = concentration_of(counts)
        crowd = (counts.sum(axis=0) + a) / (counts.sum() + a.sum())
        cell = votes.worker * np.int64(V) + votes.value
        option_counts = total(cell, np.ones(len(votes)), W * V).reshape(W, V)
        # what the crowd is worth beside a worker's own votes: as many votes as the options
        habit = (option_counts + V * crowd) / (option_counts.sum(axis=1) + V)[:, None] / crowd
        i, j = _pairs(votes.item)
        others = counts[votes.item[i]] + a
        others[np.arange(len(i)), votes.value[i]] -= 1
        others[np.arange(len(j)), votes.value[j]] -= 1
        first, second = others * habit[votes.worker[i]], others * habit[votes.worker[j]]
        chance = (first * second).sum(axis=1) / (first.sum(axis=1) * second.sum(axis=1))
        name = workers.get_indexer(pd.Index(votes.workers)).astype(np.int64)
        return cls(
            pair=name[votes.worker[i]] * len(workers) + name[votes.worker[j]],
            item=items.get_indexer(pd.Index(votes.items)).astype(np.int32)[votes.item[i]],
            equal=votes.value[i] == votes.value[j],
            chance=chance,
        )


def _whole_items(parts: Sequence[_Together], N: int) -> tuple[Ints, Flags, Floats]:
    """Return pair, equal and chance of each item of a pair, over all questions.

    An item is equal if all answers are, and has the least chance of its questions.
    """
    if not parts:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool), np.zeros(0)
    cell = np.concatenate([part.pair * N + part.item for part in parts])
    order = np.argsort(cell, kind="stable")
    cell = cell[order]
    starts = np.flatnonzero(np.diff(cell, prepend=-1))
    if not len(starts):
        return cell, np.zeros(0, dtype=bool), np.zeros(0)
    equal, chance = (
        np.minimum.reduceat(np.concatenate([getattr(part, name) for part in parts])[order], starts)
        for name in ("equal", "chance")
    )
    return cell[starts] // N, equal, chance


def _pairs(item: Ints) -> tuple[Ints, Ints]:
    """Return all pairs i < j of votes on the same item; item (n,) is sorted."""
    pairs: list[tuple[Ints, Ints]] = []
    for distance in range(1, int(np.bincount(item).max(initial=0))):
        i = np.flatnonzero(item[distance:] == item[:-distance])
        pairs.append((i, i + distance))
    if not pairs:
        return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
    firsts, seconds = zip(*pairs, strict=True)
    return np.concatenate(firsts), np.concatenate(seconds)


def _tails(pair: Ints, equal: Flags, chance: Floats) -> tuple[Ints, Ints, Ints, Floats]:
    """Return each pair with the number of its trials, of equal ones, and P(as many or more)."""
    names, place, n = np.unique(pair, return_inverse=True, return_counts=True)
    order = np.argsort(place, kind="stable")
    number = np.arange(len(pair)) - np.repeat(np.cumsum(n) - n, n)
    by_trials = np.argsort(-n, kind="stable")
    column = np.empty(len(names), dtype=np.int64)
    column[by_trials] = np.arange(len(names))
    chances = np.zeros((int(n.max(initial=0)), len(names)))
    chances[number, column[place[order]]] = chance[order]
    same = np.bincount(place[equal], minlength=len(names))
    tails = _at_least(same[by_trials], chances, n[by_trials])
    return names, n, same, tails[column]


def _at_least(successes: Ints, chance: Floats, trials: Ints) -> Floats:
    """Return P(X >= successes (G,)) of sums of trials with chances (n, G), those of most first."""
    n, G = chance.shape
    density = np.zeros((n + 1, G))
    density[0] = 1
    having = len(trials) - np.searchsorted(trials[::-1], np.arange(n), side="right")
    for k, pairs in enumerate(having.tolist()):
        of, before = chance[k, :pairs], density[: k + 1, :pairs]
        more = before * of
        before *= 1 - of
        density[1 : k + 2, :pairs] += more
    # the small terms of the tail are added first
    tails = density[::-1].cumsum(axis=0)[::-1]
    return np.asarray(np.minimum(tails[successes, np.arange(G)], 1.0))


def _joined(pairs: Iterable[tuple[Hashable, Hashable]]) -> Sequence[tuple[Hashable, ...]]:
    """Return the groups that the pairs join."""
    groups: list[set[Hashable]] = []
    for pair in pairs:
        touching = [group for group in groups if group & set(pair)]
        groups = [group for group in groups if not group & set(pair)]
        groups.append(set(pair).union(*touching))
    return tuple(tuple(sorted(group, key=str)) for group in groups)
