"""Weights of a score learned from preferences between two summaries (SGSS = w . phi).

Votes on degraded copies count as votes on any text: the labels of a copy are those of its original
(Sakai et al. 2026, section 4.1).
"""

from collections.abc import Container, Hashable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.analyses.summary_scoring import COMP, Scoring
from analysis.inputs.analysis_input import AnalysisInput, Tables, table_of
from analysis.inputs.measures import Measure
from analysis.inputs.summaries import is_preference
from analysis.stats.arrays import Flags, Floats
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.labels.worker_copies import counted_once
from analysis.stats.summaries.labelled_summaries import LabelledSummary
from analysis.stats.summaries.preference_weights import (
    PreferenceWeights,
    mean_agreement_rate,
    preference_weights,
    split_by_topic,
)
from analysis.stats.summaries.user_experience import PARTS

WEIGHTS = ("question", "part", "weight", "se", "given", "labels", "topics")
AGREEMENT = ("question", "foretold_by", "mean_agreement_rate", "pairs", "labels", "topics")


def learned_weights(
    data: AnalysisInput, labelled: Mapping[str, LabelledSummary], scoring: Scoring
) -> tuple[Tables, list[list[str]]]:
    """Return weights learned on some topics, their predictions of the others, and reasons.

    Predictions are also those of the given weights and of weights without a part. `found`: the
    summaries by the key of the text, degraded copies included.
    """
    weights: list[list[Any]] = []
    agreement: list[list[Any]] = []
    reasons = []
    parts = [*scoring.asked, *([COMP] if scoring.covers else [])]
    phi = {
        key: _phi(summary, scoring, parts)
        for key, summary in labelled.items()
        if scoring.is_whole(summary)
    }
    for measure in filter(is_preference, data.measures):
        labels, unused = _preferences(data, measure, phi, labelled)
        reasons += [[measure.key, reason] for reason in unused]
        if labels.empty:
            continue
        try:
            trial = LearnedWeights(labels, phi, parts, scoring)
            agreement.append([measure.key, *trial.of("given weights", trial.given)])
            agreement += [[measure.key, *row] for row in trial.of_learned()]
            weights += [[measure.key, *row] for row in trial.weights()]
        except (CannotCompute, BadSetting) as reason:
            reasons.append([measure.key, str(reason)])
    return {
        "weights": table_of(WEIGHTS, weights),
        "agreement": table_of(AGREEMENT, agreement),
    }, reasons


def _phi(summary: LabelledSummary, scoring: Scoring, parts: Sequence[str]) -> Floats:
    values = dict(zip(PARTS, summary.parts(scoring.most), strict=True))
    scores = dict(scoring.scores(summary))
    values[COMP] = scores[COMP].value() if COMP in scores else 0.0
    return np.array([values[part] for part in parts])


def _preferences(
    data: AnalysisInput,
    measure: Measure,
    phi: Mapping[str, Floats],
    structured: Container[str],
) -> tuple[pd.DataFrame, list[str]]:
    """Return votes on two scored summaries, and sentences that count the other votes.

    Columns: topic, a, b, left (a is preferred).
    """
    votes = counted_once(data.counted[data.counted["question"] == measure.key])
    outcome = votes["value"].map(measure.outcomes)
    is_structured, is_scored = (
        [a in among and b in among for a, b in zip(votes["a"], votes["b"], strict=True)]
        for among in (structured, phi)
    )
    unused = votes.assign(why="")
    unused.loc[outcome == 0, "why"] = "prefer neither text"
    unused.loc[~np.array(is_scored, dtype=bool), "why"] = "are on a summary without all its labels"
    unused.loc[~np.array(is_structured, dtype=bool), "why"] = (
        "are on a text without the parts of a structured summary"
    )
    sentences = [
        f"{n:,} of {len(votes):,} preference votes are not used because they {why}."
        for why, n in unused[unused["why"] != ""]["why"].value_counts().items()
    ]
    is_used = unused["why"] == ""
    labels = votes[is_used].assign(left=outcome[is_used] > 0)[["topic", "a", "b", "left"]]
    return labels, sentences


class LearnedWeights:
    """Weights learned on some topics, and tested on the others. Raises BadSetting."""

    def __init__(
        self,
        labels: pd.DataFrame,
        phi: dict[str, Floats],
        parts: Sequence[str],
        scoring: Scoring,
    ) -> None:
        self.parts, self.given, self.settings = parts, _given(parts, scoring), scoring.settings
        self.training, self.test = split_by_topic(list(labels["topic"]), train=self.settings.train)
        self.labels, self.left = labels, labels["left"].to_numpy(dtype=bool)
        pairs = zip(labels["a"], labels["b"], strict=True)
        self.differences = np.array([phi[a] - phi[b] for a, b in pairs])

    def of(self, name: str, weights: Floats) -> list[Any]:
        """Return how well weights predict the topics of the test: a row of AGREEMENT."""
        tested = self.labels[self.test]
        rate = _mar(tested, self.differences[self.test] @ weights, self.left[self.test])
        pairs = len(tested[["a", "b"]].drop_duplicates())
        return [name, rate, pairs, len(tested), tested["topic"].nunique()]

    def of_learned(self) -> list[list[Any]]:
        """Return the rows of learned weights, of all parts and without each of them.

        Raises CannotCompute.
        """
        columns = range(len(self.parts))
        rows = [self.of("learned weights", self._fitted(columns).weights)]
        for k in columns if len(self.parts) > 1 else ():
            others = [column for column in columns if column != k]
            weights = np.zeros(len(self.parts))
            weights[others] = self._fitted(others).weights
            rows.append(self.of(f"learned without {self.parts[k].strip('_')}", weights))
        return rows

    def weights(self) -> list[list[Any]]:
        """Return rows of WEIGHTS. Raises CannotCompute."""
        learned = self._fitted(range(len(self.parts)))
        topics = self.labels[self.training]["topic"].nunique()
        rows = zip(self.parts, learned.weights, learned.se, self.given, strict=True)
        return [
            [part.strip("_"), float(w), float(se), float(weight), learned.n, topics]
            for part, w, se, weight in rows
        ]

    def _fitted(self, columns: Sequence[int]) -> PreferenceWeights:
        return preference_weights(
            self.differences[self.training][:, list(columns)],
            self.left[self.training],
            parts=[self.parts[k] for k in columns],
            ridge=self.settings.ridge,
        )


def _given(parts: Sequence[str], scoring: Scoring) -> Floats:
    by_part = {part: getattr(scoring.weights, part) for part in PARTS}
    return np.array([(by_part | {COMP: scoring.settings.comp})[part] for part in parts])


def _mar(labels: pd.DataFrame, ahead: Floats, left: Flags) -> float:
    """Return MAR over pairs, which are in the order of their labels."""
    pairs: dict[Hashable, tuple[float, list[bool]]] = {}
    for a, b, delta, preferred in zip(labels["a"], labels["b"], ahead, left, strict=True):
        pairs.setdefault((a, b), (float(delta), []))[1].append(bool(preferred))
    return mean_agreement_rate(
        [(delta, np.array(pair_votes)) for delta, pair_votes in pairs.values()]
    )
