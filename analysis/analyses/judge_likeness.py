"""Rows of the people who vote like an LLM judge."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from analysis.analyses.judge_bench import Bench
from analysis.stats.judges.judge_comparison import Judge
from analysis.stats.manipulation.compared_votes import ComparedVotes
from analysis.stats.manipulation.similar_pairs import like_judge

LIKENESS = ("judge", "worker", "items", "same", "expected", "likeness", "p", "q")
MOST_PEOPLE = 20  # of a judge that are listed: those with the strongest evidence


def likeness(bench: Bench, judge: Judge) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield one row for each person, the least p first. Raises CannotCompute."""
    if not bench.is_pair:
        return
    system = bench.texts["system"].fillna("")
    labels = pd.concat([bench.votes, judge.labels.assign(worker=judge.name)], ignore_index=True)
    frame = pd.DataFrame(
        {
            "item": labels["unit"],
            "worker": labels["worker"],
            "topic": labels["topic"],
            "a": labels["first"],
            "b": labels["second"],
            "system_a": labels["first"].map(system).fillna(""),
            "system_b": labels["second"].map(system).fillna(""),
            "left": labels["left"],
            "outcome": labels["value"].map(bench.measure.outcomes).astype(float),
        }
    )
    rows = like_judge(ComparedVotes.from_frame(frame), judge.name).frame
    rows["worker"] = rows["worker"].where(rows["worker"] != judge.name, rows["other_worker"])
    for row in rows.head(MOST_PEOPLE).drop(columns="other_worker").to_dict("records"):
        yield "likeness", {str(name): value for name, value in row.items()}


def corrected(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows with q corrected for the number of judges."""
    judges = len({row["judge"] for row in rows})
    return [{**row, "q": min(1.0, row["q"] * judges)} for row in rows]
