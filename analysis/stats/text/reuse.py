"""Overlap of a statement with the passages that it cites."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from analysis.stats.text.bleu import sentence_bleu
from analysis.stats.text.citations import no_citations
from analysis.stats.text.counts import GROUPS
from analysis.stats.text.prose import Prose
from analysis.stats.text.topic_bootstrap import Bootstrap, summarise

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
ORDER = 8
THRESHOLD = 25.0


@dataclass(frozen=True, eq=False, kw_only=True)
class ReuseResult:
    """Reuse by sentence BLEU, from 0 (no word in common) to 100 (copied word by word).

    pairs: one row a statement and passage that it cites: response, statement, rank, bleu, the
        groups.
    shares: groups, statistic, value, low, high, ...; statistic is "under" (the share of pairs
        under the threshold), "mean" and "median". n counts pairs.
    curves: groups, order, value, ...: the share of a group's n-grams of this order that their
        cited passage has.
    distribution: groups, bleu (0, 1, ..., 100), value: the share of pairs at or below.
    uncited: statements that cite nothing, and therefore do not count.
    """

    pairs: pd.DataFrame
    shares: pd.DataFrame
    curves: pd.DataFrame
    distribution: pd.DataFrame
    uncited: int
    order: int
    threshold: float
    bootstrap: Bootstrap


def reuse(
    prose: Prose,
    *,
    by: Sequence[str] = GROUPS,
    order: int = ORDER,
    threshold: float = THRESHOLD,
    sentences: bool = False,
    bootstrap: Bootstrap | None = None,
) -> ReuseResult:
    """Compare each statement with each passage that it cites.

    Sentence BLEU with n up to `order`, effective order, lower case (Gienapp et al. 2025). The lines
    of a passage are alternative references: against the passage as a whole, which is many times
    longer than a statement, brevity alone would bring every score near 0. For that reason
    `sentences` takes those of a passage that is a single line; the paper does not.

    Raises CannotCompute (no_citations), BadSetting.
    """
    bootstrap = bootstrap or Bootstrap()
    pairs, matched, offered = _compare(prose, order, sentences)
    under = pairs.assign(under=(pairs["bleu"] < threshold).astype(float))
    parts = {
        "under": summarise(under, "under", by, bootstrap=bootstrap),
        "mean": summarise(pairs, "bleu", by, bootstrap=bootstrap),
        "median": summarise(pairs, "bleu", by, bootstrap=bootstrap, statistic="median"),
    }
    shares = pd.concat([part.assign(statistic=name) for name, part in parts.items()])
    columns = ["value", "low", "high", "sd", "n", "topics"]
    return ReuseResult(
        pairs=pairs,
        shares=shares[[*by, "statistic", *columns]].reset_index(drop=True),
        curves=_curves(pairs, matched, offered, by, bootstrap)[[*by, "order", *columns]],
        distribution=_distribution(pairs, by),
        uncited=int((prose.statements["citations"] == 0).sum()),
        order=order,
        threshold=threshold,
        bootstrap=bootstrap,
    )


def _compare(
    prose: Prose, order: int, sentences: bool
) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """Return the pairs with their scores, and n-grams matched and offered, both (pairs, order)."""
    keys = ["response", "statement"]
    cited = prose.citations.drop_duplicates([*keys, "rank"])
    if cited.empty:
        raise no_citations("Reuse")
    statement_rows = prose.statements.reset_index(names="said")[["said", *keys]]
    groups = prose.responses.drop(columns=["text", "words"])
    pairs = cited.merge(statement_rows, on=keys).merge(groups, on="response")
    cited_passages = prose.passages.merge(pairs[["topic", "rank"]].drop_duplicates())
    places = cited_passages.reset_index(names="known")[["known", "topic", "rank"]]
    pairs = pairs.merge(places, on=["topic", "rank"])
    score = sentence_bleu(
        prose.statements["text"].tolist(),
        [_references(text, sentences) for text in cited_passages["text"]],
        text=pairs["said"].to_numpy(),
        reference=pairs["known"].to_numpy(),
        order=order,
        lowercase=True,
    )
    frame = pairs.drop(columns=["said", "known"]).assign(bleu=score.score)
    return frame, score.matched, score.offered


def _references(text: str, sentences: bool) -> list[str]:
    lines = [line for line in text.splitlines() if line.strip()]
    return _SENTENCE_END.split(lines[0]) if sentences and len(lines) == 1 else lines


def _curves(
    pairs: pd.DataFrame,
    matched: np.ndarray,
    offered: np.ndarray,
    by: Sequence[str],
    bootstrap: Bootstrap,
) -> pd.DataFrame:
    """Return the pooled share of matched n-grams, for each group and order."""
    parts = []
    for n in range(matched.shape[1]):
        counted = pairs.assign(matched=matched[:, n], offered=offered[:, n])
        part = summarise(counted, "matched", by, bootstrap=bootstrap, weight="offered")
        parts.append(part.assign(order=n + 1))
    return pd.concat(parts, ignore_index=True)


def _distribution(pairs: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Return the empirical distribution function of the scores at 0, 1, ..., 100."""
    points = np.arange(101)
    parts = []
    for key, scores in pairs.groupby(list(by))["bleu"] if by else [((), pairs["bleu"])]:
        at_most = np.searchsorted(np.sort(scores.to_numpy()), points + 1e-9, side="right")
        names = dict(zip(by, key, strict=True))
        parts.append(pd.DataFrame({**names, "bleu": points, "value": at_most / len(scores)}))
    return pd.concat(parts, ignore_index=True)
