"""Tables 4 and 5: agreement of the crowd, of its competent part, of experts; order effects.

C is everybody, C* the competent, E the experts. A pair hardly differs if in fewer than five of the
seven dimensions three of its five votes agree.
"""

from functools import partial

import pandas as pd

from analysis.replication.cells import TableCells
from analysis.replication.corpus_files import DIMENSIONS, SCALES
from analysis.replication.judging_study import (
    JudgingStudy,
    PublishedFiles,
    options_of,
    preferences,
    unordered,
)
from analysis.stats.agreement.alpha import AlphaResult, krippendorff_alpha
from analysis.stats.agreement.corrected_agreement import corrected_agreement
from analysis.stats.agreement.differentiability import differentiability
from analysis.stats.agreement.spam_filter import KeepRule
from analysis.stats.errors import CannotCompute
from analysis.stats.votes import Votes

MOST_SPAM = 0.7  # of MACE, above which the paper leaves a vote out
MAJORITY = 3 / 5  # of the votes
FEW = 3  # votes
DECIDED = 5  # dimensions with a majority, of seven
FIRST_HALF = 7  # of 15 positions
DRAWS, NULL_DRAWS = 1000, 5


def fill_table_4(cells: TableCells, judged: JudgingStudy, published: PublishedFiles) -> None:
    differing = differentiable(judged)
    pairs = judged.pairs()
    for name in DIMENSIONS:
        votes = judged.counted(name)
        part = votes[votes["item"].isin(differing)]
        cells.fill("table4", "C", name, make=partial(_alpha, votes))
        cells.fill("table4", "diff_C", name, make=partial(_alpha, part))
        _competent(cells, judged, name)
    _published_competent(cells, published, differing)
    _experts(cells, judged, published)
    _pointwise(cells, published)
    cells.put("counts", "pairs", value=len(pairs))
    cells.put("counts", "pairs_unordered", value=int(pairs["unordered"].nunique()))
    cells.put("counts", "pairs_differing", value=len(differing))
    cells.put("counts", "pairs_hardly_differing", value=len(pairs) - len(differing))


def differentiable(judged: JudgingStudy) -> set[str]:
    """Return the items whose votes have a majority in at least five of the seven dimensions."""
    votes = {name: preferences(judged.counted(name)) for name in DIMENSIONS}
    split = differentiability(votes, share=MAJORITY, at_least=DECIDED)
    return set(map(str, split.differentiable))


def _alpha(frame: pd.DataFrame) -> AlphaResult:
    return krippendorff_alpha(preferences(frame), draws=DRAWS)


def one_direction(items: "pd.Series[str]") -> set[str]:
    """Return the first item of each unordered pair."""
    sides = items.drop_duplicates().str.split("|", expand=True)
    keep = ~unordered(sides[0], sides[1]).duplicated()
    return set((sides[0] + "|" + sides[1])[keep])


def _competent(cells: TableCells, judged: JudgingStudy, name: str) -> None:
    """Fill in our competence-corrected agreement: cross-fitted, in sample, and by chance."""
    everything, counted = judged.votes[name], judged.counted(name)
    sorted_items = one_direction(counted["item"])
    try:
        votes = preferences(everything, options_of(name))
        sides = pd.Series(list(votes.items)).str.split("|", expand=True)
        agreement = corrected_agreement(
            votes,
            judged=preferences(counted[counted["item"].isin(sorted_items)], options_of(name)),
            together=tuple(unordered(sides[0], sides[1])),
            rule=KeepRule(most_spam=MOST_SPAM),
            null_draws=NULL_DRAWS,
            draws=DRAWS,
        )
    except CannotCompute as reason:
        for column in ("cross_fitted", "null", "cross_fitted_null", "refitted"):
            cells.lack("table4", f"C_star_{column}", name, reason=str(reason))
        return
    cells.put_agreement("table4", "C_star_cross_fitted", name, result=agreement.cross_fitted.alpha)
    cells.put_agreement("table4", "C_star_refitted", name, result=agreement.in_sample.alpha)
    cells.put("table4", "C_star_null", name, value=agreement.in_sample.null.mean)
    cells.put("table4", "C_star_cross_fitted_null", name, value=agreement.cross_fitted.null.mean)


def _published_competent(cells: TableCells, published: PublishedFiles, differing: set[str]) -> None:
    """Fill in C* as in the paper, with the published spam probabilities, which nobody can refit."""
    columns = ("C_star_in_sample", "diff_C_star_in_sample")
    try:
        votes = published.votes()
    except CannotCompute as absent:
        for column in columns:
            cells.lack_all("table4", column, keys=DIMENSIONS, reason=str(absent))
        return
    sorted_items = one_direction(votes["item"])
    kept_votes = votes[votes["spam_probability"] <= MOST_SPAM]
    for column, items in zip(columns, (sorted_items, differing), strict=True):
        part = kept_votes[kept_votes["item"].isin(items)]
        for name in DIMENSIONS:
            question_votes = part[part["question"] == name]
            cells.fill("table4", column, name, make=partial(_alpha, question_votes))
    _count_left_out(cells, votes, kept_votes)


def _count_left_out(cells: TableCells, votes: pd.DataFrame, kept: pd.DataFrame) -> None:
    """Fill in the share that C* leaves out, and the pairs left with fewer than three votes."""
    items = votes["item"].nunique()
    for name in DIMENSIONS:
        left = kept.loc[kept["question"] == name, "item"].value_counts()
        share = 1 - left.sum() / (votes["question"] == name).sum()
        cells.put("counts", "C_star_votes_left_out", name, value=share)
        few = items - int((left >= FEW).sum())
        cells.put("counts", "C_star_pairs_under_three_votes", name, value=few)


def _experts(cells: TableCells, judged: JudgingStudy, published: PublishedFiles) -> None:
    """Fill in the agreement of experts, and that of the crowd on the same pairs."""
    try:
        experts = published.experts()
    except CannotCompute as absent:
        for column in ("min_diff_C", "min_diff_expert"):
            cells.lack_all("table4", column, keys=DIMENSIONS, reason=str(absent))
        return
    experts = experts.assign(item=experts["response_a"] + "|" + experts["response_b"])
    for name in DIMENSIONS:
        crowd = judged.counted(name)
        crowd = crowd[crowd["item"].isin(experts["item"])]
        expert_votes = experts.rename(columns={name: "value"}).drop_duplicates(["item", "worker"])
        cells.fill("table4", "min_diff_C", name, make=partial(_alpha, crowd))
        cells.fill("table4", "min_diff_expert", name, make=partial(_alpha, expert_votes))


def _pointwise(cells: TableCells, published: PublishedFiles) -> None:
    """Fill in votes on single responses: plain, and corrected in sample as the paper does."""
    columns = ("pointwise", "pointwise_uncorrected")
    try:
        rows = published.pointwise()
    except CannotCompute as absent:
        for column in columns:
            cells.lack_all("table4", column, keys=DIMENSIONS, reason=str(absent))
        return
    for name in DIMENSIONS:
        frame = rows[["item", "worker", name]].rename(columns={name: "value"})
        try:
            agreement = corrected_agreement(
                Votes.from_frame(frame, options=SCALES[name]),
                rule=KeepRule(most_spam=MOST_SPAM),
                null_draws=0,
                draws=DRAWS,
            )
        except CannotCompute as reason:
            for column in columns:
                cells.lack("table4", column, name, reason=str(reason))
            continue
        cells.put_agreement("table4", "pointwise", name, result=agreement.in_sample.alpha)
        cells.put_agreement("table4", "pointwise_uncorrected", name, result=agreement.plain)


# -- Table 5 -----------------------------------------------------------------------------------


def fill_table_5(cells: TableCells, judged: JudgingStudy) -> None:
    """Fill in agreement by direction of a pair, and by half of a sheet.

    Right: the response whose id sorts first was on the left, as in the file; left: it was on the
    right, and the votes are turned round. A worker who met a pair twice counts once.
    """
    pairs = judged.pairs()
    twice = set(pairs.loc[pairs["unordered"].duplicated(keep=False), "item"])
    cells.put("counts", "pairs_in_both_directions", value=len(twice) // 2)
    for name in DIMENSIONS:
        votes = judged.counted(name)
        both = _canonical(votes[votes["item"].isin(twice)])
        first = votes["position"] <= FIRST_HALF
        parts = {
            "left": both[both["turned"]],
            "right": both[~both["turned"]],
            "both": both,
            "first_half": votes[first],
            "second_half": votes[~first],
        }
        for part, frame in parts.items():
            cells.fill("table5", name, part, make=partial(_alpha, frame))


def _canonical(frame: pd.DataFrame) -> pd.DataFrame:
    """Return votes on unordered pairs, as if the lesser id were in slot a (`turned` where not)."""
    turned = frame["a"] > frame["b"]
    value = frame["value"].where(~turned, frame["value"].map({"a": "b", "n": "n", "b": "a"}))
    turned_frame = frame.assign(item=unordered(frame["a"], frame["b"]), value=value, turned=turned)
    return turned_frame.drop_duplicates(["item", "worker"])
