"""Rankings of systems by a model's grades of passages, beside those by people's grades."""

from collections.abc import Iterator

import pandas as pd

from analysis.analyses.retrieval import levels_of, runs_of, to_passages
from analysis.inputs.asked import Asked
from analysis.stats.labels.repeats import counted_once
from analysis.stats.retrieval.grading import mean_grades, qrels_from
from analysis.stats.retrieval.rankings import per_topic


def reciprocal_ranks(asked: Asked, mine: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Yield the name of MRR@k from each grade on, with its frame.

    The frame has one row a topic and system: score (by the model) and people. Only passages that
    both graded have a grade. Passages that are graded on points have none of these. Raises
    CannotCompute.
    """
    assert asked.beside is not None  # it reads judges beside people
    if not to_passages(asked.measure) or "criterion" in mine or asked.rankings is None:
        return
    theirs = asked.beside.people.dropna(subset="score")
    mine = mine[mine["item"].isin(theirs["item"])].dropna(subset="score")
    theirs = theirs[theirs["item"].isin(mine["item"])]
    runs = runs_of(asked, {*mine["topic"]})
    grades = [mean_grades(counted_once(votes)) for votes in (mine, theirs)]
    qrels = [qrels_from(each) for each in grades]
    for level in levels_of(asked):
        for k in asked.setting("cutoffs"):
            found = []
            for system, run in runs.items():
                ours, others = (
                    per_topic(run, each, ["recip_rank"], level=level, depth=k) for each in qrels
                )
                found.append(
                    ours[["topic"]].assign(
                        system=system, score=ours["value"], people=others["value"]
                    )
                )
            yield f"MRR@{k}, grade from {level}", pd.concat(found, ignore_index=True)
