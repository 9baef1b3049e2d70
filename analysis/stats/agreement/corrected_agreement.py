"""Agreement of the competent: Krippendorff's alpha over the votes of workers whom MACE trusts.

In sample (C* of the Crowd RAG Corpus 2025, Gienapp et al., SIGIR 2025) the measure is circular:
competence is learned from the very agreement that is then reported, and votes shuffled at random
reach .30. Cross-fitted, the competence that decides over a vote comes from the other folds of
items, and shuffled votes stay at 0. Both are given with their permutation nulls.

Votes shuffled over all workers have no habits left, so that null forgives habits: workers who share
the items of a questionnaire and always press the same key agree across its items. Shuffled within
workers each worker keeps the habits, and agreement above that null is about the items.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from analysis.stats.agreement.alpha import (
    AlphaResult,
    Level,
    NothingPairable,
    alpha_from_counts,
    krippendorff_alpha,
    option_positions,
)
from analysis.stats.agreement.crossed_alpha import CrossedAlpha, crossed_alpha
from analysis.stats.agreement.spam_filter import KeepRule, trusted_workers, with_minimum
from analysis.stats.arrays import Flags, Floats, Ints
from analysis.stats.design_checks import About
from analysis.stats.errors import BadSetting, CannotCompute, no_votes, too_few_options
from analysis.stats.labels.cross_fitting import (
    FoldedMatrix,
    cross_fitted_competence,
    item_folds,
)
from analysis.stats.labels.mace import Compat, mace
from analysis.stats.labels.mace_em import MaceParameters
from analysis.stats.votes import Votes

Shuffle = Literal["all votes", "within workers"]
Over = Literal["items", "workers and items"]

FEW = 3  # with fewer votes a majority says little
LEAST_NULL_DRAWS = 10  # of shuffles with a value: the range and p of fewer rest on single draws


def _unknown_votes() -> CannotCompute:
    return CannotCompute(
        "unknown_votes",
        "Corrected agreement cannot be computed because each judged vote must appear exactly "
        "once among the votes that competence is learned from.",
    )


@dataclass(frozen=True, kw_only=True)
class PermutationNull:
    """Alpha of the same procedure on shuffled votes.

    shuffle: over all items and workers of the question, or over the items of each worker.
    values: alpha of each draw that has one; mean, lowest, highest of them, NaN without any.
    """

    values: tuple[float, ...]
    mean: float
    lowest: float
    highest: float
    draws: int
    undefined_draws: int
    shuffle: Shuffle

    @property
    def why(self) -> str:
        """Reason why neither a range nor p is offered; empty where they are."""
        if (n := len(self.values)) >= LEAST_NULL_DRAWS:
            return ""
        return (
            f"Not enough data for p and the range of the chance level: only {n} of "
            f"{self.draws} shuffles "
            f"{'leaves' if n == 1 else 'leave'} an item with two kept votes; "
            f"{LEAST_NULL_DRAWS} are needed."
        )

    def p(self, alpha: float) -> float:
        """Return the one-sided p-value of alpha, at least 1 / (1 + draws); NaN without draws."""
        n = len(self.values)
        return (1 + sum(value >= alpha for value in self.values)) / (1 + n) if n else float("nan")


@dataclass(frozen=True, kw_only=True)
class StartSpread:
    """Cross-fitted alpha of the starts of MACE, of which the votes don't tell which is right.

    values: of the deterministic start and of each random one, NaN where no item keeps two votes.
    low, high: the interval of the deterministic start, widened at each end by as much as the
    lowest and the highest value lie beyond its value. why: the reason not to offer a number, where
    the values spread wider than the interval; else empty.
    """

    values: tuple[float, ...]
    lowest: float
    highest: float
    low: float
    high: float
    why: str


@dataclass(frozen=True, kw_only=True)
class KeptAgreement:
    """Alpha over the kept votes; its interval takes the selection as given.

    share_votes, share_workers: the kept share of the judged votes and of their workers.
    Cross-fitted a worker is kept or not in each fold, and the share is the mean over folds.
    few_items: the judged items (of `items`) left with fewer than FEW (three) votes; alpha.items are
    those left with two.
    """

    alpha: AlphaResult | CrossedAlpha
    null: PermutationNull
    share_votes: float
    share_workers: float
    few_items: int
    items: int


@dataclass(frozen=True, kw_only=True)
class CorrectedAgreement:
    """Agreement of all (C), of the competent cross-fitted (the headline) and in sample (C*).

    spread: of the cross-fitted value over starts; None without random ones.
    """

    plain: AlphaResult | CrossedAlpha
    cross_fitted: KeptAgreement
    in_sample: KeptAgreement
    spread: StartSpread | None
    rule: KeepRule
    level: Level
    folds: int
    iterations: int
    null_draws: int
    draws: int
    confidence: float
    seed: int
    compat: Compat | None
    shuffle: Shuffle
    over: Over


def corrected_agreement(
    votes: Votes,
    *,
    judged: Votes | None = None,
    together: Sequence[Hashable] | None = None,
    rule: KeepRule | None = None,
    level: Level = "ordinal",
    folds: int = 10,
    iterations: int = 18,
    null_draws: int = 10,
    draws: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    compat: Compat | None = None,
    shuffle: Shuffle = "all votes",
    over: Over = "items",
    starts: int = 0,
) -> CorrectedAgreement:
    """Compute competence-corrected agreement on one question, cross-fitted and in sample.

    1. Learn competence without each fold of items, and from all items: MACE from its deterministic
       start, accelerated (on the Crowd RAG Corpus 300 iterations change mean alpha by .001).
    2. Keep votes by the rule. Spam probability is 1 - competence.
    3. Compute alpha over the kept votes of all folds together, and over those kept in sample.
    4. Shuffle the values over all votes of the question, or of each worker, and repeat.

    Parameters
    ----------
    judged : the votes whose agreement is reported, a part of votes (default all).
    together : aligned with votes.items; items with equal entries share a fold.
    compat : "gienapp2025" learns the competence in sample as the paper's code does, from 20 random
        starts, and takes its weight of spamming for the spam probability; it is slower.
    over : "workers and items" makes the intervals of all votes and of those kept cross-fitted hold
        for other workers and items at once (crossed_alpha). In sample that covers too much (99 % at
        95), and the interval stays that over items.
    starts : random starts of MACE over which the spread of the cross-fitted value is shown.

    Raises
    ------
    CannotCompute (no_votes, too_few_options, unknown_votes, too_few_items, no_competent_votes),
    BadSetting, and the errors of krippendorff_alpha.
    """
    rule = rule or KeepRule()
    _check(votes, iterations, null_draws)
    _check_choice("shuffle", shuffle, get_args(Shuffle))
    _check_choice("over", over, get_args(Over))
    part = _part(votes, judged)
    fold = item_folds(votes, folds, seed, together)
    procedure = _Procedure(part, fold, rule, iterations, seed, compat)

    def over_items(keep: Flags) -> AlphaResult:
        return krippendorff_alpha(
            votes.only(keep), level=level, draws=draws, confidence=confidence, seed=seed
        )

    def over_both(keep: Flags) -> CrossedAlpha:
        return crossed_alpha(
            votes.only(keep),
            together=together,
            level=level,
            confidence=confidence,
            about=About.LIKE_THESE,
        )

    headline = over_both if over == "workers and items" else over_items
    plain = headline(part)
    kept_votes = procedure.kept(votes)
    nulls = _nulls(votes, procedure, level, null_draws, seed, shuffle)
    try:
        cross_fitted, in_sample = (
            KeptAgreement(
                alpha=alpha(keep),
                null=null,
                share_votes=float(keep.sum() / part.sum()),
                share_workers=share,
                few_items=_few(votes, part, keep),
                items=len(np.unique(votes.item[part])),
            )
            for (keep, share), null, alpha in zip(
                kept_votes, nulls, (headline, over_items), strict=True
            )
        )
    except NothingPairable:
        raise CannotCompute(
            "no_competent_votes",
            "Corrected agreement cannot be computed because no item has two votes by "
            "competent participants.",
        ) from None
    return CorrectedAgreement(
        plain=plain,
        cross_fitted=cross_fitted,
        in_sample=in_sample,
        spread=spread_over_starts(
            procedure.over_starts(votes, starts, level),
            cross_fitted.alpha,
            over_items(kept_votes[0][0]) if np.isnan(cross_fitted.alpha.low) else None,
        )
        if starts
        else None,
        rule=rule,
        level=level,
        folds=folds,
        iterations=iterations,
        null_draws=null_draws,
        draws=draws,
        confidence=confidence,
        seed=seed,
        compat=compat,
        shuffle=shuffle,
        over=over,
    )


@dataclass(frozen=True)
class _Procedure:
    """Steps 1 and 2, the same for the votes and their permutations."""

    judged: Flags
    fold: Ints
    rule: KeepRule
    iterations: int
    seed: int
    compat: Compat | None

    def over_starts(self, votes: Votes, starts: int, level: Level) -> Floats:
        """Return cross-fitted alpha from each random start (starts,)."""
        rng, positions = np.random.default_rng(self.seed), option_positions(votes, level)
        values, matrix = np.empty(starts), FoldedMatrix(votes, self.fold)
        for number in range(starts):
            start = MaceParameters.random(len(votes.workers), len(votes.options), 1, rng)
            keep = self.kept(votes, start, matrix)[0][0]
            values[number] = _alpha(votes.only(keep), level, positions)
        return values

    def kept(
        self,
        votes: Votes,
        start: MaceParameters | None = None,
        matrix: FoldedMatrix | None = None,
    ) -> list[tuple[Flags, float]]:
        """Return the kept votes (n,) and share of workers kept, cross-fitted and in sample."""
        spam = self._spam(votes, start, matrix)
        trusted = np.stack([trusted_workers(column, self.rule) for column in spam.T], axis=1)
        workers = np.unique(votes.worker[self.judged])
        in_sample = np.full(len(votes), spam.shape[1] - 1)
        result = []
        for column in (self.fold[votes.item], in_sample):
            stays = self.judged & trusted[votes.worker, column]
            behind = spam[votes.worker, column]
            keep = with_minimum(votes, stays, behind, self.judged, self.rule.minimum)
            share = trusted[workers][:, np.unique(column)].mean()
            result.append((keep, float(share)))
        return result

    def _spam(
        self, votes: Votes, start: MaceParameters | None, matrix: FoldedMatrix | None
    ) -> Floats:
        """Return spam probabilities (W, F + 1), the last column in sample; NaN without votes."""
        spam = 1 - cross_fitted_competence(
            votes, self.fold, iterations=self.iterations, start=start, matrix=matrix
        )
        if self.compat and start is None:
            spam[:, -1] = mace(votes, seed=self.seed, compat=self.compat).theta[:, 0]
        spam[np.bincount(votes.worker, minlength=len(spam)) == 0] = np.nan
        return np.asarray(spam)


def _nulls(
    votes: Votes,
    procedure: _Procedure,
    level: Level,
    null_draws: int,
    seed: int,
    shuffle: Shuffle,
) -> list[PermutationNull]:
    """Return the permutation nulls, cross-fitted and in sample (step 4)."""
    rng = np.random.default_rng(seed)
    positions = option_positions(votes, level)
    alphas = np.empty((2, null_draws))
    for draw in range(null_draws):
        shuffled = shuffled_votes(votes, shuffle, rng)
        for which, (keep, _) in enumerate(procedure.kept(shuffled)):
            alphas[which, draw] = _alpha(shuffled.only(keep), level, positions)
    return [_summary(values, shuffle) for values in alphas]


def _alpha(votes: Votes, level: Level, positions: Floats) -> float:
    """Return alpha over the items with two votes, NaN where it is undefined."""
    counts = votes.counts()
    pairable = counts[counts.sum(axis=1) >= 2]
    return float(alpha_from_counts(pairable, level=level, values=positions))


def spread_over_starts(
    random: Floats, alpha: AlphaResult | CrossedAlpha, over_items: AlphaResult | None = None
) -> StartSpread:
    """Return the spread; over_items has the interval to compare with where alpha has none."""
    values = np.array([alpha.value, *random])
    lowest, highest = float(np.nanmin(values)), float(np.nanmax(values))
    reference = over_items or alpha
    undefined = int(np.isnan(values).sum())
    why = ""
    if undefined or highest - lowest > reference.high - reference.low:
        why = (
            "Corrected agreement is not reported because it depends on the start of MACE: "
            f"{lowest:.3f} to {highest:.3f} over {len(values)} starts, wider than the interval of "
            f"one start{', and undefined for some starts' if undefined else ''}."
        )
    return StartSpread(
        values=tuple(values.tolist()),
        lowest=lowest,
        highest=highest,
        low=float(alpha.low - (alpha.value - lowest)),
        high=float(min(alpha.high + (highest - alpha.value), 1.0)),
        why=why,
    )


def shuffled_votes(votes: Votes, shuffle: Shuffle, rng: np.random.Generator) -> Votes:
    """Return the votes with their values shuffled, over all or over those of each worker."""
    if shuffle == "all votes":
        return replace(votes, value=rng.permutation(votes.value))
    by_worker = np.argsort(votes.worker, kind="stable")
    drawn = np.argsort(votes.worker + rng.random(len(votes)))  # by worker, then by the number
    value = np.empty_like(votes.value)
    value[by_worker] = votes.value[drawn]
    return replace(votes, value=value)


def _summary(values: Floats, shuffle: Shuffle) -> PermutationNull:
    defined = values[~np.isnan(values)]
    some = defined if len(defined) else np.array([np.nan])
    return PermutationNull(
        values=tuple(defined.tolist()),
        mean=float(some.mean()),
        lowest=float(some.min()),
        highest=float(some.max()),
        draws=len(values),
        undefined_draws=len(values) - len(defined),
        shuffle=shuffle,
    )


def _few(votes: Votes, judged: Flags, keep: Flags) -> int:
    N = len(votes.items)
    left = np.bincount(votes.item[keep], minlength=N)
    return int((left[np.unique(votes.item[judged])] < FEW).sum())


def _part(votes: Votes, judged: Votes | None) -> Flags:
    """Return the mask of the judged votes (n,). Raises CannotCompute (unknown_votes)."""
    if judged is None:
        return np.ones(len(votes), dtype=bool)
    if tuple(judged.options) != tuple(votes.options) or not len(judged):
        raise _unknown_votes()
    item = _places(judged.items, votes.items)[judged.item]
    worker = _places(judged.workers, votes.workers)[judged.worker]
    W, V = len(votes.workers), len(votes.options)
    wanted = (item * W + worker) * V + judged.value
    keys = (votes.item * np.int64(W) + votes.worker) * V + votes.value
    part = np.isin(keys, wanted)
    if min(item.min(), worker.min()) < 0 or part.sum() != len(judged):
        raise _unknown_votes()
    return part


def _places(wanted: Sequence[Hashable], table: Sequence[Hashable]) -> Ints:
    """Return the index of each wanted id in the table, -1 if it is missing."""
    place = {entry: i for i, entry in enumerate(table)}
    return np.array([place.get(entry, -1) for entry in wanted], dtype=np.int64)


def _check(votes: Votes, iterations: int, null_draws: int) -> None:
    if not len(votes):
        raise no_votes("Corrected agreement")
    if len(votes.options) < 2:
        raise too_few_options("Competence")
    if iterations < 1:
        raise BadSetting("iterations", iterations, "1 or more")
    if null_draws < 0:
        raise BadSetting("null_draws", null_draws, "0 or more")


def _check_choice(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise BadSetting(name, value, " or ".join(allowed))
