"""Table 8: prediction of a response's grade by its likeness to the best response of the topic."""

import pandas as pd

from analysis.replication.cells import TableCells
from analysis.replication.corpus_files import DIMENSIONS
from analysis.stats.errors import CannotCompute
from analysis.stats.text.references import reference_based
from annotation.texts.statements import without_citations

COLUMNS = {"bleu": "bleu", "rouge_l": "rougeL"}
COMPARISONS = ("full", "best_worst")


def fill_table_8(cells: TableCells, graded: pd.DataFrame, responses: pd.DataFrame) -> None:
    """Fill in table 8; graded: topic, response, a grade a dimension; responses with their text."""
    texts = responses[responses["response"].isin(graded["response"])]
    texts = texts.assign(text=texts["text"].map(without_citations))
    grades = graded.melt("response", list(DIMENSIONS), var_name="dimension", value_name="grade")
    try:
        # Text and reference change places in BLEU, as in the code of the paper.
        found = reference_based(texts[["response", "topic", "text"]], grades, swapped=True).frame
    except CannotCompute as reason:
        for name in DIMENSIONS:
            columns = [f"{measure}_{what}" for measure in COLUMNS.values() for what in COMPARISONS]
            cells.lack_all("table8", name, keys=columns, reason=str(reason))
        return
    for _, row in found.iterrows():
        column = f"{COLUMNS[row['measure']]}_{row['comparison']}"
        path = ("table8", row["dimension"], column)
        cells.put_interval(*path, value=row["value"], low=row["low"], high=row["high"])
        cells.sizes[".".join(path)] = {"topics": int(row["n"])}
