"""Tables 6 to 8: association of dimensions, grades of people and model, likeness to the best.

Both start from gold labels. Those of the paper come from a random start that nobody can repeat, so
the published ones are taken where they exist; our own, from MACE's deterministic start, are shown
with them.
"""

from collections.abc import Hashable, Mapping

import numpy as np
import pandas as pd

from analysis.replication.cells import TableCells
from analysis.replication.corpus_files import DIMENSIONS
from analysis.replication.judging_study import (
    PREFERENCES,
    JudgingStudy,
    PublishedFiles,
    options_of,
    preferences,
)
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merits import fit_merits
from analysis.stats.effects.associations import associations
from analysis.stats.effects.paired import paired_family
from analysis.stats.errors import CannotCompute
from analysis.stats.labels.mace import mace
from analysis.stats.text.references import reference_based
from annotation.texts.statements import without_citations

STYLES = ("bullet", "essay", "news")
ORIGINS = ("human", "llm")
OUTCOMES: Mapping[Hashable, int] = {"a": 1, "n": 0, "b": -1}
COLUMNS = {"bleu": "bleu", "rouge_l": "rougeL"}
COMPARISONS = ("full", "best_worst")


def own_gold(judged: JudgingStudy) -> pd.DataFrame:
    """Return our gold labels: item, topic, a, b, and a column a dimension (a, n, b).

    MACE reads all votes, also the sixth to tenth of 32 pairs. Raises CannotCompute.
    """
    gold = judged.pairs().set_index("item")
    for name in DIMENSIONS:
        result = mace(preferences(judged.votes[name], options_of(name)))
        labels = np.array(result.votes.options, dtype=object)[result.gold]
        gold[name] = pd.Series(labels, index=list(result.votes.items))
    return gold.reset_index()


def published_gold(published: PublishedFiles) -> pd.DataFrame:
    """Return the published gold labels in the same columns. Raises AbsentFile, BadCorpus."""
    gold = published.gold()
    item = gold["response_a"] + "|" + gold["response_b"]
    names = {"query_id": "topic", "response_a": "a", "response_b": "b"}
    return gold.rename(columns=names).assign(item=item)


def grades(gold: pd.DataFrame) -> pd.DataFrame:
    """Return grades 1-6 of the responses within topics: response, topic, a column a dimension."""
    comparisons = gold.melt(
        ["topic", "a", "b"], list(DIMENSIONS), var_name="dimension", value_name="outcome"
    )
    comparisons["problem"] = list(zip(comparisons["dimension"], comparisons["topic"], strict=True))
    fitted = fit_merits(Comparisons.from_frame(comparisons, outcomes=OUTCOMES)).frame()
    fitted["dimension"], fitted["topic"] = zip(*fitted["problem"], strict=True)
    wide = fitted.pivot(index=["topic", "response"], columns="dimension", values="grade")
    return wide.reset_index()[["topic", "response", *DIMENSIONS]]


def fill_table_7(
    cells: TableCells, table: str, graded: pd.DataFrame, responses: pd.DataFrame
) -> None:
    """Fill in mean grades by style and origin."""
    grades_by_group = graded.merge(responses[["response", "style", "origin"]], on="response")
    for name in DIMENSIONS:
        for style, part in _parts(grades_by_group).items():
            for origin in ORIGINS:
                values = part.loc[part["origin"] == origin, name]
                cells.put(table, name, style, origin, value=_mean(values))
            cells.put(table, name, style, "both", value=_mean(part[name]))


def _parts(known: pd.DataFrame) -> Mapping[str, pd.DataFrame]:
    return {style: known[known["style"] == style] for style in STYLES} | {"all": known}


def _mean(values: "pd.Series[float]") -> float | None:
    return float(values.mean()) if len(values) else None


def fill_table_6(cells: TableCells, table: str, gold: pd.DataFrame) -> None:
    """Fill in Kendall's tau-b between the gold labels of the dimensions, over all pairs."""
    try:
        result = associations(gold[list(DIMENSIONS)], options=PREFERENCES)
    except CannotCompute as reason:
        for name in DIMENSIONS:
            cells.lack_all(table, name, keys=DIMENSIONS, reason=str(reason))
        cells.lack_all(f"{table}_mean", keys=DIMENSIONS, reason=str(reason))
        return
    for i, name in enumerate(DIMENSIONS):
        for j, other in enumerate(DIMENSIONS):
            if i == j:
                cells.put(table, name, other, value=1.0)
                continue
            ends = {"low": result.low[i, j], "high": result.high[i, j]}
            cells.put_interval(table, name, other, value=result.tau[i, j], **ends)
        ends = {"low": result.others_low[i], "high": result.others_high[i]}
        cells.put_interval(f"{table}_mean", name, value=result.others[i], **ends)


def fill_significance(
    cells: TableCells, table: str, graded: pd.DataFrame, responses: pd.DataFrame
) -> None:
    """Fill in q of people against the model: Wilcoxon on topics, Benjamini-Hochberg.

    The styles are one family of 21 tests, all styles together another one of seven. As printed:
    "all" as the paper tested it, with the news style alone.
    """
    grades_by_group = graded.merge(responses[["response", "style", "origin"]], on="response")
    means = grades_by_group.groupby(["topic", "style", "origin"])[list(DIMENSIONS)].mean()
    paired = means.stack().unstack("origin").dropna()  # topic, style, dimension
    paired = paired.rename_axis(["topic", "style", "dimension"]).reset_index()
    paired = paired.rename(columns={"human": "first", "llm": "second"})
    tests = list(zip(paired["dimension"], paired["style"], strict=True))
    _family(cells, table, "people and the model, by style", _tested(paired, tests))
    every = list(zip(paired["dimension"], ["all"] * len(paired), strict=True))
    _family(cells, table, "people and the model", _tested(paired, every))
    news = paired[paired["style"] == "news"]
    tests = list(zip(news["dimension"], ["all_as_printed"] * len(news), strict=True))
    _family(cells, table, "people and the model, news", _tested(news, tests))


def _tested(frame: pd.DataFrame, tests: list[tuple[str, str]]) -> pd.DataFrame:
    """Return the frame with the test that each row belongs to, a pair."""
    column = np.empty(len(tests), dtype=object)
    column[:] = tests
    return frame.assign(test=column)


def _family(cells: TableCells, table: str, family: str, frame: pd.DataFrame) -> None:
    try:
        result = paired_family(frame, family=f"of {family}")
    except CannotCompute as reason:
        cells.missing[f"{table} ({family})"] = str(reason)
        return
    for _, row in result.frame.iterrows():
        dimension, style = row["test"]
        cells.put(table, dimension, style, value=row["w_q"])
        name = f"{table}_effect"
        ends = {"low": row["rank_biserial_low"], "high": row["rank_biserial_high"]}
        cells.put_interval(name, dimension, style, value=row["rank_biserial"], **ends)
    for (dimension, style), why in result.refused.items():  # type: ignore[misc]
        cells.lack(table, dimension, style, reason=why)


def share_equal(own: pd.DataFrame, theirs: pd.DataFrame) -> float:
    """Return the share of cells (item, dimension) with the same label, of the common items."""
    both = own.merge(theirs, on="item", suffixes=("_own", "_theirs"))
    if both.empty:
        raise CannotCompute(
            "no_shared_pairs", "The published gold labels are on other pairs than the votes."
        )
    equal = [both[f"{name}_own"] == both[f"{name}_theirs"] for name in DIMENSIONS]
    return float(np.mean(equal))


def fill_table_8(cells: TableCells, graded: pd.DataFrame, responses: pd.DataFrame) -> None:
    """Fill in table 8; graded: topic, response, a grade a dimension; responses with their text."""
    texts = responses[responses["response"].isin(graded["response"])]
    texts = texts.assign(text=texts["text"].map(without_citations))
    grades = graded.melt("response", list(DIMENSIONS), var_name="dimension", value_name="grade")
    try:
        # Text and reference change places in BLEU, as in the code of the paper.
        result = reference_based(texts[["response", "topic", "text"]], grades, swapped=True).frame
    except CannotCompute as reason:
        for name in DIMENSIONS:
            columns = [
                f"{measure}_{comparison}"
                for measure in COLUMNS.values()
                for comparison in COMPARISONS
            ]
            cells.lack_all("table8", name, keys=columns, reason=str(reason))
        return
    for _, row in result.iterrows():
        column = f"{COLUMNS[row['measure']]}_{row['comparison']}"
        path = ("table8", row["dimension"], column)
        cells.put_interval(*path, value=row["value"], low=row["low"], high=row["high"])
        cells.sizes[".".join(path)] = {"topics": int(row["n"])}
