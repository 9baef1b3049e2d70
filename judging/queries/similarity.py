"""Similarity of two queries: ROUGE-L.

R = LCS(a, b) / |a|,  P = LCS(a, b) / |b|,  F = 2PR / (P + R) = 2 LCS / (|a| + |b|)

over words, LCS the length of their longest common subsequence: Lin (2004), ROUGE: a package for
automatic evaluation of summaries, section 3. Wang et al. (2023), Self-Instruct, section 2.2, keep
what is generated only below 0.7. Queries without a common word are not compared. Pure.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain

from judging.queries.replies import flat

NEAR = 0.7
WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class SimilarQuery:
    """The most similar query; `value` is 1 if they differ only at their ends."""

    key: str
    query: str
    value: float

    @property
    def is_same(self) -> bool:
        return self.value >= 1


def words_of(query: str) -> list[str]:
    return WORD.findall(query.casefold())


def rouge_l(one: list[str], other: list[str]) -> float:
    """Return F of the longest common subsequence; 0 if a query has no words."""
    if not one or not other:
        return 0.0
    row = [0] * (len(other) + 1)
    for word in one:
        before = 0
        for place, other_word in enumerate(other, start=1):
            before, row[place] = (
                row[place],
                (before + 1 if word == other_word else max(row[place], row[place - 1])),
            )
    return 2 * row[-1] / (len(one) + len(other))


@dataclass
class QueryIndex:
    """Queries to compare others with, found by their words."""

    queries: list[tuple[str, str, list[str]]] = field(default_factory=list)
    same: dict[str, int] = field(default_factory=dict)
    having: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, queries: Iterable[tuple[str, str]]) -> "QueryIndex":
        """Index (key, query) pairs."""
        index = cls()
        for key, query in queries:
            index.add(key, query)
        return index

    def add(self, key: str, query: str) -> None:
        words, number = words_of(query), len(self.queries)
        self.queries.append((key, query, words))
        self.same.setdefault(flat(query), number)
        for word in set(words):
            self.having[word].append(number)

    def like(self, query: str) -> SimilarQuery | None:
        """Return the most similar query from NEAR on, the first of several."""
        number = self.same.get(flat(query))
        if number is not None:
            return SimilarQuery(*self.queries[number][:2], 1.0)
        words, best = words_of(query), (0.0, 0)
        counts = Counter(words)
        shared = Counter(chain.from_iterable(self.having.get(word, ()) for word in counts))
        again = len(words) - len(counts)  # words that stand there once more
        near = [
            number
            for number, n in shared.items()
            if 2 * (n + again) / (len(words) + len(self.queries[number][2])) >= NEAR
        ]
        for number in sorted(near):
            theirs = self.queries[number][2]
            # A common subsequence is no longer than the words in common, repeated ones included.
            most = 2 * (counts & Counter(theirs)).total() / (len(words) + len(theirs))
            if most >= NEAR and most > best[0]:
                value = rouge_l(words, theirs)
                if value > best[0]:
                    best = (value, number)
        if best[0] < NEAR:
            return None
        key, other, _ = self.queries[best[1]]
        return SimilarQuery(
            key, other, min(best[0], 0.999)
        )  # the same words, with other signs between
