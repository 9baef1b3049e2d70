"""Votes for pairs that the rule on empty answers decides. No worker cast these votes.

Rankings of texts and systems count a decided pair as often as a judged one. Agreement, competence,
flags and position effects don't count it.
"""

import math
from collections.abc import Sequence

import pandas as pd

from analysis.inputs.frames import VOTES
from analysis.inputs.measures import Does, Measure
from analysis.models import AnalysisRun
from judging.design.decided_pairs import DecidedPair, decided_in

RULE = "(rule)"  # stands in for a worker
SIGNS = {"a": 1, "b": -1, "tie": 0}


def decided_pairs(run: AnalysisRun) -> list[DecidedPair]:
    """Return the decided pairs of the batches that had opened before a run."""
    batches = run.study.batches.filter(onboarding=False, opened_at__lte=run.created_at)
    return list(decided_in([run.batch] if run.batch else batches))


def with_decided(
    run: AnalysisRun, measures: Sequence[Measure], votes: pd.DataFrame
) -> pd.DataFrame:
    """Return the votes plus one row per vote of the decided pairs of these measures."""
    rows = [row for measure in measures for row in _rows(run, measure)]
    if not rows:
        return votes
    decided = pd.DataFrame(rows, columns=[*VOTES]).reindex(columns=votes.columns)
    return pd.concat([votes, decided], ignore_index=True)


def _rows(run: AnalysisRun, measure: Measure) -> list[dict[str, object]]:
    if measure.does != Does.COMPARES or measure.per_slot:
        return []
    labels = {sign: label for label, sign in reversed(measure.outcomes.items())}
    most = run.parameters.get("votes_per_item")
    return [
        {
            "item": f"{pair.a}|{pair.b}",
            "a": pair.a,
            "b": pair.b,
            "topic": pair.topic,
            "worker": f"{RULE} {number}",
            "question": measure.key,
            "value": labels[SIGNS[pair.winner]],
            "score": math.nan,
            "shown": "",
            "assignment": math.nan,
            "task": math.nan,
            "position": math.nan,
            "counted": True,
        }
        for pair in decided_pairs(run)
        if pair.kind == measure.kind and SIGNS[pair.winner] in labels
        for number in range(1, min(pair.votes, most or pair.votes) + 1)
    ]
