"""Reciprocal rank fusion: one ranking from several. Pure.

A document scores the sum of 1 / (k + rank) over the rankings that have it (Cormack, Clarke and
Büttcher, SIGIR 2009, who take k = 60). RAG-Fusion fuses the rankings of several wordings of a query
so, without naming its k (Rackauckas, Câmara and Zavrel 2024).
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from typing import TypeVar

K = 60
Document = TypeVar("Document", bound=Hashable)


def reciprocal_rank_fusion(
    rankings: Iterable[Sequence[Document]], *, k: int = K
) -> list[tuple[Document, float]]:
    """Documents with their scores, the best first; of equals the one that was seen first.

    A ranking is its documents, the best first, each once. Sums are exact, so that documents with
    the same ranks are equal in whatever order the rankings come.

    Raises ValueError where k is below 0, or a document stands twice in a ranking.
    """
    if k < 0:
        raise ValueError(f"k must be 0 or more, not {k}")
    scores: defaultdict[Document, Fraction] = defaultdict(Fraction)
    for documents in rankings:
        if len(set(documents)) != len(documents):
            raise ValueError("a document is repeated in a ranking")
        for rank, document in enumerate(documents, start=1):
            scores[document] += Fraction(1, k + rank)
    best = sorted(scores.items(), key=lambda scored: scored[1], reverse=True)
    return [(document, float(score)) for document, score in best]
