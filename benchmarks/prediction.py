"""Which ranking foretells votes that it has not seen: `python -m benchmarks.prediction`.

Eight-fold cross-validation over pairs (benchmarks/held_out.py), learning from all
counted votes of an item and from three of them. It reads the ratings of any corpus in the schema of
the Crowd RAG Corpus 2025, such as an export of a study; CROWDRAG25_DIR names the folder.
"""

import pandas as pd

from benchmarks.crowd_votes import corpus_folder, where_from
from benchmarks.held_out import HeldOutResult, Ranking, predict_held_out
from benchmarks.reporting import Row, load_now, report
from tests.analysis.stats.conftest import read
from tests.services.corpus import VARIABLE

RANKINGS: tuple[Ranking, ...] = ("votes", "weighted votes", "majority labels", "MACE labels")
FEWER, VOTE = 3, "_vote"
REVIEW = {  # what an independent review measured on the Crowd RAG Corpus 2025: all votes, three
    "MACE labels": (64.2, 62.5),
    "majority labels": (65.6, 64.4),
    "weighted votes": (65.8, 64.4),
    "votes": (66.4, 64.8),
}


def main() -> None:
    load = load_now()
    folder = corpus_folder()
    if folder is None:
        print(f"prediction: left out, there is no corpus; set {VARIABLE} to its folder")
        return
    votes = votes_of_ratings(read(folder, "ratings"))
    rows = [row for fewer in (None, FEWER) for row in table(votes, fewer)]
    note = "Shares of held-out votes for a side, all questions; standard errors over topics."
    report("prediction", rows, load=load, notes=(where_from(), note))


def votes_of_ratings(ratings: pd.DataFrame) -> pd.DataFrame:
    """Return a row a vote from the lists of the ratings, for each question with votes."""
    questions = [name.removesuffix(VOTE) for name in ratings.columns if name.endswith(VOTE)]
    pairs = ratings.rename(columns={"query_id": "topic", "response_a": "a", "response_b": "b"})
    pairs = pairs.assign(item=pairs["topic"] + "/" + pairs["a"] + "/" + pairs["b"])
    frames = [
        pairs[["topic", "item", "a", "b", "worker"]]
        .assign(question=question, value=pairs[question + VOTE])
        .explode(["worker", "value"], ignore_index=True)
        for question in questions
    ]
    votes = pd.concat(frames, ignore_index=True)
    return votes.assign(value=votes["value"].str.lower())


def table(votes: pd.DataFrame, votes_per_item: int | None) -> list[Row]:
    found = [
        predict_held_out(votes, ranking=ranking, votes_per_item=votes_per_item)
        for ranking in RANKINGS
    ]
    learned = "all counted votes" if votes_per_item is None else f"{votes_per_item} votes"
    return [_row(each, found[0], learned) for each in found]


def _row(found: HeldOutResult, best: HeldOutResult, learned: str) -> Row:
    gap, error = found.ahead_of(best)
    review = REVIEW[found.ranking][found.votes_per_item is not None]
    return Row(
        what=f"order of merits from {found.ranking}",
        n=f"{learned} of an item, {found.votes.sum():,} foretold",
        ours=100 * found.share,
        unit="%",
        remark=f"an independent review of the corpus: {review} %"
        + ("" if found is best else f"; {100 * gap:+.2f} ± {100 * error:.2f} beside votes"),
    )


if __name__ == "__main__":
    main()
