"""How many votes an item does the ranking need?"""

from collections.abc import Hashable, Iterator
from typing import Any

import pandas as pd

from analysis.analyses.described import (
    COUNT,
    HIDDEN,
    Analysis,
    Column,
    Display,
    Form,
    Reads,
    to_comparisons,
)
from analysis.inputs.asked import Asked, Tables, table
from analysis.inputs.settings import OF_WORKERS
from analysis.pages.results.figures import Figure, figure
from analysis.pages.results.found import Found
from analysis.plots import Curve, Point, Reference, curves
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.stability import ranking_stability

DRAWS = 50  # each ranks all topics once for every number of votes


def stability(asked: Asked) -> Tables:
    """Kendall's tau-b of the rankings from fewer votes an item to the ranking from all."""
    frame = asked.counted
    votes = pd.DataFrame(
        {
            "problem": frame["topic"],
            "a": frame["a"],
            "b": frame["b"],
            "outcome": frame["value"],
        }
    )
    outcomes: dict[Hashable, int] = dict(asked.measure.outcomes.items())
    found = ranking_stability(
        Comparisons.from_frame(votes, outcomes=outcomes),
        by="votes" if asked.setting("ranking") in OF_WORKERS else "labels",
        draws=min(asked.draws, DRAWS),
        ties=asked.setting("ties"),
        tie_parameter=asked.setting("tie_parameter"),
        ridge=asked.setting("ridge"),
        confidence=asked.confidence,
        seed=asked.seed,
    )
    columns = {
        "votes_per_item": found.votes_per_item,
        "tau": found.tau,
        "low": found.low,
        "high": found.high,
    }
    frame = pd.DataFrame(columns)
    frame["problems"], frame["items"], frame["draws"] = found.problems, found.items, found.draws
    return {"stability": table(frame)}


def figures(found: Found) -> Iterator[Figure]:
    if drawn := _curves(found, "stability", "tau"):
        yield figure(
            lambda title, width: curves(
                drawn,
                title=title,
                axis="votes an item",
                height_axis="Kendall’s tau with the full ranking",
                references=[Reference(1.0, "same ranking")],
                possible=(-1.0, 1.0),
                width=width,
                confidence=found.confidence,
            ),
            title="Stability of the ranking",
            caption="The curve ends at 1 because all votes are compared with themselves: it says "
            "how much fewer votes would have changed, and nothing about more of them.",
        )


def _curves(found: Found, analysis: str, y: str) -> list[Curve]:
    by_question: dict[str, list[dict[str, Any]]] = {}
    for row in found.records(analysis, analysis):
        if row[y] is not None:
            by_question.setdefault(row["question"], []).append(row)
    return [
        Curve(
            found.words.of(question),
            [Point(row["votes_per_item"], row[y], row["low"], row["high"]) for row in rows],
            max(int(row["items"]) for row in rows),
        )
        for question, rows in by_question.items()
    ]


ANALYSIS = Analysis(
    name="stability",
    title="Stability of the ranking",
    answers="How near would fewer votes an item come to the ranking of all votes?",
    assumes="Votes on an item are exchangeable.",
    reads=Reads.VOTES,
    applies=to_comparisons,
    function=stability,
    part="systems",
    place=2,
    columns={
        "votes_per_item": COUNT,
        "tau": Column("Kendall’s tau-b"),
        "problems": Column("Topics", Form.WHOLE),
        "items": COUNT,
        "draws": HIDDEN,
    },
    tables={
        "stability": Display("By votes an item", folded=True),
    },
    figures=figures,
)
