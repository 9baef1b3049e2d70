"""Agreement of grades on the entries of a bank with judgments of the passages themselves.

Dietz (2024), Table 5 and the tables of the workbench: the label of a passage is its k-th highest
grade (k answers at least), and Cohen's kappa compares a set of labels with a set of judgments.

graded    each label, with the lowest judgment of its class
merged    three classes: labels from `level` on, those between, the lowest label; judgments of the
          upper half of the relevant ones, the other relevant ones, the rest
lenient   labels above the lowest, with relevant judgments
strict    labels from `level` on, with relevant judgments
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pandas as pd
import scipy

from analysis.stats.arrays import Flags, Floats
from analysis.stats.crossed_errors import jackknife_variance
from analysis.stats.design_checks import LEAST_UNITS
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.retrieval.rankings import Qrels

ANSWERS = (1, 2, 5)
KAPPAS = (
    "scheme", "answers", "label", "judgment", "tp", "fp", "fn", "tn", "passages", "kappa", "low",
    "high", "topics",
)  # fmt: skip


def binary_kappa(tp: float, fp: float, fn: float, tn: float) -> float:
    """Return Cohen's kappa of two raters who answer yes or no; NaN if both always gave the same."""
    n = tp + fp + fn + tn
    if n == 0:
        return float("nan")
    chance = ((tp + fp) * (tp + fn) + (fn + tn) * (fp + tn)) / n**2
    return ((tp + tn) / n - chance) / (1 - chance) if chance < 1 else float("nan")


def passage_labels(grades: pd.DataFrame, *, answers: int = 1, lowest: int = 0) -> pd.DataFrame:
    """Return the k-th highest grade of each passage: topic, passage, label.

    grades: topic, passage, entry, grade. A passage with fewer than k grades has the lowest one,
    because that many entries cannot be answered. Raises BadSetting.
    """
    if answers < 1:
        raise BadSetting("answers", answers, "1 or more")
    ranked = grades.sort_values("grade", ascending=False, kind="stable")
    keys = ["topic", "passage"]
    kth = ranked.groupby(keys, sort=False).nth(answers - 1).set_index(keys)["grade"]
    passages = grades[keys].drop_duplicates()
    labels = [kth.get(key, lowest) for key in passages.itertuples(index=False, name=None)]
    return passages.assign(label=labels).sort_values(keys, ignore_index=True)


def kappa_tables(
    grades: pd.DataFrame,
    judged: Qrels,
    *,
    level: int = 4,
    relevant: int = 2,
    lowest: int = 0,
    answers: Sequence[int] = ANSWERS,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Return one row a scheme, number of answers and label: columns KAPPAS.

    tp: passages with the label and the judgment. An interval leaves out a topic at a time and is
    given from LEAST_UNITS topics on. Raises CannotCompute (no_common_passages), BadSetting.
    """
    rows = []
    for k in answers:
        both = with_judgment(passage_labels(grades, answers=k, lowest=lowest), judged)
        if both.empty:
            raise CannotCompute(
                "no_common_passages",
                "Agreement with judgments cannot be computed because no passage has both a grade "
                "and a judgment.",
            )
        for scheme, sets in _schemes(both, level, relevant, lowest).items():
            for labels, judgments in sets:
                row = _compared(both, labels, judgments, confidence)
                rows.append({"scheme": scheme, "answers": k} | row)
    return pd.DataFrame(rows, columns=list(KAPPAS))


def with_judgment(frame: pd.DataFrame, judged: Qrels) -> pd.DataFrame:
    """Return the rows of passages that have a judgment, with it."""
    keys = zip(frame["topic"], frame["passage"], strict=True)
    values = [judged.get(topic, {}).get(passage) for topic, passage in keys]
    is_graded = [value is not None for value in values]
    return frame[is_graded].assign(judgment=[value for value in values if value is not None])


Sets = list[tuple[frozenset[int], frozenset[int]]]


def _schemes(both: pd.DataFrame, level: int, relevant: int, lowest: int) -> dict[str, Sets]:
    labels, judgments = (sorted({*both[name]}) for name in ("label", "judgment"))
    good = [value for value in judgments if value >= relevant]
    middle = good[: len(good) // 2]
    rest = [value for value in judgments if value < relevant]
    top = [value for value in good if value not in middle]
    label_classes = (
        [label for label in labels if label >= level],
        [label for label in labels if lowest < label < level],
        [label for label in labels if label <= lowest],
    )
    classes = list(zip(label_classes, (top, middle, rest), strict=True))
    return {
        "graded": [
            (frozenset([label]), frozenset(part[:1]))
            for label_class, part in classes
            for label in reversed(label_class)
        ],
        "merged": [(frozenset(ours), frozenset(theirs)) for ours, theirs in classes],
        "lenient": [(frozenset(label for label in labels if label > lowest), frozenset(good))],
        "strict": [(frozenset(label_classes[0]), frozenset(good))],
    }


def _compared(
    both: pd.DataFrame, labels: Iterable[int], judgments: Iterable[int], confidence: float
) -> dict[str, object]:
    ours = both["label"].isin(list(labels)).to_numpy()
    theirs = both["judgment"].isin(list(judgments)).to_numpy()
    counts = _counts_by_topic(both["topic"], ours, theirs)
    tp, fp, fn, tn = (int(count) for count in counts.sum(axis=0))
    kappa = binary_kappa(tp, fp, fn, tn)
    low, high = jackknifed(counts, lambda totals: binary_kappa(*totals), confidence)
    return {
        "label": _listed(labels), "judgment": _listed(judgments), "tp": tp, "fp": fp, "fn": fn,
        "tn": tn, "passages": len(both), "kappa": kappa, "low": low, "high": high,
        "topics": len(counts),
    }  # fmt: skip


def _counts_by_topic(topics: "pd.Series[str]", ours: Flags, theirs: Flags) -> Floats:
    """Return tp, fp, fn and tn of each topic (T, 4)."""
    cell = np.where(ours, np.where(theirs, 0, 1), np.where(theirs, 2, 3))
    codes, names = pd.factorize(topics)
    counts = np.bincount(codes * 4 + cell, minlength=4 * len(names))
    return np.asarray(counts.reshape(-1, 4), dtype=np.float64)


def jackknifed(
    counts: Floats, statistic: Callable[[Floats], float], confidence: float
) -> tuple[float, float]:
    """Return the ends of a t interval by leaving out a topic at a time; NaN with few topics."""
    topics, total = len(counts), counts.sum(axis=0)
    value = statistic(total)
    without = np.array([statistic(total - part) for part in counts])
    if topics < LEAST_UNITS or not np.isfinite([value, *without]).all():
        return float("nan"), float("nan")
    error = float(np.sqrt(jackknife_variance(without)))
    half = float(scipy.stats.t.ppf((1 + confidence) / 2, topics - 1)) * error
    return max(value - half, -1.0), min(value + half, 1.0)


def _listed(values: Iterable[int]) -> str:
    return ", ".join(f"{value:g}" for value in sorted(values, reverse=True))
