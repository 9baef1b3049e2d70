"""Cost of responses, judgments and gold labels, and the hourly wage of workers."""

from typing import Any

import numpy as np

from analysis.inputs.analysis_input import AnalysisInput, Tables, table_of
from analysis.inputs.columns import COUNT, SHARE, TWO_DIGITS, Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads, to_none
from analysis.stats.effects.cost import hourly_wage, unit_cost
from analysis.stats.errors import CannotCompute
from annotation.texts.sentences import marked

UNITS = ("response", "judgment", "gold label")
COST = ("unit", "value", "low", "high", "total", "units", "payments", "fee")
WAGE = (
    "value", "low", "high", "median", "below", "target", "assignments", "untimed",
    "whole", "active_minutes", "elapsed_minutes",
)  # fmt: skip


def cost(data: AnalysisInput) -> Tables:
    """Return the cost of a response, a judgment and a gold label, and the hourly wage.

    Judgments have an interval over assignments. All assignments together buy labels and responses,
    which therefore have none.
    """
    frame = data.frame
    if not frame["pay"].sum() > 0:
        raise CannotCompute("no_payments", "Costs cannot be computed because the study is unpaid.")
    fee = float(data.setting("fee"))
    how: dict[str, Any] = {
        "draws": data.draws, "confidence": data.confidence, "seed": data.seed,
    }  # fmt: skip
    rows, undefined = [], []
    for unit in UNITS:
        bought = frame["labels" if unit == "gold label" else f"{unit}s"]
        paid, units = frame["pay"], bought
        if unit != "judgment":
            paid, units = paid.groupby(lambda _: 0).sum(), units.groupby(lambda _: 0).sum()
        try:
            result = unit_cost(list(paid), list(units), unit=unit, fee=fee, **how)
        except CannotCompute as reason:
            undefined.append([unit, str(reason)])
        else:
            rows.append(
                [
                    unit,
                    result.value,
                    result.low,
                    result.high,
                    result.total,
                    result.units,
                    result.n,
                    fee,
                ]
            )
    wages, why = _wage(data, how)
    return {
        "units": table_of(COST, rows),
        "wage": table_of(WAGE, wages),
        "undefined": table_of(("what", "reason"), undefined + why),
    }


def _wage(data: AnalysisInput, how: dict[str, Any]) -> tuple[list[list[Any]], list[list[str]]]:
    """Return one row on paid work, or the reason why there is none."""
    paid = data.frame[data.frame["pay"] > 0]
    try:
        wage = hourly_wage(
            list(paid["pay"]),
            list(paid["seconds"].fillna(0) / 60),
            target=float(paid["target"].iloc[0]) or None,
            **how,
        )
    except CannotCompute as reason:
        return [], [["hourly wage", str(reason)]]
    below = None if np.isnan(wage.below) else wage.below
    numbers = [wage.value, wage.low, wage.high, wage.median, below, wage.target]
    timed = paid[paid["seconds"] > 0]
    minutes = [
        None if np.isnan(seconds) else seconds / 60
        for seconds in timed[["seconds", "elapsed"]].median()
    ]
    return [[*numbers, wage.n, wage.untimed, int(timed["whole"].sum()), *minutes]], []


ANALYSIS = Analysis(
    name="cost",
    title="Cost and pay",
    answers="What do answers, judgments and gold labels cost, and what do participants earn "
            "an hour?",
    assumes="Submissions are paid unless rejected without pay; wages count active time.",
    reads=Reads.WORK,
    applies=to_none,
    function=cost,
    columns={
        "unit": Column(meaning=marked("paid unit")),
        "total": TWO_DIGITS,
        "units": Column("Paid units", NumberFormat.WHOLE),
        "payments": COUNT,
        "fee": SHARE,
        "median": TWO_DIGITS,
        "below": Column("Below target", NumberFormat.SHARE,
                        marked("share of submissions below the target wage")),
        "target": TWO_DIGITS,
        "assignments": COUNT,
        "untimed": Column("Without time", NumberFormat.WHOLE,
                          marked("submissions with unknown duration")),
        "whole": Column(form=NumberFormat.WHOLE,
                        meaning=marked("submissions without recorded activity")),
        "active_minutes": TWO_DIGITS,
        "elapsed_minutes": TWO_DIGITS,
    },
)  # fmt: skip
