"""The mixed model of votes, of the corpus and of larger studies: `python -m benchmarks.mixed`.

Beside each question are the figures that the model is for; recorded values of a long Markov chain
on the same model are in tests/analysis/stats/bradley_terry/test_mixed.py.
"""

import gzip
import json
import time
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

from analysis.stats.bradley_terry.mixed import MixedResult, fit_mixed
from analysis.stats.bradley_terry.mixed_effects import vote_reliability, win_probability
from analysis.stats.bradley_terry.mixed_newton import Components
from analysis.stats.bradley_terry.mixed_votes import MixedVotes
from benchmarks.crowd_votes import corpus_folder, where_from
from benchmarks.drawn_truth import draw_truth
from benchmarks.reporting import Row, load_now, report
from tests.analysis.stats.conftest import DIMENSIONS, read
from tests.services.corpus import VARIABLE

REMARK = "seconds of the processor; OMP_NUM_THREADS=1 where others use it, too"
SIZES = (500, 1000, 2000, 2500, 5000, 10_000, 25_000, 50_000)  # responses
TEXTS, QUOTA, TOPICS_A_WORKER, GAP = 3, 7, 4, 0.5
COMPONENTS = Components(response=0.6, system_topic=0.3, lean=0.45, habit=0.35, discrimination=0.4)
OUTCOMES = {"A": "a", "N": "tie", "B": "b"}


def main() -> None:
    load = load_now()
    folder = corpus_folder()
    if folder is None:
        print(f"mixed: left out, there is no Crowd RAG Corpus 2025; set {VARIABLE} to its folder")
        return
    votes = {name: MixedVotes.from_frame(votes_on(folder, name)) for name in DIMENSIONS}
    began = time.process_time()
    results = {name: fit_mixed(each) for name, each in votes.items()}
    seconds = time.process_time() - began
    n = f"{sum(map(len, votes.values())):,} votes"
    rows = [Row(what="mixed model, seven questions", n=n, ours=seconds, most=10, remark=REMARK)]
    rows += [row_of(name, result) for name, result in results.items()]
    rows += [row_of_size(responses) for responses in SIZES]
    report("mixed", rows, load=load, notes=(where_from(),))


def votes_on(folder: Path, dimension: str) -> pd.DataFrame:
    """Return the first five votes of each pair; a response's system is people or a model."""
    frame = read(folder, "study2_responses").rename(columns={"validity": "correctness_topical"})
    frame = frame.groupby(["query_id", "response_a", "response_b"]).head(5)
    with gzip.open(folder / "study1_responses_llm.jsonl.gz", "rt", encoding="utf-8") as lines:
        models = {json.loads(line)["response"] for line in lines}
    return pd.DataFrame(
        {
            "topic": frame.query_id,
            "a": frame.response_a,
            "b": frame.response_b,
            "worker": frame.worker,
            "outcome": frame[dimension].map(OUTCOMES),
            "left": "a",  # all saw a pair the same way round
            "system_a": frame.response_a.isin(models).map({True: "llm", False: "human"}),
            "system_b": frame.response_b.isin(models).map({True: "llm", False: "human"}),
        }
    )


def row_of_size(responses: int) -> Row:
    """Return the seconds of one simulated question, and whether its interval has the truth."""
    votes = simulated(responses)
    began = time.process_time()
    result = fit_mixed(votes)
    seconds = time.process_time() - began
    _, low, high = result.difference(1, 0)
    return Row(
        what=f"mixed model, {responses:,} responses",
        n=f"{len(votes):,} votes of {len(votes.workers):,} workers",
        ours=seconds,
        most=60,
        remark=f"difference [{low:.3f}, {high:.3f}], true {GAP}; "
        f"components of {result.component_topics:,} topics",
    )


def simulated(responses: int, *, seed: int = 1) -> MixedVotes:
    """Return votes of seven workers on all pairs of a topic's six responses; four topics each."""
    topics, rng = responses // (2 * TEXTS), np.random.default_rng(seed)
    workers = topics * QUOTA // TOPICS_A_WORKER
    truth = draw_truth(
        COMPONENTS,
        systems_merit=[0.0, GAP],
        responses_per_system=TEXTS,
        topics=topics,
        workers=workers,
        tie_parameter=0.8,
        side=-0.1,
        rng=rng,
    )
    pairs = np.array(list(combinations(range(2 * TEXTS), 2)))
    rounds = -(-topics * QUOTA // workers)
    places = np.concatenate([rng.permutation(workers) for _ in range(rounds)])[: topics * QUOTA]
    topic = np.repeat(np.arange(topics), QUOTA * len(pairs))
    worker = np.repeat(places, len(pairs))
    a, b = np.tile(pairs, (topics * QUOTA, 1)).T
    left = rng.choice([-1.0, 1.0], len(topic))
    outcome = truth.vote(topic, a, b, worker, left, rng)
    return MixedVotes.from_frame(
        pd.DataFrame(
            {
                "topic": topic,
                "a": a,
                "b": b,
                "worker": worker,
                "outcome": outcome,
                "left": np.where(left > 0, "a", "b"),
                "system_a": truth.systems[a],
                "system_b": truth.systems[b],
            }
        ),
        outcomes={1: 1, 0: 0, -1: -1},
    )


def row_of(name: str, result: MixedResult) -> Row:
    gap, low, high = result.difference("llm", "human")
    wins = win_probability(result, "llm", "human")
    reliability = vote_reliability(result)
    return Row(
        what=f"{name}: a vote goes to the model's text",
        n=f"{len(result.votes):,} votes",
        ours=100 * wins.votes[0],
        unit="%",
        remark=f"[{100 * wins.votes[1]:.1f}, {100 * wins.votes[2]:.1f}]; {gap:.2f} "
        f"[{low:.2f}, {high:.2f}] logits; worker lean {result.components.lean:.2f}; reliability of "
        f"five votes {reliability.of(5):.2f}, votes for .8 {reliability.votes_for():.0f}",
    )


if __name__ == "__main__":
    main()
