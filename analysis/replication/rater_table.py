"""Table 9: the language model as a rater, against itself and against people.

As printed: the gold labels of people keep the direction of the questionnaires, while those of the
model are turned to the sorted pair. Half of the labels then refer to the other response, and
agreement vanishes (an error of the paper, reproduced on purpose and labelled so).

Turned alike, the printed statistic is an alpha of four raters, the model in both directions and
people in both. One of its pairs is the model with itself and one people with themselves, so that it
exceeds the agreement of model and people. The answer are the cross pairs alone, shown with the
agreement of people with themselves.
"""

from functools import partial

import numpy as np
import pandas as pd

from analysis.replication.cells import TableCells
from analysis.replication.corpus_files import DIMENSIONS, OTHER
from analysis.replication.judging_study import PREFERENCES, preferences
from analysis.stats.agreement.alpha import AlphaResult, krippendorff_alpha
from analysis.stats.agreement.between_groups import alpha_between
from analysis.stats.effects.rank_correlations import spearman
from analysis.stats.errors import CannotCompute

INFERENCES = ("combined", "individual")
MODEL = ("llm", "cross", "human", "human_as_printed", "rho", "rho_as_printed")


def fill_table_9(cells: TableCells, gold: pd.DataFrame, llm: pd.DataFrame | CannotCompute) -> None:
    """Fill in table 9; gold: topic, a, b, and a column a dimension; llm: of llm_ratings."""
    human = {True: _both_directions(gold, turn=True), False: _both_directions(gold, turn=False)}
    for name in DIMENSIONS:
        cells.fill(
            "table9", name, "human_two_directions", make=partial(_alpha, [human[True]], name)
        )
    if isinstance(llm, CannotCompute):
        for column in (
            *(f"{how}_{statistic}" for how in INFERENCES for statistic in MODEL),
            "both",
        ):
            for name in DIMENSIONS:
                cells.put("table9", name, column, value=None)
            cells.missing[f"table9.{column}"] = str(llm)
        return
    rated = llm.rename(columns={"response_a": "a", "response_b": "b"})
    rated["item"] = rated["a"] + "|" + rated["b"]
    for how in INFERENCES:
        inference_ratings = rated[rated["inference"] == how]
        for name in DIMENSIONS:
            for statistic, parts in (
                ("llm", [inference_ratings]),
                ("human", [inference_ratings, human[True]]),
                ("human_as_printed", [inference_ratings, human[False]]),
            ):
                cells.fill("table9", name, f"{how}_{statistic}", make=partial(_alpha, parts, name))
            cross = partial(_alpha_between, inference_ratings, human[True], name)
            cells.fill("table9", name, f"{how}_cross", make=cross)
        _fill_rho(cells, inference_ratings, how)
    modes = rated.assign(item=rated["item"] + "|" + rated["rater"].astype(str))
    modes["rater"] = modes["inference"]
    for name in DIMENSIONS:
        cells.fill("table9", name, "both", make=partial(_alpha, [modes], name))


def labels(llm: pd.DataFrame) -> int:
    """Return the number of labels of the model."""
    return int(llm[list(DIMENSIONS)].count().sum())


def _both_directions(gold: pd.DataFrame, *, turn: bool) -> pd.DataFrame:
    """Return gold labels of pairs judged in both directions, two raters an unordered pair.

    With turn the labels refer to the sorted pair; without, to the pair as it was shown.
    """
    lesser = gold["a"].where(gold["a"] < gold["b"], gold["b"])
    greater = gold["b"].where(gold["a"] < gold["b"], gold["a"])
    pairs = gold.assign(item=lesser + "|" + greater)
    pairs = pairs[pairs["item"].duplicated(keep=False)].sort_values(["item", "a"])
    if turn:
        turned = pairs["a"] > pairs["b"]
        for name in DIMENSIONS:
            pairs[name] = pairs[name].where(~turned, pairs[name].map(OTHER))
    return pairs.assign(rater=pairs.groupby("item").cumcount())


def _alpha(parts: list[pd.DataFrame], name: str) -> AlphaResult:
    """Return ordinal alpha of raters: each part adds its own."""
    labels = [_votes(part, name).assign(part=number) for number, part in enumerate(parts)]
    frame = pd.concat(labels)
    frame["worker"] = frame["part"].astype(str) + ":" + frame["worker"].astype(str)
    return krippendorff_alpha(preferences(frame))


def _alpha_between(model: pd.DataFrame, people: pd.DataFrame, name: str) -> AlphaResult:
    """Return ordinal alpha over the pairs of one label of the model and one of people."""
    return alpha_between(preferences(_votes(model, name)), preferences(_votes(people, name)))


def _votes(part: pd.DataFrame, name: str) -> pd.DataFrame:
    return part[["item", "rater", name]].set_axis(["item", "worker", "value"], axis=1)


def _fill_rho(cells: TableCells, own: pd.DataFrame, how: str) -> None:
    """Fill in mean Spearman of a dimension with the other six; as printed, also with itself (1)."""
    for name in DIMENSIONS:
        cells.fill("table9", name, f"{how}_rho", make=partial(_mean_rho, own, name))
        rho = cells.values["table9"][name][f"{how}_rho"]
        others = len(DIMENSIONS) - 1
        printed = None if rho is None else (others * rho + 1) / (others + 1)
        cells.put("table9", name, f"{how}_rho_as_printed", value=printed)


def _mean_rho(own: pd.DataFrame, name: str) -> float:
    """Return the mean. Raises CannotCompute when a dimension has but one label."""
    labels = pd.CategoricalDtype(list(PREFERENCES), ordered=True)
    tables = []
    for other in DIMENSIONS:
        if other != name:
            pair = own[[name, other]].dropna()
            counts = pd.crosstab(
                pair[name].astype(labels), pair[other].astype(labels), dropna=False
            )
            tables.append(counts.reindex(index=PREFERENCES, columns=PREFERENCES, fill_value=0))
    rho = spearman(np.stack([table.to_numpy() for table in tables]))
    if not np.isfinite(rho).all():
        raise CannotCompute(
            "one_label_only",
            f"The correlation of {name} with the others cannot be computed because the model gave "
            "some dimension one label only.",
        )
    return float(rho.mean())
