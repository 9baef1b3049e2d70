"""Novelty over the entries of a bank: alpha-nDCG and subtopic recall, as ndeval computes them.

Clarke et al. (SIGIR 2008): entry i of a passage that is read after r passages with the same entry
gains (1 - alpha)^r; the gain of a rank is discounted by log2(1 + rank), and the sum is divided by
that of the ideal ranking, which is built greedily because the best one is NP-complete to find.
Subtopic recall (Zhai et al., SIGIR 2003) is the covered share of the entries.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.stats.errors import BadSetting
from analysis.stats.retrieval.rankings import Run

Subtopics = Mapping[str, frozenset[str]]  # passage -> the entries that it covers
ALPHA = 0.5  # of ndeval


@dataclass(frozen=True)
class Novelty:
    """Passages that cover the entries of each topic, and the gain of the ideal ranking."""

    covering: Mapping[str, Subtopics]
    ideal: Mapping[str, float]
    depth: int
    alpha: float

    @classmethod
    def of(
        cls, grades: pd.DataFrame, *, level: int = 4, depth: int = 20, alpha: float = ALPHA
    ) -> "Novelty":
        """Read grades: topic, passage, entry, grade; entries are covered from grade `level` on.

        Entries that no graded passage covers are left out, as in ndeval. Raises BadSetting.
        """
        if not 0 <= alpha <= 1:
            raise BadSetting("alpha", alpha, "between 0 and 1")
        if depth < 1:
            raise BadSetting("depth", depth, "1 or more")
        good = grades[grades["grade"] >= level]
        covering: dict[str, dict[str, set[str]]] = {}
        for row in zip(good["topic"], good["passage"], good["entry"], strict=True):
            topic, passage, entry = map(str, row)
            covering.setdefault(topic, {}).setdefault(passage, set()).add(entry)
        frozen = {
            topic: {passage: frozenset(entries) for passage, entries in passages.items()}
            for topic, passages in covering.items()
        }
        ideal = {
            topic: _gain(ideal_ranking(passages, depth, alpha), passages, alpha)
            for topic, passages in frozen.items()
        }
        return cls(frozen, ideal, depth, alpha)

    def per_topic(self, run: Run, topics: Iterable[str]) -> pd.DataFrame:
        """Return one row a topic: topic, alpha_ndcg, subtopic_recall, ranked.

        Topics without a covered entry or without a ranking score 0.
        """
        rows = []
        for topic in sorted(topics):
            documents = run.get(topic, ())
            gain, recall = self.of_ranking(topic, documents)
            rows.append((topic, gain, recall, bool(documents)))
        return pd.DataFrame(rows, columns=["topic", "alpha_ndcg", "subtopic_recall", "ranked"])

    def of_ranking(self, topic: str, documents: Sequence[str]) -> tuple[float, float]:
        """Return alpha-nDCG and subtopic recall of a ranking for a topic."""
        covering, read = self.covering.get(topic, {}), documents[: self.depth]
        best, gain = self.ideal.get(topic, 0.0), _gain(read, covering, self.alpha)
        found = frozenset[str]().union(*(covering.get(passage, ()) for passage in read))
        covered = len(self.covered(topic))
        return gain / best if best else 0.0, len(found) / covered if covered else 0.0

    def covered(self, topic: str) -> frozenset[str]:
        """Return the entries of a topic that a graded passage covers."""
        return frozenset[str]().union(*self.covering.get(topic, {}).values())


def ideal_ranking(covering: Subtopics, depth: int, alpha: float = ALPHA) -> list[str]:
    """Return the passages in the order in which each adds most; ties from the end of the alphabet.

    With equal gains ndeval takes the last passage by its key, and the ideal gain depends on that.
    """
    left, seen, order = sorted(covering, reverse=True), Counter[str](), list[str]()
    while left and len(order) < depth:
        best = max(left, key=lambda passage: _adds(covering[passage], seen, alpha))
        left.remove(best)
        order.append(best)
        seen.update(covering[best])
    return order


def _adds(entries: Iterable[str], seen: Mapping[str, int], alpha: float) -> float:
    return sum(sorted((1 - alpha) ** seen.get(entry, 0) for entry in entries))


def _gain(passages: Sequence[str], covering: Subtopics, alpha: float) -> float:
    """Return alpha-DCG of a ranking."""
    seen, total = Counter[str](), 0.0
    for rank, passage in enumerate(passages, start=1):
        entries = covering.get(passage, frozenset())
        total += _adds(entries, seen, alpha) / float(np.log2(1 + rank))
        seen.update(entries)
    return total
