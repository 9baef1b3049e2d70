"""The votes that are measured on: the real ones where they are, else simulated of their shape."""

import os
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.votes import Votes
from tests.analysis.stats.conftest import DIMENSIONS, read, votes_of
from tests.services.children import ROOT
from tests.services.corpus import VARIABLE

ITEMS, WORKERS, TOPICS = 1384, 420, 65  # of five votes each, as in the corpus
GOLD = {"a": 1, "n": 0, "b": -1}
OPTIONS = ("A", "N", "B")


def corpus_folder() -> Path | None:
    """Where the Crowd RAG Corpus 2025 is, which is not part of the repository."""
    folder = Path(os.environ.get(VARIABLE) or ROOT.parent / "shared" / "crowdrag25")
    return folder if (folder / "ratings.jsonl.gz").exists() else None


def where_from() -> str:
    """Return a note on the source of the votes."""
    if corpus_folder():
        return "Votes: the Crowd RAG Corpus 2025."
    return (
        f"**Votes: simulated, of the shape of the Crowd RAG Corpus 2025**, which was not found; "
        f"set {VARIABLE} to its folder."
    )


def questions() -> dict[str, Votes]:
    """Return the 6,920 votes on each of the seven questions."""
    folder = corpus_folder()
    if folder is None:
        return {name: simulated(ITEMS * 5, WORKERS, seed) for seed, name in enumerate(DIMENSIONS)}
    frame = read(folder, "study2_responses").rename(columns={"validity": "correctness_topical"})
    frame = frame.assign(item=frame.query_id + "/" + frame.response_a + "/" + frame.response_b)
    return {
        name: votes_of(frame, name, ("A", "B") if name == "quality_overall" else OPTIONS)
        for name in DIMENSIONS
    }


def simulated(n: int, workers: int, seed: int = 1, *, per_item: int = 5) -> Votes:
    """N votes as MACE imagines them, five an item, of workers who know more or less."""
    rng = np.random.default_rng(seed)
    items = n // per_item
    truth = rng.integers(0, 3, items, dtype=np.int8)
    knows = rng.uniform(0, 1, workers)
    item = np.repeat(np.arange(items), per_item)
    # neighbours in a circle of workers: nobody votes twice on an item
    worker = (rng.integers(0, workers, items)[:, None] + np.arange(per_item)).ravel() % workers
    guess = rng.integers(0, 3, len(item), dtype=np.int8)
    value = np.where(rng.random(len(item)) < knows[worker], truth[item], guess)
    return Votes.from_indices(
        item, worker, value, options=OPTIONS, items=range(items), workers=range(workers)
    )


def gold_comparisons() -> Comparisons:
    """Gold labels of 1,352 directed pairs on seven questions: 455 problems of six responses."""
    folder = corpus_folder()
    ratings = _simulated_ratings() if folder is None else read(folder, "ratings")
    frames = [
        pd.DataFrame(
            {
                "problem": [(query, name) for query in ratings.query_id],
                "a": ratings.response_a,
                "b": ratings.response_b,
                "outcome": ratings[f"{name}_gold"],
            }
        )
        for name in DIMENSIONS
    ]
    return Comparisons.from_frame(pd.concat(frames), outcomes=GOLD)


def _simulated_ratings() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    a, b = np.triu_indices(6, 1)
    pairs = TOPICS * len(a)
    frame = pd.DataFrame(
        {
            "query_id": np.repeat([f"t{t:02}" for t in range(TOPICS)], len(a)),
            "response_a": [f"r{i}" for i in np.tile(a, TOPICS)],
            "response_b": [f"r{i}" for i in np.tile(b, TOPICS)],
        }
    )
    again = frame.sample(1352 - pairs, random_state=1).rename(
        columns={"response_a": "response_b", "response_b": "response_a"}
    )
    frame = pd.concat([frame, again], ignore_index=True)
    gold = rng.choice(list("anb"), (len(frame), len(DIMENSIONS)))
    return frame.assign(**{f"{name}_gold": gold[:, at] for at, name in enumerate(DIMENSIONS)})
