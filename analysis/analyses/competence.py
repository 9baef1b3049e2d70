"""How likely does each worker answer from knowledge, and what is each item's answer?"""

import numpy as np
import pandas as pd

from analysis.analyses.agreement import votes_of
from analysis.asked import Asked, Tables, table
from analysis.stats.competence import mace
from analysis.stats.labels import majority_vote


def competence(asked: Asked) -> Tables:
    """MACE: the competence of each worker and the gold label of each item.

    Reads all votes, also those beyond `votes_per_item`: they tell about their workers too.
    """
    votes = votes_of(asked.frame, asked.options)
    result = mace(
        votes,
        restarts=asked.parameters.get("restarts", 0),
        seed=asked.seed,
        compat=asked.parameters.get("compat"),
    )
    majority = majority_vote(votes)
    workers = pd.DataFrame(
        {
            "worker": list(votes.workers),
            "competence": result.competence,
            "spam_probability": result.theta[:, 0],
            "votes": result.worker_votes,
            "spread": result.spread if result.spread is not None else np.nan,
        }
    )
    first = asked.frame.drop_duplicates("item").set_index("item")
    first = first.loc[list(votes.items)]
    gold = pd.DataFrame(
        {
            "item": list(votes.items),
            "topic": first["topic"].to_numpy(),
            "a": first["a"].to_numpy(),
            "b": first["b"].to_numpy(),
            "gold": np.array(asked.options, dtype=object)[result.gold],
            "tied": result.tied,
            "entropy": result.entropy,
            "votes": votes.counts().sum(axis=1),
            "majority": [asked.options[index] for index in majority.gold],
        }
    )
    for k, option in enumerate(asked.options):
        gold[f"p_{option}"] = result.posterior[:, k]
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
    return {"competence": table(workers), "gold": table(gold), "fit": table(fit)}
