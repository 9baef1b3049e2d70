"""What does each text, and each system, get in all: by criterion, scale and total?"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from analysis.analyses.described import COUNT, Analysis, Column, Display, N, Reads, to_totals
from analysis.inputs.asked import Asked, Tables, table
from analysis.inputs.measures import Does, Measure
from analysis.stats.effects.linear_scores import Linear
from analysis.stats.errors import CannotCompute
from analysis.stats.labels.repeats import counted_once

SCORES = ("method", "by", "topic", "unit", "scale", "value", "low", "high", "n", "raters")
COUNTED = ("wins", "number of yes", "best minus worst")
MEAN = "mean"


class NothingScored(CannotCompute):
    def __init__(self) -> None:
        super().__init__("Totals cannot be computed because no text has answers.")


def totals(asked: Asked) -> Tables:
    """Scores of texts and systems as Popp et al. print them, and each with its interval and n.

    Wins, numbers of yes and best-worst counts are added up, means are averaged: over the criteria
    of a scale, over all criteria, over the texts of a system.
    """
    rows: list[dict[str, Any]] = []
    systems = _systems(asked)
    for instrument in dict.fromkeys(measure.instrument for measure in asked.measures):
        mine = [each for each in asked.measures if each.instrument == instrument]
        method, texts = _texts(asked, mine)
        criteria = list(dict.fromkeys(measure.about for measure in mine))
        for about, scores in (*_each(texts), *_together(texts, systems, method)):
            for scale, linear in _scales(scores, criteria, mine[0].totals, method):
                score = linear.scored(confidence=asked.confidence)
                rows.append(
                    {"method": f"{instrument}: {method}", "scale": scale}
                    | about
                    | {"value": score.value, "low": score.low, "high": score.high}
                    | {"n": score.n, "raters": score.raters}
                )
    if not rows:
        raise NothingScored
    frame = pd.DataFrame(rows)[list(SCORES)]
    return {
        "texts": table(_wide(frame[frame["by"] == "text"])),
        "systems": table(_wide(frame[frame["by"] == "system"])),
        "scores": table(frame),
    }


Scores = Mapping[str, Linear]  # criterion -> score


def _texts(
    asked: Asked, measures: Sequence[Measure]
) -> tuple[str, dict[tuple[str, str], dict[str, Linear]]]:
    """How texts are scored, and of each (topic, text) its score by every criterion."""
    parts: dict[tuple[str, str], dict[str, dict[str, dict[Hashable, float]]]] = {}
    for measure in measures:
        votes = counted_once(asked.counted[asked.counted["question"] == measure.key])
        for topic, text, item, rater, mark in _marks(measure, votes):
            of_text = parts.setdefault((topic, text), {})
            of_item = of_text.setdefault(measure.about, {}).setdefault(item, {})
            of_item[rater] = of_item.get(rater, 0.0) + mark
    method = _method(measures[0])
    found: dict[tuple[str, str], dict[str, Linear]] = {}
    for key, criteria in sorted(parts.items()):
        for criterion, items in criteria.items():
            linear = Linear()
            for answers in items.values():
                linear.add(1.0 if method == MEAN else float(len(answers)), answers)
            found.setdefault(key, {})[criterion] = linear
    return method, found


def _marks(measure: Measure, votes: pd.DataFrame) -> Iterator[tuple[str, str, str, str, float]]:
    """(topic, text, item, rater, mark): what each answer adds to each text that it had before it;
    a tie is a win of nobody."""
    if measure.does == Does.SCORES:
        for row in votes.to_dict("records"):
            yield row["topic"], row["response"], row["item"], row["worker"], row["score"]
        return
    compares = measure.does == Does.COMPARES
    sign = 1 if compares or measure.polarity == "best" else -1
    for row in votes.to_dict("records"):
        outcome = measure.outcomes.get(row["value"], 0)
        chosen = {1: "a", -1: "b"}.get(outcome) if compares else row["value"]
        for slot in ("a", "b") if compares else measure.slots:
            mark = float(sign) if slot == chosen else 0.0
            yield row["topic"], row[slot], row["item"], row["worker"], mark


def _method(measure: Measure) -> str:
    if measure.does == Does.COMPARES:
        return COUNTED[0]
    if measure.does == Does.CHOOSES:
        return COUNTED[2]
    return COUNTED[1] if {option.score for option in measure.options} == {0, 1} else MEAN


def _scales(
    scores: Scores,
    criteria: Sequence[str],
    totals: Sequence[tuple[str, Sequence[str]]],
    method: str,
) -> Iterator[tuple[str, Linear]]:
    """Each criterion, and what its instrument adds up of several; nothing of which a criterion is
    missing."""
    yield from ((name, scores[name]) for name in criteria if name in scores)
    for name, said in totals:
        parts = said or criteria
        if len(parts) > 1 and all(part in scores for part in parts):
            yield name, _combined([scores[part] for part in parts], method)


def _combined(parts: Sequence[Linear], method: str) -> Linear:
    found = Linear()
    for part in parts:
        found = found.plus(1 / len(parts) if method == MEAN else 1.0, part)
    return found


def _each(
    texts: Mapping[tuple[str, str], Scores],
) -> Iterator[tuple[dict[str, str], Scores]]:
    for (topic, text), scores in texts.items():
        yield {"by": "text", "topic": topic, "unit": text}, scores


def _together(
    texts: Mapping[tuple[str, str], Scores], systems: Mapping[str, str], method: str
) -> Iterator[tuple[dict[str, str], Scores]]:
    """Each system, from all its texts."""
    own: dict[str, list[Scores]] = {}
    for (_, text), scores in texts.items():
        if systems.get(text):
            own.setdefault(systems[text], []).append(scores)
    for system, of_texts in sorted(own.items()):
        criteria = [name for name in of_texts[0] if all(name in each for each in of_texts)]
        scores = {name: _combined([each[name] for each in of_texts], method) for name in criteria}
        yield {"by": "system", "topic": "", "unit": system}, scores


def _systems(asked: Asked) -> dict[str, str]:
    responses = asked.responses
    assert responses is not None  # Reads.ALL_VOTES_ON_RESPONSES brings them
    known = responses.dropna(subset="system")
    return dict(zip(known["response"], known["system"], strict=True))


def _wide(frame: pd.DataFrame) -> pd.DataFrame:
    """One row a unit, one column a scale, in the order of the table."""
    if frame.empty:
        return pd.DataFrame()
    index = ["topic", "unit", "method"]
    order = list(dict.fromkeys(frame["scale"]))
    found = frame.pivot_table(index=index, columns="scale", values="value", sort=False)
    found = found.reindex(columns=order).reset_index()
    found.columns.name = None
    front = ["topic", "unit"] if (found["topic"] != "").any() else ["unit"]
    return found[[*front, *order, "method"]]


ANALYSIS = Analysis(
    name="totals",
    title="Totals",
    answers="What does each text, and each system, get in all: by criterion, scale and total?",
    assumes="Every criterion counts alike; every text was judged as often.",
    reads=Reads.ALL_VOTES_ON_RESPONSES,
    applies=to_totals,
    function=totals,
    part="systems",
    place=7,
    lede="Wins, numbers of yes and best-worst counts are added up, mean grades are averaged: over "
    "the criteria of a scale, over all criteria, over the texts of a system. A tie is a win of "
    "nobody. Intervals ({percent}) over raters are in the table of all scores.",
    columns={
        "by": Column("Of"),
        "unit": Column("Text or system"),
        "n": N,
        "raters": COUNT,
    },
    tables={
        "systems": Display("Systems by criterion, scale and total"),
        "texts": Display("Texts by criterion, scale and total", folded=True),
        "scores": Display("All scores with intervals", folded=True),
    },
)
