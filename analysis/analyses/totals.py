"""Scores of texts and systems by criterion, scale and total."""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from analysis.analyses.conditions import to_totals
from analysis.inputs.analysis_input import AnalysisInput, Tables, table, table_of
from analysis.inputs.columns import Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.measures import Does, Measure
from analysis.stats.effects.linear_scores import LEAST_ANSWERS, LEAST_RATERS, LinearScore
from analysis.stats.errors import CannotCompute
from analysis.stats.labels.worker_copies import counted_once

SCORES = (
    "method", "by", "topic", "unit", "scale", "value", "low", "high", "n", "raters", "dont_know",
)  # fmt: skip
UNKNOWN = ("method", "topic", "unit", "criterion", "dont_know", "counts_as")
COUNTED = ("wins", "number of yes", "best minus worst")
MEAN = "mean"


def totals(data: AnalysisInput) -> Tables:
    """Return scores of texts and systems as Popp et al. print them, each with its interval and n.

    Wins, numbers of yes and best-worst counts are added up, means are averaged: over the criteria
    of a scale, over all criteria, over the texts of a system. “Don't know” is no win and no yes,
    but no answer where grades are averaged.
    """
    rows: list[dict[str, Any]] = []
    unknown: list[list[Any]] = []
    systems = _systems(data)
    for instrument in dict.fromkeys(measure.instrument for measure in data.measures):
        measures = [candidate for candidate in data.measures if candidate.instrument == instrument]
        method, texts, doubts = _texts(data, measures)
        unknown += _unknown(f"{instrument}: {method}", method, texts, doubts)
        criteria = list(dict.fromkeys(measure.about for measure in measures))
        for about, scores in (*_each(texts), *_together(texts, systems, method)):
            counted = _doubts_of(about, doubts, systems)
            for scale, linear in _scales(scores, criteria, measures[0].totals, method):
                score = linear.scored(
                    confidence=data.confidence,
                    least_raters=LEAST_RATERS,
                    least_answers=LEAST_ANSWERS,
                )
                parts = _parts(scale, criteria, measures[0].totals)
                rows.append(
                    {"method": f"{instrument}: {method}", "scale": scale}
                    | about
                    | {"value": score.value, "low": score.low, "high": score.high}
                    | {"n": score.n, "raters": score.raters}
                    | {"dont_know": sum(counted.get(part, 0) for part in parts)}
                )
    if not rows:
        raise CannotCompute("no_scores", "Totals cannot be computed because no text has answers.")
    frame = pd.DataFrame(rows)[list(SCORES)]
    return {
        "texts": table(_wide(frame[frame["by"] == "text"])),
        "systems": table(_wide(frame[frame["by"] == "system"])),
        "scores": table(frame),
        "unknown": table_of(UNKNOWN, unknown),
    }


Scores = Mapping[str, LinearScore]  # criterion -> score
Doubts = Mapping[tuple[str, str], Mapping[str, int]]  # (topic, text) -> criterion -> don't know


def _texts(
    data: AnalysisInput, measures: Sequence[Measure]
) -> tuple[str, dict[tuple[str, str], dict[str, LinearScore]], Doubts]:
    """Return the method, the scores of each (topic, text) by criterion, and “don't know” counts."""
    parts: dict[tuple[str, str], dict[str, dict[str, dict[Hashable, float]]]] = {}
    doubts: dict[tuple[str, str], Counter[str]] = {}
    method = _method(measures[0])
    for measure in measures:
        for topic, text, item, rater in _abstentions(data, measure):
            doubts.setdefault((topic, text), Counter())[measure.about] += 1
            of_text = parts.setdefault((topic, text), {})
            if method != MEAN:  # it is no win, and no yes
                of_item = of_text.setdefault(measure.about, {}).setdefault(item, {})
                of_item.setdefault(rater, 0.0)
        votes = counted_once(data.counted[data.counted["question"] == measure.key])
        for topic, text, item, rater, mark in _marks(measure, votes):
            of_text = parts.setdefault((topic, text), {})
            of_item = of_text.setdefault(measure.about, {}).setdefault(item, {})
            of_item[rater] = of_item.get(rater, 0.0) + mark
    linear_by_text: dict[tuple[str, str], dict[str, LinearScore]] = {}
    for key, criteria in sorted(parts.items()):
        for criterion, items in criteria.items():
            linear = LinearScore()
            for answers in items.values():
                linear.add(1.0 if method == MEAN else float(len(answers)), answers)
            linear_by_text.setdefault(key, {})[criterion] = linear
    return method, linear_by_text, doubts


def _abstentions(data: AnalysisInput, measure: Measure) -> Iterator[tuple[str, str, str, str]]:
    """Yield (topic, text, item, rater) of each answer “don't know” and each text that it is on."""
    if data.abstained is None or not measure.absent:
        return
    rows = data.abstained[data.abstained["question"] == measure.key]
    slots = ("response",) if measure.does == Does.SCORES else measure.slots or ("a", "b")
    for row in rows.to_dict("records"):
        for slot in slots:
            yield row["topic"], row[slot], row["item"], row["worker"]


def _unknown(
    name: str, method: str, texts: Mapping[tuple[str, str], Scores], doubts: Doubts
) -> Iterator[list[Any]]:
    """Yield a row of UNKNOWN for each criterion of a text that all raters answered “don't know”."""
    for (topic, text), criteria in sorted(doubts.items()):
        for criterion, count in criteria.items():
            linear = texts.get((topic, text), {}).get(criterion)
            if linear is None:
                yield [name, topic, text, criterion, count, "no score"]
            elif method != MEAN and sum(len(answers) for _, answers in linear.terms) == count:
                yield [name, topic, text, criterion, count, f"0 in the {method}"]


def _doubts_of(
    about: Mapping[str, str], doubts: Doubts, systems: Mapping[str, str]
) -> Mapping[str, int]:
    """Return how many answers on a text, or on the texts of a system, were “don't know”."""
    if about["by"] == "text":
        return doubts.get((about["topic"], about["unit"]), {})
    counts: Counter[str] = Counter()
    for (_, text), criteria in doubts.items():
        if systems.get(text) == about["unit"]:
            counts.update(criteria)
    return counts


def _parts(
    scale: str, criteria: Sequence[str], totals: Sequence[tuple[str, Sequence[str]]]
) -> Sequence[str]:
    """Return the criteria of a scale or total; a criterion is its own only part."""
    return (scale,) if scale in criteria else dict(totals)[scale] or criteria


def _marks(measure: Measure, votes: pd.DataFrame) -> Iterator[tuple[str, str, str, str, float]]:
    """Yield (topic, text, item, rater, mark) for each answer and text shown; a tie is no win."""
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
) -> Iterator[tuple[str, LinearScore]]:
    """Yield each criterion, and the totals of its instrument of which no criterion is missing."""
    yield from ((name, scores[name]) for name in criteria if name in scores)
    for name, total_parts in totals:
        parts = total_parts or criteria
        if len(parts) > 1 and all(part in scores for part in parts):
            yield name, _combined([scores[part] for part in parts], method)


def _combined(parts: Sequence[LinearScore], method: str) -> LinearScore:
    total = LinearScore()
    for part in parts:
        total = total.plus(1 / len(parts) if method == MEAN else 1.0, part)
    return total


def _each(
    texts: Mapping[tuple[str, str], Scores],
) -> Iterator[tuple[dict[str, str], Scores]]:
    for (topic, text), scores in texts.items():
        yield {"by": "text", "topic": topic, "unit": text}, scores


def _together(
    texts: Mapping[tuple[str, str], Scores], systems: Mapping[str, str], method: str
) -> Iterator[tuple[dict[str, str], Scores]]:
    """Yield each system with the scores of all its texts."""
    texts_by_system: dict[str, list[Scores]] = {}
    for (_, text), scores in texts.items():
        if systems.get(text):
            texts_by_system.setdefault(systems[text], []).append(scores)
    for system, of_texts in sorted(texts_by_system.items()):
        criteria = [
            name for name in of_texts[0] if all(name in text_scores for text_scores in of_texts)
        ]
        scores = {
            name: _combined([of_text[name] for of_text in of_texts], method) for name in criteria
        }
        yield {"by": "system", "topic": "", "unit": system}, scores


def _systems(data: AnalysisInput) -> dict[str, str]:
    responses = data.responses
    assert responses is not None  # Reads.ALL_VOTES_ON_RESPONSES brings them
    with_system = responses.dropna(subset="system")
    return dict(zip(with_system["response"], with_system["system"], strict=True))


def _wide(frame: pd.DataFrame) -> pd.DataFrame:
    """Return one row for each unit, one column for each scale, in the order of the table."""
    if frame.empty:
        return pd.DataFrame()
    index = ["topic", "unit", "method"]
    order = list(dict.fromkeys(frame["scale"]))
    wide = frame.pivot_table(index=index, columns="scale", values="value", sort=False)
    wide = wide.reindex(columns=order).reset_index()
    wide.columns.name = None
    front = ["topic", "unit"] if (wide["topic"] != "").any() else ["unit"]
    return wide[[*front, *order, "method"]]


ANALYSIS = Analysis(
    name="totals",
    title="Totals",
    answers="What total does each text and system get, by criterion and scale?",
    assumes="Criteria have equal weight; texts were judged equally often.",
    reads=Reads.ALL_VOTES_ON_RESPONSES,
    applies=to_totals,
    function=totals,
    columns={
        "by": Column("Of"),
        "unit": Column("Text or system"),
        "dont_know": Column("Don't know", NumberFormat.WHOLE),
        "counts_as": Column("Counts as"),
    },
)
