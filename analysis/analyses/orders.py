"""Effects of the order in which texts and items were shown."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from analysis.analyses.conditions import to_pairs
from analysis.inputs.analysis_input import AnalysisInput, Tables, table_of
from analysis.inputs.columns import INTERVAL, Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.stats.agreement.part_agreement import PartsResult
from analysis.stats.effects.order_effects import (
    questionnaire_halves,
    right_hand_share,
    within_item_order,
)
from analysis.stats.errors import CannotCompute
from annotation.texts.sentences import marked

COMPARISONS: tuple[tuple[str, Callable[..., PartsResult]], ...] = (
    ("direction", within_item_order),
    ("half of the questionnaire", questionnaire_halves),
)
SIDES = ("share", "low", "high", "p", "binomial_p", "votes", "neutral", "workers")


def placed(frame: pd.DataFrame, *, on_page: bool = False) -> pd.DataFrame:
    """Return the votes with known sides, with `on_page` also a known position.

    Raises CannotCompute where there are votes, but none of these.
    """
    with_place = frame[frame["position"].notna()] if on_page else frame[frame["shown"] != ""]
    if len(frame) and with_place.empty:
        raise CannotCompute(
            "unknown_positions",
            "Order effects cannot be computed because imported labels do not record the "
            "position of texts.",
        )
    return with_place


def orders(data: AnalysisInput) -> Tables:
    """Return the share of votes for the right-hand side, and agreement by direction and by half.

    A row of `undefined` gives the reason for each missing number. The published pipeline keeps its
    bootstrap of the share.
    """
    frame, published = placed(data.counted), data.as_published
    sides, parts, undefined = [], [], []
    try:
        share = right_hand_share(
            frame, interval="bootstrap" if published else "jackknife", draws=data.draws,
            confidence=data.confidence, seed=data.seed,
        )  # fmt: skip
        row = [share.share, share.low, share.high, share.p, share.binomial_p, share.votes,
               share.neutral, share.clusters]  # fmt: skip
        sides.append(row if published else [*row, share.why or None])
    except CannotCompute as reason:
        undefined.append(["right-hand share", str(reason)])
    pairs = unordered(frame)
    for name, function in COMPARISONS:
        try:
            result = function(
                placed(pairs, on_page=function is questionnaire_halves),
                options=data.options, level=data.measure.level, draws=data.draws,
                confidence=data.confidence, seed=data.seed,
            )  # fmt: skip
        except CannotCompute as reason:
            undefined.append([name, str(reason)])
        else:
            parts += _rows(name, result)
    return {
        "sides": table_of(SIDES if published else (*SIDES, "why"), sides),
        "parts": table_of(("order", "part", "value", "low", "high", "items", "votes"), parts),
        "undefined": table_of(("what", "reason"), undefined),
    }


def unordered(frame: pd.DataFrame) -> pd.DataFrame:
    """Return votes on pairs with both directions of a pair as one item, a being the smaller key.

    The side on which each text was shown is kept.
    """
    swapped = (frame["a"] > frame["b"]).to_numpy()
    low, high = (np.where(swapped, *order) for order in ((frame["b"], frame["a"]),
                                                         (frame["a"], frame["b"])))  # fmt: skip
    turned = {"a": "b", "b": "a"}
    value = frame["value"].where(~swapped, frame["value"].replace(turned))
    shown = frame["shown"].where(~swapped, frame["shown"].replace({"a,b": "b,a", "b,a": "a,b"}))
    item = [f"{first}|{other}" for first, other in zip(low, high, strict=True)]
    return frame.assign(item=item, a=low, b=high, value=value, shown=shown)


def _rows(name: str, result: PartsResult) -> list[list[object]]:
    rows: list[list[object]] = [
        [name, part, alpha.value, alpha.low, alpha.high, alpha.items, alpha.votes]
        for part, alpha in (
            (result.first_name, result.first),
            (result.second_name, result.second),
            ("both", result.both),
        )
    ]
    return [
        *rows,
        [name, "difference", result.difference, result.low, result.high, result.both.items, None],
    ]


ANALYSIS = Analysis(
    name="orders",
    title="Order effects",
    answers="Do side and order change the answers?",
    assumes="Sides and orders were randomised for each participant.",
    reads=Reads.VOTES,
    applies=to_pairs,
    function=orders,
    of_work=True,
    columns={
        "share": Column("Right-hand side", NumberFormat.SHARE,
                        marked("share of votes for the right-hand text"), INTERVAL),
        "binomial_p": Column("p (binomial)", NumberFormat.CHANCE,
                             marked("p-value of the binomial test for a side preference")),
        "neutral": Column(form=NumberFormat.WHOLE, meaning=marked("votes for neither side")),
    },
)  # fmt: skip
