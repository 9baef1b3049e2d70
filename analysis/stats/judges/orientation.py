"""Labels in one orientation: x|y and y|x are the same unit.

A pair that was judged in both directions is one unit, named by its two texts in the order of their
keys, and a label refers to these. The side of the chosen text is kept: it separates a habit from a
preference.
"""

import numpy as np
import pandas as pd

OTHER = {"a": "b", "b": "a"}
COLUMNS = ("unit", "direction", "topic", "worker", "value", "first", "second", "left", "side")


def oriented(labels: pd.DataFrame, *, turns: bool) -> pd.DataFrame:
    """Return one row a label, columns as COLUMNS, from item, topic, worker, value, a, b, shown.

    turns: whether the labels a and b name the two texts of a pair. direction: the item as it was
    asked; first, second: the texts that a and b name now. left: the text on the left, "" where that
    is unknown; side: left, right, or "" of a label that chooses none.
    """
    rows = labels.reset_index(drop=True)
    if not turns:
        return rows.assign(
            unit=rows["item"], direction=rows["item"], first=rows["a"], second=rows["b"], left="",
            side="",
        )[list(COLUMNS)]  # fmt: skip
    swapped = (rows["a"] > rows["b"]).to_numpy(dtype=bool)
    first, second = rows["a"].where(~swapped, rows["b"]), rows["b"].where(~swapped, rows["a"])
    value, shown = rows["value"], rows["shown"].fillna("").str.split(",").str[0].fillna("")
    turned = value.where(~swapped, value.map(lambda each: OTHER.get(each, each)))
    left = shown.where(~swapped, shown.map(lambda each: OTHER.get(each, "")))
    chosen = turned.isin(list(OTHER)) & left.isin(list(OTHER))
    side = np.where(chosen, np.where(turned == left, "left", "right"), "")
    return rows.assign(
        unit=first.astype(str) + "|" + second.astype(str), direction=rows["item"], first=first,
        second=second, value=turned, left=left, side=side,
    )[list(COLUMNS)]  # fmt: skip
