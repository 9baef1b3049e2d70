"""Prediction of held-out votes by the order of merits, to compare ways of ranking.

Pairs are put into folds, both directions of a pair together. Merits are learned without the pairs
of a fold, and each vote in it that prefers a side is predicted: the response of higher merit. Equal
merits, and a response without other comparisons, count as half right. A ranking that follows habits
of workers or the noise of single labels predicts worse, whatever its fit.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import pandas as pd

from analysis.stats.arrays import Floats, Ints, total
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merits import SAME_MERIT, fit_merits
from analysis.stats.errors import BadSetting, CannotCompute, missing_columns
from analysis.stats.labels.mace import mace
from analysis.stats.labels.majority import majority_vote
from analysis.stats.votes import Votes
from annotation.texts.plurals import there_are

Ranking = Literal["votes", "weighted votes", "majority labels", "MACE labels"]
OUTCOMES: Mapping[Hashable, int] = {"a": 1, "n": 0, "b": -1}
COLUMNS = ("question", "topic", "item", "a", "b", "worker", "value")
LEAST_WEIGHT = 1e-6  # a problem whose votes all weigh nothing has no merits
TOLERANCE = 1e-8  # of MACE, a vote


@dataclass(frozen=True, eq=False, kw_only=True)
class HeldOutResult:
    """The share of held-out votes for a side that the order of merits predicts.

    right, votes (T,): by topic, votes predicted (an equal merit counts half) and votes for a side,
    over all questions; topics: their names. votes_per_item: those learned from; None is all.
    """

    ranking: Ranking
    right: Floats
    votes: Ints
    topics: tuple[str, ...]
    folds: int
    votes_per_item: int | None
    seed: int

    @property
    def share(self) -> float:
        return float(self.right.sum() / self.votes.sum())

    def ahead_of(self, other: "HeldOutResult") -> tuple[float, float]:
        """Return the lead in share over another ranking, and its standard error over topics.

        Both must predict the same votes: the error is that of a ratio of sums over topics.
        """
        if not np.array_equal(self.votes, other.votes):
            raise BadSetting("other", other.ranking, "about the same votes")
        T, n = len(self.votes), self.votes.sum()
        gap = (self.right.sum() - other.right.sum()) / n
        rest = self.right - other.right - gap * self.votes
        return float(gap), float(np.sqrt((rest**2).sum() * T / max(T - 1, 1)) / n)


def predict_held_out(
    frame: pd.DataFrame,
    *,
    ranking: Ranking,
    folds: int = 8,
    votes_per_item: int | None = None,
    seed: int = 0,
) -> HeldOutResult:
    """Learn from folds - 1 parts of the pairs and predict the last; a row of the frame is a vote.

    value: a, b, or n for neither, about the responses a and b of an item, in the order of slots.
    votes_per_item: learn from the first votes of an item only; all are predicted. Votes rank with
    the tie parameter estimated for each question, labels with that of the published pipeline.

    Raises CannotCompute (missing_columns, too_few_pairs, no_preferences), BadSetting.
    """
    _check(frame, ranking, votes_per_item)
    frame = frame[frame["value"].notna()].reset_index(drop=True)
    fold = _fold(frame, folds, seed)
    place = frame.groupby(["question", "item"]).cumcount().to_numpy()
    learned = place < (votes_per_item or len(frame))
    parts = []
    for question, rows in frame.groupby("question").indices.items():
        for k in range(folds):
            training_rows = rows[learned[rows] & (fold[rows] != k)]
            part = _learned(frame.iloc[training_rows], ranking)
            problem = [(question, k, topic) for topic in part["topic"]]
            parts.append(part.assign(problem=pd.Series(problem, index=part.index)))
    merits = _merits(pd.concat(parts, ignore_index=True), by_votes="votes" in ranking)
    keys = list(zip(frame["question"], fold.tolist(), frame["topic"], strict=True))
    nowhere = float("nan")
    gap = np.array(
        [
            merits.get((key, a), nowhere) - merits.get((key, b), nowhere)
            for key, a, b in zip(keys, frame["a"], frame["b"], strict=True)
        ]
    )
    outcome = frame["value"].map(OUTCOMES).to_numpy(dtype=np.int64)
    unsure = ~(np.abs(gap) > SAME_MERIT)
    right = np.where(unsure, 0.5, np.sign(gap) == outcome) * (outcome != 0)
    topic, names = pd.factorize(frame["topic"], sort=True)
    votes = np.bincount(topic, weights=outcome != 0).astype(np.int64)
    if not votes.any():
        raise CannotCompute(
            "no_preferences", "Held-out votes cannot be predicted because no vote prefers a side."
        )
    return HeldOutResult(
        ranking=ranking,
        right=total(topic, right, len(names)),
        votes=votes,
        topics=tuple(names),
        folds=folds,
        votes_per_item=votes_per_item,
        seed=seed,
    )


def _check(frame: pd.DataFrame, ranking: Ranking, votes_per_item: int | None) -> None:
    missing = [column for column in COLUMNS if column not in frame.columns]
    if missing:
        raise missing_columns(missing)
    if ranking not in get_args(Ranking):
        raise BadSetting("ranking", ranking, " or ".join(get_args(Ranking)))
    if votes_per_item is not None and votes_per_item < 1:
        raise BadSetting("votes_per_item", votes_per_item, "1 or more")
    strange = frame["value"].dropna()[~frame["value"].dropna().isin(list(OUTCOMES))]
    if len(strange):
        raise BadSetting("value", strange.iloc[0], "a, n or b")


def _fold(frame: pd.DataFrame, folds: int, seed: int) -> Ints:
    """Return the fold of each vote (n,); both directions of a pair share one in all questions."""
    if folds < 2:
        raise BadSetting("folds", folds, "2 or more")
    low = frame["a"].where(frame["a"] < frame["b"], frame["b"])
    high = frame["b"].where(frame["a"] < frame["b"], frame["a"])
    pair = pd.factorize(pd.MultiIndex.from_arrays([frame["topic"], low, high]), sort=True)[0]
    pairs = int(pair.max(initial=-1)) + 1
    if pairs < folds:
        raise CannotCompute(
            "too_few_pairs",
            f"Held-out votes cannot be predicted because {folds} folds need at least as many "
            f"pairs, and {there_are(pairs)}.",
        )
    return np.asarray((np.random.default_rng(seed).permutation(pairs) % folds)[pair])


def _learned(votes: pd.DataFrame, ranking: Ranking) -> pd.DataFrame:
    """Return the training comparisons of one question: question, topic, a, b, outcome, weight."""
    columns = ["question", "topic", "a", "b"]
    if ranking == "votes":
        return votes[columns].assign(outcome=votes["value"], weight=1.0)
    options = [o for o in ("a", "n", "b") if o != "n" or (votes["value"] == o).any()]
    read = Votes.from_frame(votes, options=options)
    if ranking == "majority labels":
        result = majority_vote(read)
        label = [
            "n" if tied else options[gold]
            for gold, tied in zip(result.gold, result.tied, strict=True)
        ]
        return _labelled(votes, read, label)
    fit = mace(read, tolerance=TOLERANCE)
    if ranking == "MACE labels":
        return _labelled(votes, read, [options[gold] for gold in fit.gold])
    weight = votes["worker"].map(dict(zip(read.workers, fit.competence, strict=True)))
    return votes[columns].assign(outcome=votes["value"], weight=weight.clip(lower=LEAST_WEIGHT))


def _labelled(votes: pd.DataFrame, read: Votes, labels: list[str]) -> pd.DataFrame:
    first = votes.drop_duplicates("item").set_index("item").loc[list(read.items)]
    return first[["question", "topic", "a", "b"]].assign(outcome=labels, weight=1.0)


def _merits(rows: pd.DataFrame, *, by_votes: bool) -> dict[tuple[object, object], float]:
    """Return the merit of each (problem, response), fitting all folds of all questions at once."""
    comparisons = Comparisons.from_frame(rows, outcomes=OUTCOMES)
    question_by_problem = dict(zip(rows["problem"], rows["question"], strict=True))
    fitted = fit_merits(
        comparisons,
        tie_parameter="estimated" if by_votes else 0.05,
        tie_groups=[question_by_problem[problem] for problem in comparisons.problems],
    )
    problems = [comparisons.problems[p] for p in comparisons.entry_problem.tolist()]
    pairs = zip(problems, comparisons.responses, strict=True)
    return dict(zip(pairs, fitted.merits.tolist(), strict=True))
