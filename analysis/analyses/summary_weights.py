"""The weights of a score that preferences between two summaries teach (SGSS = w . phi)."""

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.analyses.summary_scoring import COMP, Scoring
from analysis.inputs.asked import Asked, Tables, table_of
from analysis.inputs.measures import Measure
from analysis.inputs.summaries import is_preference
from analysis.stats.arrays import Flags, Floats
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.labels.repeats import counted_once
from analysis.stats.summaries.labelled import LabelledSummary
from analysis.stats.summaries.preferences import (
    mean_agreement_rate,
    preference_weights,
    split_by_topic,
)
from analysis.stats.summaries.usefulness import PARTS

WEIGHTS = ("question", "part", "weight", "se", "given", "labels", "topics")
AGREEMENT = ("question", "score", "mean_agreement_rate", "pairs", "labels", "topics")


def taught(
    asked: Asked, found: Sequence[LabelledSummary], scoring: Scoring
) -> tuple[Tables, list[list[str]]]:
    """Weights from the preferences on half of the topics, and how well they, the given ones, and
    those without a part foretell the others; and why there are none."""
    weights: list[list[Any]] = []
    agreement: list[list[Any]] = []
    reasons = []
    parts = [*scoring.asked, *([COMP] if scoring.covers else [])]
    phi = {each.key: _phi(each, scoring, parts) for each in found if scoring.is_whole(each)}
    for measure in filter(is_preference, asked.measures):
        labels = _preferences(asked, measure, phi)
        if labels.empty:
            continue
        try:
            of_weights, of_agreement = _learned(labels, phi, parts, scoring)
        except (CannotCompute, BadSetting) as reason:
            reasons.append([measure.key, str(reason)])
            continue
        weights += [[measure.key, *row] for row in of_weights]
        agreement += [[measure.key, *row] for row in of_agreement]
    return {
        "weights": table_of(WEIGHTS, weights),
        "agreement": table_of(AGREEMENT, agreement),
    }, reasons


def _phi(summary: LabelledSummary, scoring: Scoring, parts: Sequence[str]) -> Floats:
    values = dict(zip(PARTS, summary.parts(scoring.most), strict=True))
    scores = dict(scoring.scores(summary))
    values[COMP] = scores[COMP].value() if COMP in scores else 0.0
    return np.array([values[part] for part in parts])


def _preferences(asked: Asked, measure: Measure, phi: dict[str, Floats]) -> pd.DataFrame:
    """One row a label on two summaries that are scored: topic, a, b, left (a is preferred)."""
    votes = counted_once(asked.counted[asked.counted["question"] == measure.key])
    outcome = votes["value"].map(measure.outcomes)
    known = votes["a"].isin(phi) & votes["b"].isin(phi) & (outcome != 0)
    return votes[known].assign(left=outcome[known] > 0)[["topic", "a", "b", "left"]]


def _learned(
    labels: pd.DataFrame, phi: dict[str, Floats], parts: Sequence[str], scoring: Scoring
) -> tuple[list[list[Any]], list[list[Any]]]:
    """Rows of WEIGHTS and AGREEMENT, without the question. Raises CannotCompute, BadSetting."""
    settings = scoring.settings
    training, test = split_by_topic(list(labels["topic"]), train=settings.train)
    differences = np.array([phi[a] - phi[b] for a, b in zip(labels["a"], labels["b"], strict=True)])
    left = labels["left"].to_numpy(dtype=bool)
    given = _given(parts, scoring)

    def fitted(columns: Sequence[int]) -> Any:
        names = [parts[k] for k in columns]
        mine = differences[training][:, list(columns)]
        return preference_weights(mine, left[training], parts=names, ridge=settings.ridge)

    every = range(len(parts))
    whole = fitted(every)
    tested = labels[test]
    counts = (len(tested[["a", "b"]].drop_duplicates()), len(tested), tested["topic"].nunique())

    def row(name: str, w: Floats) -> list[Any]:
        return [name, _mar(tested, differences[test] @ w, left[test]), *counts]

    agreement = [row("given weights", given), row("learned weights", whole.weights)]
    for k in every if len(parts) > 1 else ():
        others = [each for each in every if each != k]
        w = np.zeros(len(parts))
        w[others] = fitted(others).weights
        agreement.append(row(f"learned without {parts[k].strip('_')}", w))
    topics = labels[training]["topic"].nunique()
    weights = [
        [part.strip("_"), float(w), float(se), float(g), whole.n, topics]
        for part, w, se, g in zip(parts, whole.weights, whole.se, given, strict=True)
    ]
    return weights, agreement


def _given(parts: Sequence[str], scoring: Scoring) -> Floats:
    """The weights by which the run scores."""
    known = {part: getattr(scoring.weights, part) for part in PARTS}
    return np.array([(known | {COMP: scoring.settings.comp})[part] for part in parts])


def _mar(labels: pd.DataFrame, ahead: Floats, left: Flags) -> float:
    """MAR over pairs, which stand in the order of their labels."""
    pairs: dict[Hashable, tuple[float, list[bool]]] = {}
    for a, b, delta, preferred in zip(labels["a"], labels["b"], ahead, left, strict=True):
        pairs.setdefault((a, b), (float(delta), []))[1].append(bool(preferred))
    return mean_agreement_rate([(delta, np.array(said)) for delta, said in pairs.values()])
