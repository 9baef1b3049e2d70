"""Weights of a score learned from preferences between two summaries (SGSS = w . phi).

Votes on degraded copies count as votes on any text: the labels of a copy are those of its original
(Sakai et al. 2026, section 4.1). Weights are learned from votes alone, and from votes with the
preferences for originals that the paper assumes.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from analysis.analyses.summary_scoring import COMP, Scoring
from analysis.inputs.analysis_input import AnalysisInput, Tables, table_of
from analysis.inputs.measures import Measure
from analysis.inputs.summaries import is_preference
from analysis.stats.arrays import Floats
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.summaries.labelled_summaries import LabelledSummary
from analysis.stats.summaries.preference_weights import (
    PreferenceWeights,
    agreement_rate,
    mean_agreement,
    preference_weights,
    split_by_topic,
)
from analysis.stats.summaries.user_experience import PARTS

WEIGHTS = (
    "question", "labels_of", "learned_from", "part", "weight", "se", "given", "labels", "topics",
)  # fmt: skip
AGREEMENT = (
    "question", "labels_of", "foretold_by", "mean_agreement_rate", "low", "high", "pairs", "labels",
    "topics",
)  # fmt: skip
PAIRS = (
    "question", "labels_of", "foretold_by", "topic", "a", "b", "difference", "preferences",
    "agreement_rate",
)  # fmt: skip
VOTES, COPIES = "votes", "votes and copies"


@dataclass(frozen=True)
class LabelSource:
    """Summaries as some raters label them.

    labelled: the summaries by the key of the text, degraded copies included; copies: each original
    with a copy that it is assumed to be preferred to, as (topic, original, copy).
    """

    name: str
    labelled: Mapping[str, LabelledSummary]
    copies: Sequence[tuple[str, LabelledSummary, LabelledSummary]]
    scoring: Scoring

    @property
    def parts(self) -> list[str]:
        return [*self.scoring.asked, *([COMP] if self.scoring.covers else [])]

    def phi(self, summary: LabelledSummary) -> Floats | None:
        return _phi(summary, self.scoring, self.parts) if self.scoring.is_whole(summary) else None


def learned_weights(
    data: AnalysisInput, sources: Sequence[LabelSource]
) -> tuple[Tables, list[list[str]]]:
    """Return weights learned on some topics, their predictions of the others, and reasons.

    Predictions are also those of the given weights and of weights without a part. The preferences
    are those of the run, for all sources of labels.
    """
    weights: list[list[Any]] = []
    agreement: list[list[Any]] = []
    pairs: list[list[Any]] = []
    reasons = []
    for measure in filter(is_preference, data.measures):
        for source in sources:
            labels, unused = _preferences(data, measure, source)
            reasons += [[measure.key, f"{_of(source, sources)}{why}"] for why in unused]
            if labels.empty:
                continue
            about = [measure.key, source.name]
            try:
                trial = LearnedWeights(labels, source, data.confidence)
                agreement.append([*about, *trial.of("given weights", trial.given)])
                pairs += [[*about, *row] for row in trial.pairs("given weights", trial.given)]
                for learned_from in (VOTES, COPIES):
                    rows, tested = trial.of_learned(learned_from)
                    agreement += [[*about, *row] for row in rows]
                    pairs += [[*about, *row] for row in tested]
                    weights += [[*about, learned_from, *r] for r in trial.weights(learned_from)]
            except (CannotCompute, BadSetting) as reason:
                reasons.append([measure.key, f"{_of(source, sources)}{reason}"])
            else:
                if trial.why:
                    reasons.append([measure.key, f"{_of(source, sources)}{trial.why}"])
    return {
        "weights": table_of(WEIGHTS, weights),
        "agreement": table_of(AGREEMENT, agreement),
        "pairs": table_of(PAIRS, pairs),
    }, reasons


def _of(source: LabelSource, sources: Sequence[LabelSource]) -> str:
    return f"Labels of {source.name}: " if len(sources) > 1 else ""


def _phi(summary: LabelledSummary, scoring: Scoring, parts: Sequence[str]) -> Floats:
    values = dict(zip(PARTS, summary.parts(scoring.most), strict=True))
    scores = dict(scoring.scores(summary))
    values[COMP] = scores[COMP].value() if COMP in scores else 0.0
    return np.array([values[part] for part in parts])


def _preferences(
    data: AnalysisInput, measure: Measure, source: LabelSource
) -> tuple[pd.DataFrame, list[str]]:
    """Return votes on two scored summaries, and sentences that count the other votes.

    Columns: topic, a, b, left (a is preferred).
    """
    structured = source.labelled
    phi = {key for key, summary in structured.items() if source.scoring.is_whole(summary)}
    votes = data.frame[data.frame["question"] == measure.key]
    outcome = votes["value"].map(measure.outcomes)
    is_structured, is_scored = (
        [a in among and b in among for a, b in zip(votes["a"], votes["b"], strict=True)]
        for among in (structured, phi)
    )
    unused = votes.assign(why=votes["unused"])
    unused.loc[outcome == 0, "why"] = "prefer neither text"
    unused.loc[~np.array(is_scored, dtype=bool), "why"] = "are on a summary with missing labels"
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

    def __init__(self, labels: pd.DataFrame, source: LabelSource, confidence: float) -> None:
        self.parts, self.given = source.parts, _given(source.parts, source.scoring)
        self.settings, self.confidence, self.why = source.scoring.settings, confidence, ""
        self.training, self.test = split_by_topic(list(labels["topic"]), train=self.settings.train)
        self.labels, self.left = labels, labels["left"].to_numpy(dtype=bool)
        pairs = zip(labels["a"], labels["b"], strict=True)
        phi = {key: source.phi(summary) for key, summary in source.labelled.items()}
        self.differences = np.array([_less(phi[a], phi[b]) for a, b in pairs])
        # As assumed: an original is preferred to its copy, on topics that are trained on.
        topics = set(labels[self.training]["topic"])
        assumed = [
            difference
            for topic, original, copy in source.copies
            if topic in topics
            and (difference := _less(source.phi(original), source.phi(copy))).any()
        ]
        self.assumed = np.array(assumed).reshape(len(assumed), len(self.parts))

    def of(self, name: str, weights: Floats) -> list[Any]:
        """Return how well weights predict the topics of the test: a row of AGREEMENT."""
        tested = self.labels[self.test]
        pairs = self.pairs(name, weights)
        topics = [topic for _, topic, *_ in pairs]
        mar = mean_agreement(np.array([r[-1] for r in pairs]), topics, confidence=self.confidence)
        self.why = self.why or mar.why
        return [name, mar.value, mar.low, mar.high, len(pairs), len(tested), len(set(topics))]

    def pairs(self, name: str, weights: Floats) -> list[list[Any]]:
        """Return AR of each pair of the test: rows of PAIRS."""
        tested = self.labels[self.test].assign(ahead=self.differences[self.test] @ weights)
        return [
            [
                name,
                *map(str, pair),
                float(rows["ahead"].iloc[0]),
                len(rows),
                agreement_rate(float(rows["ahead"].iloc[0]), rows["left"].to_numpy(dtype=bool)),
            ]
            for pair, rows in tested.groupby(["topic", "a", "b"], sort=False)
        ]

    def of_learned(self, learned_from: str) -> tuple[list[list[Any]], list[list[Any]]]:
        """Return the rows of learned weights, of all parts and without each, and of pairs.

        Raises CannotCompute.
        """
        columns = range(len(self.parts))
        name = "learned weights" if learned_from == VOTES else "learned with copies"
        learned = self._fitted(columns, learned_from).weights
        rows = [self.of(name, learned)]
        for k in columns if len(self.parts) > 1 and learned_from == VOTES else ():
            others = [column for column in columns if column != k]
            weights = np.zeros(len(self.parts))
            weights[others] = self._fitted(others, learned_from).weights
            rows.append(self.of(f"learned without {self.parts[k].strip('_')}", weights))
        return rows, self.pairs(name, learned)

    def weights(self, learned_from: str) -> list[list[Any]]:
        """Return part, weight and so on: rows of WEIGHTS. Raises CannotCompute."""
        learned = self._fitted(range(len(self.parts)), learned_from)
        topics = self.labels[self.training]["topic"].nunique()
        rows = zip(self.parts, learned.weights, learned.se, self.given, strict=True)
        return [
            [part.strip("_"), float(w), float(se), float(weight), learned.n, topics]
            for part, w, se, weight in rows
        ]

    def _fitted(self, columns: Sequence[int], learned_from: str) -> PreferenceWeights:
        assumed = self.assumed if learned_from == COPIES else self.assumed[:0]
        differences = np.concatenate([self.differences[self.training], assumed])
        left = np.concatenate([self.left[self.training], np.ones(len(assumed), dtype=bool)])
        return preference_weights(
            differences[:, list(columns)],
            left,
            parts=[self.parts[k] for k in columns],
            ridge=self.settings.ridge,
        )


def _less(first: Floats | None, second: Floats | None) -> Floats:
    assert first is not None  # only pairs of whole summaries are read
    assert second is not None
    return first - second


def _given(parts: Sequence[str], scoring: Scoring) -> Floats:
    by_part = {part: getattr(scoring.weights, part) for part in PARTS}
    return np.array([(by_part | {COMP: scoring.settings.comp})[part] for part in parts])
