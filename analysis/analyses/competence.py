"""Competence of workers, and the gold label of each item."""

import numpy as np
import pandas as pd

from analysis.analyses.agreement import votes_of
from analysis.analyses.conditions import to_options
from analysis.inputs.analysis_input import AnalysisInput, Tables, table, table_of
from analysis.inputs.columns import COUNT, Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.stats.labels.dawid_skene import dawid_skene
from analysis.stats.labels.label_certainty import fresh_votes
from analysis.stats.labels.mace import TooFewFellows, mace, require_fellows
from analysis.stats.labels.majority import majority_vote
from analysis.stats.labels.start_stability import StartStability, start_stability
from analysis.stats.votes import Votes
from annotation.texts.sentences import marked

# Labels and competence are settled to two digits long before a few workers are to nine.
SAME_START, START_ITERATIONS = 1e-6, 300
SAME_LABELS = 1e-8  # of Dawid and Skene's: 3 in 1,000 labels of the Crowd RAG Corpus still move


def competence(data: AnalysisInput) -> Tables:
    """Return the competence of each worker and the gold label of each item by MACE.

    Reads all votes, also those beyond `votes_per_item`. The gold labels have beside them those of
    Dawid and Skene, the majority, and the probability that fresh votes give the same label, since
    the posterior of MACE is overconfident. The table `starts` shows how much the start of the EM
    changes.
    """
    frame = data.frame
    if data.machines is not None:
        frame = pd.concat([frame, data.machines], ignore_index=True)
    votes = votes_of(frame, data.measure)
    result = mace(
        votes,
        restarts=data.setting("restarts"),
        seed=data.seed,
        compat=data.setting("mace"),
    )
    majority = majority_vote(votes)
    others = dawid_skene(votes, tolerance=SAME_LABELS)
    starts = start_stability(
        votes,
        restarts=data.setting("start_checks"),
        seed=data.seed,
        tolerance=SAME_START,
        max_iterations=START_ITERATIONS,
    )
    workers = pd.DataFrame(
        {
            "worker": list(votes.workers),
            "competence": result.competence,
            "spam_probability": result.theta[:, 0],
            "votes": result.worker_votes,
            "spread": starts.spread,
        }
    )
    first = frame.drop_duplicates("item").set_index("item")
    first = first.loc[list(votes.items)]
    gold = pd.DataFrame(
        {
            "item": list(votes.items),
            "topic": first["topic"].to_numpy(),
            "a": first["a"].to_numpy(),
            "b": first["b"].to_numpy(),
            "gold": np.array(data.options, dtype=object)[result.gold],
            "tied": result.tied,
            "entropy": result.entropy,
            "votes": votes.counts().sum(axis=1),
            "majority": [data.options[index] for index in majority.gold],
            "dawid_skene": [data.options[index] for index in others.gold],
            "moves": starts.moves,
        }
    )
    chances = pd.DataFrame(result.posterior, columns=[f"p_{option}" for option in data.options])
    gold = pd.concat([gold, chances], axis=1)
    if not data.as_published:
        sure = fresh_votes(votes, result.gold)
        gold = gold.assign(next_vote=sure.next_vote, same_label=sure.same_label)
    fit = pd.DataFrame(
        [
            {
                "log_likelihood": result.log_likelihood,
                "iterations": result.iterations,
                "converged": result.converged,
                "starts": result.starts,
            }
        ]
    )
    machines = set() if data.machines is None else set(data.machines["worker"])
    is_machine = workers["worker"].isin(machines)
    models = workers[is_machine].rename(columns={"worker": "model"})
    return {
        **({} if data.machines is None else {"machines": table(models)}),
        "competence": table(workers[~is_machine]),
        "gold": table(gold),
        "fit": table(fit),
        "starts": table(_starts(starts, gold)),
        "undefined": table_of(("reason",), [[reason_text] for reason_text in _why_none(votes)]),
    }


def _why_none(votes: Votes) -> list[str]:
    """Return the reason why no page shows the competence, though labels rest on it."""
    try:
        require_fellows([votes])
    except TooFewFellows as reason:
        return [str(reason)]
    return []


def _starts(starts: StartStability, gold: pd.DataFrame) -> pd.DataFrame:
    """Return one row: moving labels, spread of workers, agreement with other methods."""
    middle, ninth, most = np.nanquantile(starts.spread, [0.5, 0.9, 1.0])
    return pd.DataFrame(
        [
            {
                "restarts": starts.restarts,
                "share_moving": starts.share_moving,
                "items": len(gold),
                "spread_median": middle,
                "spread_90": ninth,
                "spread_most": most,
                "workers": int((~np.isnan(starts.spread)).sum()),
                "converged": int(starts.converged.sum()),
                "same_as_majority": float((gold["gold"] == gold["majority"]).mean()),
                "same_as_dawid_skene": float((gold["gold"] == gold["dawid_skene"]).mean()),
            }
        ]
    )


ANALYSIS = Analysis(
    name="competence",
    title="Competence and gold labels",
    answers="How competent is each participant, and which label is right for each item?",
    assumes="Participants who guess follow a habit, not the item.",
    reads=Reads.VOTES,
    applies=to_options,
    function=competence,
    of_each_worker=True,
    columns={
        "converged": Column(form=NumberFormat.WHOLE,
                            meaning=marked("starts that converged")),
        "restarts": COUNT,
        "share_moving": Column("Labels that change", NumberFormat.SHARE,
                               marked("labels that differ between starts")),
        "spread_median": Column("Median change",
            meaning=marked("median change in competence between starts")),
        "spread_90": Column("90th percentile",
            meaning=marked("90th percentile of the change in competence")),
        "spread_most": Column("Largest change"),
        "same_as_majority": Column("Same as majority", NumberFormat.SHARE,
            marked("labels that match the majority vote")),
        "same_as_dawid_skene": Column("Same as Dawid-Skene", NumberFormat.SHARE,
            marked("labels that match the Dawid-Skene labels")),
    },
    table_columns={
        "fit": {
            "converged": COUNT,
        },
    },
    may_have_machines=True,
)  # fmt: skip
