"""Which questions are answered alike?"""

import pandas as pd

from analysis.inputs.asked import Asked, Tables, table
from analysis.stats.effects.associations import NotComparable, question_clusters
from analysis.stats.effects.associations import associations as correlate


def associations(asked: Asked) -> Tables:
    """Kendall's tau-b between the gold labels of all questions, and clusters of questions."""
    labels = asked.frame.pivot_table(
        index="item", columns="question", values="gold", aggfunc="first", observed=True
    )
    keys = [key for key in asked.options_of if key in labels]
    found = correlate(
        labels[keys],
        options=_common(asked, keys),
        draws=asked.draws,
        confidence=asked.confidence,
        seed=asked.seed,
    )
    clusters = question_clusters(found)
    others = pd.DataFrame(
        {
            "question": list(found.questions),
            "tau": found.others,
            "low": found.others_low,
            "high": found.others_high,
            "cluster": clusters.members,
        }
    )
    return {"associations": table(found.frame()), "others": table(others)}


def _common(asked: Asked, keys: list[str]) -> tuple[str, ...]:
    """The options of all questions, in an order that each question agrees with.

    A preference without a tie has the same options as one with it, and one fewer.
    """
    longest = max((asked.options_of[key] for key in keys), key=len, default=())
    for key in keys:
        if [each for each in longest if each in asked.options_of[key]] != [*asked.options_of[key]]:
            raise NotComparable("the questions have different scales")
    return longest
