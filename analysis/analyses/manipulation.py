"""Evidence on votes that honest and independent workers rarely give."""

import pandas as pd

from analysis.analyses.groups import UNNAMED
from analysis.analyses.mixed import to_compared_responses
from analysis.inputs.analysis_input import AnalysisInput, Tables, table, table_of
from analysis.inputs.columns import COUNT, HIDDEN, Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.stats.errors import CannotCompute
from analysis.stats.manipulation.compared_votes import ComparedVotes
from analysis.stats.manipulation.one_side import one_side
from analysis.stats.manipulation.robustness import winner_robustness
from analysis.stats.manipulation.shared_leans import shared_leans
from analysis.stats.manipulation.similar_pairs import similar_pairs
from annotation.texts.sentences import marked

GROUPS = ("system", "direction", "workers", "votes", "points", "others_points", "p")
MEMBERS = ("worker", "system", "votes", "points", "lean", "z")
REMOVED = ("unit", "of_units", "removed", "system", "other", "exact")
PAIRS = ("worker", "other_worker", "items", "same", "expected", "likeness", "p", "q")
EMPTY = (GROUPS, MEMBERS, REMOVED, PAIRS)
LEVEL = 0.05  # of groups whose members are listed
MOST_PAIRS = 20  # that are listed: those with the strongest evidence
MOST_SIDED = 20  # workers that are listed: those with the strongest evidence


def manipulation(data: AnalysisInput) -> Tables:
    """Return groups that share a lean, pairs that vote alike, sides, robustness of the winner."""
    votes = ComparedVotes.from_frame(_compared(data))
    if not len(votes):
        raise CannotCompute("no_comparisons", "No vote compares the responses of two systems.")
    undefined: list[list[str]] = []
    groups, members, fewest, pairs = (pd.DataFrame(columns=list(names)) for names in EMPTY)
    try:
        # At every look at an open study a list of members would accuse honest people.
        level = 0 if data.sequential else LEVEL
        leans = shared_leans(votes, level=level, seed=data.seed)
        groups = leans.groups
        members = leans.leans[leans.leans["member"]].drop(columns="member")
    except CannotCompute as reason:
        undefined.append(["groups", str(reason)])
    try:
        pairs = similar_pairs(votes).frame.head(MOST_PAIRS)
    except CannotCompute as reason:
        undefined.append(["pairs", str(reason)])
    try:
        fewest = pd.DataFrame(
            [
                [row.unit, row.units, row.removed, row.winner, row.then, row.exact]
                for row in winner_robustness(votes)
            ],
            columns=list(REMOVED),
        )
    except CannotCompute as reason:
        undefined.append(["robustness", str(reason)])
    return {
        "groups": table(groups),
        "members": table(members),
        "pairs": table(pairs),
        "sides": table(one_side(votes).head(MOST_SIDED)),
        "robustness": table(fewest),
        "undefined": table_of(("table", "reason"), undefined),
    }


def _compared(data: AnalysisInput) -> pd.DataFrame:
    """Return one row a vote, as ComparedVotes reads it; better texts have outcome 1."""
    responses = data.responses
    assert responses is not None  # ALL_VOTES_ON_RESPONSES brings them
    owners = responses["system"].fillna(responses["origin"].map(UNNAMED))
    owner = dict(zip(responses["response"], owners, strict=True))
    votes = data.counted
    outcome = pd.Series(float("nan"), index=votes.index)
    for measure in data.measures:
        own = votes["question"] == measure.key
        outcome[own] = votes.loc[own, "value"].map(measure.outcomes).astype(float)
    left = votes["shown"].map(
        {shown: str(shown).split(",")[0] for shown in votes["shown"].unique()}
    )
    return pd.DataFrame(
        {
            **{name: votes[name] for name in ("item", "topic", "worker", "a", "b")},
            "system_a": votes["a"].map(owner),
            "system_b": votes["b"].map(owner),
            "left": left.where(left.isin(["a", "b"])),
            "outcome": outcome,
        }
    )


POINTS = marked("mean of the votes for the system: 1 always, −1 never")
PAIR_COLUMNS = {
    "items": Column("Items", NumberFormat.WHOLE, marked("items that both participants judged")),
    "same": Column("Same vote", NumberFormat.WHOLE),
    "expected": Column("Expected", NumberFormat.ROUNDED,
                       marked("identical votes expected from independent participants")),
    "likeness": Column("Similarity", NumberFormat.TWO,
                       marked("0 for independent participants, 1 for identical votes")),
    "q": Column("q", NumberFormat.CHANCE, marked("p-value, Bonferroni-adjusted for all pairs")),
}  # fmt: skip
ANALYSIS = Analysis(
    name="manipulation",
    title="Manipulation audit",
    answers="Do participants favour a system or copy each other, and does the winner depend on"
            " a few of them?",
    assumes="Participants who don't collude have independent tastes.",
    reads=Reads.ALL_VOTES_ON_RESPONSES,
    applies=to_compared_responses,
    function=manipulation,
    of_work=True,
    columns={
        "direction": Column("Direction"),
        "points": Column("Points", NumberFormat.TWO, POINTS),
        "others_points": Column("Points by the others", NumberFormat.TWO),
        "lean": Column("Above the consensus", NumberFormat.TWO,
                       marked("points minus those predicted from all votes on these pairs")),
        "z": Column("z", NumberFormat.TWO,
                    marked("lean, in standard deviations of independent participants")),
        "left": Column("Left", NumberFormat.SHARE,
                       marked("share of votes for the left side, without ties")),
        "p": Column("p", NumberFormat.CHANCE,
                    marked("p-value, assuming independent preferences")),
        "q": Column("q", NumberFormat.CHANCE, marked(
            "p-value, Bonferroni-adjusted for all participants")),
        "unit": Column("Removed"),
        "of_units": Column("Of", NumberFormat.WHOLE),
        "removed": Column("Fewest", NumberFormat.WHOLE,
                          marked("smallest number found; unless exact, fewer may be enough")),
        "exact": HIDDEN,
        "workers": COUNT,
    },
    published=False,
    table_columns={
        "pairs": PAIR_COLUMNS,
        "robustness": {"system": Column("First"), "other": Column("First after removal")},
    },
)  # fmt: skip
