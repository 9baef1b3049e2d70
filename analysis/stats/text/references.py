"""Prediction of a response's grade by its likeness to the best response of the topic.

Gienapp et al. 2025: within each topic the response with the best grade is the reference; the
measure of each other response against it is correlated with the grades.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Literal, get_args

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Floats
from analysis.stats.errors import BadSetting, CannotCompute, missing_columns
from analysis.stats.text.bleu import sentence_bleu
from analysis.stats.text.rouge import rouge_l, rouge_tokens
from analysis.stats.text.topic_bootstrap import Bootstrap, summarise

Measure = Literal["bleu", "rouge_l", "bertscore"]
Pairs = Sequence[tuple[str, str]]

FULL, BEST_WORST = "full", "best_worst"


@dataclass(frozen=True, eq=False, kw_only=True)
class ReferenceResult:
    """Correlations of measures with grades.

    frame: one row a dimension, measure and comparison: dimension, measure, comparison, value, low,
    high, sd, n (topics with a value), topics.
    comparison "full": mean over topics of Spearman's rho over all responses but the reference.
    "best_worst": mean of +1 where the best of them is measured above the worst, -1 below, 0 equal.
    undefined: topics by dimension, measure and comparison without a value, because all grades or
    all measurements are alike.
    """

    frame: pd.DataFrame
    undefined: int
    measures: tuple[Measure, ...]
    bootstrap: Bootstrap


def reference_based(
    texts: pd.DataFrame,
    grades: pd.DataFrame,
    *,
    measures: Sequence[Measure] = ("bleu", "rouge_l"),
    swapped: bool = False,
    bootstrap: Bootstrap | None = None,
) -> ReferenceResult:
    """Correlate measures against the best response of a topic with the grades of the others.

    texts: columns response, topic, text (without citations). grades: response, dimension, grade,
    higher is better. Of several best responses each is the reference once, and the mean counts.
    swapped exchanges text and reference in BLEU, as the published code of the paper does.

    Raises CannotCompute (missing_columns, no_comparable_topics, not_installed), BadSetting.
    """
    bootstrap = bootstrap or Bootstrap()
    unknown = [name for name in measures if name not in get_args(Measure)]
    if unknown or not measures:
        raise BadSetting("measures", tuple(measures), "some of bleu, rouge_l and bertscore")
    graded = _graded(texts, grades)
    pairs = sorted({pair for cell in graded for pair in product(cell.best, cell.grade)})
    rows: list[tuple[object, ...]] = []
    text_by_response = dict(zip(texts["response"], texts["text"], strict=True))
    for measure in measures:
        scores = _MEASURES[measure](text_by_response, pairs, swapped)
        measured = dict(zip(pairs, scores.tolist(), strict=True))
        for cell in graded:
            for comparison, value in cell.compared(measured).items():
                rows.append((cell.topic, cell.dimension, measure, comparison, value))
    names = ["topic", "dimension", "measure", "comparison", "value"]
    rows_frame = pd.DataFrame(rows, columns=names)
    return ReferenceResult(
        frame=summarise(rows_frame, "value", names[1:4], bootstrap=bootstrap),
        undefined=int(rows_frame["value"].isna().sum()),
        measures=tuple(measures),
        bootstrap=bootstrap,
    )


def bleu_scores(told: Mapping[str, str], pairs: Pairs, swapped: bool = False) -> Floats:
    """Return BLEU with n up to 4 of pairs (reference, response)."""
    place = {response: number for number, response in enumerate(told)}
    reference, text = (
        np.array([place[pair[side]] for pair in pairs], dtype=np.int64) for side in (0, 1)
    )
    if swapped:
        reference, text = text, reference
    listed = list(told.values())
    alternatives = [[segment] for segment in listed]
    return sentence_bleu(listed, alternatives, text=text, reference=reference).score


def rouge_scores(told: Mapping[str, str], pairs: Pairs, swapped: bool = False) -> Floats:
    """Return the F1 of ROUGE-L of pairs, over stems; it is the same when swapped."""
    tokens = {response: rouge_tokens(text) for response, text in told.items()}
    return np.array([rouge_l(tokens[first], tokens[other]) for first, other in pairs])


def bert_scores(told: Mapping[str, str], pairs: Pairs, swapped: bool = False) -> Floats:
    """Return the F1 of BERTScore of pairs (Zhang et al. 2020); downloads its model at first use.

    Raises CannotCompute (not_installed) without the package bert-score.
    """
    try:
        import bert_score
    except ImportError as error:
        raise CannotCompute(
            "not_installed",
            "BERTScore cannot be computed because bert-score is not installed. Run "
            '`pip install "crowdwright[bertscore]"`, or `pip install bert-score`.',
        ) from error
    candidates = [told[response] for _, response in pairs]
    references = [told[reference] for reference, _ in pairs]
    _, _, score = bert_score.score(candidates, references, lang="en")
    return np.asarray(score.numpy(), dtype=np.float64)


_MEASURES: Mapping[Measure, Callable[[Mapping[str, str], Pairs, bool], Floats]] = MappingProxyType(
    {"bleu": bleu_scores, "rouge_l": rouge_scores, "bertscore": bert_scores}
)


@dataclass(frozen=True)
class _Graded:
    """Graded responses of a topic in a dimension, and the best of them."""

    topic: str
    dimension: str
    grade: dict[str, float]
    best: tuple[str, ...]

    def compared(self, measured: Mapping[tuple[str, str], float]) -> dict[str, float]:
        """Return the value of each comparison, mean over the references; NaN where undefined."""
        full, extremes = [], []
        for reference in self.best:
            others = [response for response in self.grade if response != reference]
            grades = np.array([self.grade[response] for response in others])
            scores = np.array([measured[reference, response] for response in others])
            varied = np.ptp(grades) > 0 and np.ptp(scores) > 0
            full.append(_rho(grades, scores) if varied else np.nan)
            extremes.append(_sign(grades, scores))
        return {FULL: _mean(full), BEST_WORST: _mean(extremes)}


def _rho(grades: Floats, scores: Floats) -> float:
    """Return Spearman's rho, as scipy.stats.spearmanr does, which takes its time for p as well."""
    return float(np.asarray(np.corrcoef(scipy.stats.rankdata([grades, scores], axis=1)))[1, 0])


def _sign(grades: Floats, scores: Floats) -> float:
    """Return the mean sign of the difference in score, between the best and the worst grades."""
    if np.ptp(grades) == 0:
        return float("nan")
    top, bottom = scores[grades == grades.max()], scores[grades == grades.min()]
    return float(np.sign(top[:, None] - bottom[None, :]).mean())


def _mean(values: list[float]) -> float:
    defined = [value for value in values if not np.isnan(value)]
    return float(np.mean(defined)) if defined else float("nan")


def _graded(texts: pd.DataFrame, grades: pd.DataFrame) -> list[_Graded]:
    """Return the topics and dimensions with at least three graded responses."""
    for frame_name, frame, columns in (
        ("texts", texts, ("response", "topic", "text")),
        ("grades", grades, ("response", "dimension", "grade")),
    ):
        missing = [name for name in columns if name not in frame.columns]
        if missing:
            raise missing_columns(missing, frame=frame_name)
    graded_responses = grades[grades["grade"].notna()].merge(
        texts[["response", "topic"]], on="response"
    )
    graded = []
    for (topic, dimension), cell in graded_responses.groupby(["topic", "dimension"], sort=False):
        grade = dict(zip(cell["response"], cell["grade"].astype(float), strict=True))
        if len(grade) >= 3:
            top = max(grade.values())
            best = tuple(response for response in grade if grade[response] == top)
            graded.append(_Graded(str(topic), str(dimension), grade, best))
    if not graded:
        raise CannotCompute(
            "no_comparable_topics",
            "Similarity to a reference cannot be computed because no topic has at least three "
            "scored responses: the reference and two to compare.",
        )
    return graded
