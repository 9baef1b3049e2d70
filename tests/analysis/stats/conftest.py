"""The Crowd RAG Corpus 2025 as frames, and small invented votes. No Django here."""

import gzip
import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.stats.votes import Votes

REPOSITORY = Path(__file__).resolve().parents[3]

# Order of the papers' tables: Top, Log, Sty, Bro, Dee, Int, Ovr.
DIMENSIONS = (
    "correctness_topical",
    "coherence_logical",
    "coherence_stylistic",
    "coverage_broad",
    "coverage_deep",
    "consistency_internal",
    "quality_overall",
)


@pytest.fixture(scope="session")
def corpus() -> Path:
    folder = Path(os.environ.get("CROWDRAG25_DIR", "../shared/crowdrag25"))
    folder = folder if folder.is_absolute() else REPOSITORY / folder
    if not folder.is_dir():
        pytest.skip("The Crowd RAG Corpus 2025 is not here; set CROWDRAG25_DIR to its folder.")
    return folder


def read(folder: Path, name: str) -> pd.DataFrame:
    with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return pd.DataFrame([json.loads(line) for line in lines])


@pytest.fixture(scope="session")
def raw_votes(corpus: Path) -> pd.DataFrame:
    """All 6,920 rows; item is the directed pair."""
    frame = read(corpus, "study2_responses").rename(columns={"validity": "correctness_topical"})
    return frame.assign(item=frame.query_id + "/" + frame.response_a + "/" + frame.response_b)


@pytest.fixture(scope="session")
def five_votes(raw_votes: pd.DataFrame) -> pd.DataFrame:
    """Return the 6,760 votes of the published set.

    Of the 32 pairs with ten votes, the first five.
    """
    return raw_votes.groupby("item").head(5)


@pytest.fixture(scope="session")
def ratings(corpus: Path) -> pd.DataFrame:
    frame = read(corpus, "ratings")
    return frame.assign(item=frame.query_id + "/" + frame.response_a + "/" + frame.response_b)


@pytest.fixture(scope="session")
def grades(corpus: Path) -> pd.DataFrame:
    return read(corpus, "grades")


@pytest.fixture(scope="session")
def gold_comparisons(ratings: pd.DataFrame) -> pd.DataFrame:
    """Return the published gold labels of 65 topics x 7 dimensions."""
    return pd.concat(
        pd.DataFrame(
            {
                "problem": [(query, dimension) for query in ratings.query_id],
                "a": ratings.response_a,
                "b": ratings.response_b,
                "outcome": ratings[f"{dimension}_gold"],
            }
        )
        for dimension in DIMENSIONS
    )


def votes_of(frame: pd.DataFrame, dimension: str, options: tuple[str, ...]) -> Votes:
    columns = frame[["item", "worker"]].assign(value=frame[dimension])
    return Votes.from_frame(columns, options=options)


def crowd(
    *, items: int = 60, workers: int = 15, options: int = 3, per_item: int = 5, seed: int = 1
) -> tuple[Votes, np.ndarray, np.ndarray]:
    """Votes as MACE imagines them, the truth of each item, and who knows how often."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, options, items)
    knows = rng.uniform(0, 1, workers)
    item = np.repeat(np.arange(items), per_item)
    worker = np.concatenate([rng.permutation(workers)[:per_item] for _ in range(items)])
    guess = rng.integers(0, options, len(item))
    value = np.where(rng.random(len(item)) < knows[worker], truth[item], guess)
    votes = Votes.from_indices(
        item,
        worker,
        value,
        options="ABCDEFG"[:options],
        items=range(items),
        workers=range(workers),
    )
    return votes, truth, knows
