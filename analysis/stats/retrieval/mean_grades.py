"""Mean grade of a passage over its raters, as a whole number: the qrels of trec_eval."""

import pandas as pd

from analysis.stats.errors import CannotCompute
from analysis.stats.retrieval.rankings import Qrels


def mean_grades(votes: pd.DataFrame) -> pd.DataFrame:
    """Return one row a passage, or a passage and entry: the mean of its raters, halves up.

    votes: topic, passage, score and, where passages are graded on the entries of a bank, entry; a
    vote without a score is no grade. Columns: topic, passage, entry (if any), grade. Raises
    CannotCompute (grades_not_whole).
    """
    graded = votes.dropna(subset="score")
    if (graded["score"] % 1 != 0).any():
        raise CannotCompute(
            "grades_not_whole",
            "Rankings cannot be measured because trec_eval needs whole numbers as grades.",
        )
    by = [name for name in ("topic", "passage", "entry") if name in votes]
    means = graded.groupby(by)["score"].mean()
    return ((means + 0.5) // 1).astype(int).rename("grade").reset_index()


def qrels_from(grades: pd.DataFrame) -> Qrels:
    """Return the columns topic, passage, grade as qrels."""
    qrels: dict[str, dict[str, int]] = {}
    for row in grades.to_dict("records"):
        qrels.setdefault(str(row["topic"]), {})[str(row["passage"])] = int(row["grade"])
    return qrels
