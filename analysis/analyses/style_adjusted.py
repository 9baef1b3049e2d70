"""Differences between systems at equal style, beside those without the adjustment."""

from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from analysis.analyses.mixed import OUTCOMES, check_compared, compared_votes, to_compared_responses
from analysis.inputs.analysis_input import AnalysisInput, Tables, table, table_of
from analysis.inputs.columns import INTERVAL, Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.stats.bradley_terry.mixed_votes import MixedVotes
from analysis.stats.bradley_terry.style_adjustment import StyleAdjustment, adjust_for_style
from analysis.stats.text.style_measures import style_measures
from annotation.texts.sentences import marked


def style_adjusted(data: AnalysisInput) -> Tables:
    """Return differences of systems without and with style. Raises CannotCompute."""
    assert data.texts is not None  # Reads.VOTES_ON_TEXTS brings them
    frame = compared_votes(data)
    check_compared(frame, data.names)
    votes = MixedVotes.from_frame(frame, outcomes=OUTCOMES)
    fit = adjust_for_style(
        votes,
        style_measures(data.texts),
        components=data.components,
        confidence=data.confidence,
    )
    return {"differences": table(_differences(fit)), "measures": _measures(fit)}


def _differences(fit: StyleAdjustment) -> pd.DataFrame:
    """Return one row for each two systems, the better one without style first."""
    order = np.argsort(-fit.plain.systems_merit, kind="stable")
    systems = [fit.plain.votes.systems[k] for k in order]
    pairs = list(combinations(systems, 2))
    adjusted = fit.adjusted.adjusted(pairs).tolist()
    direct = fit.plain.votes.between
    rows: list[dict[str, Any]] = []
    for (system, other), p_adjusted in zip(pairs, adjusted, strict=True):
        plain, plain_low, plain_high = fit.plain.difference(system, other)
        value, low, high = fit.adjusted.difference(system, other)
        inflation = fit.inflation.get((system, other)) or fit.inflation[other, system]
        rows.append(
            {
                "system": system, "other": other, "plain": plain, "plain_low": plain_low,
                "plain_high": plain_high, "difference": value, "low": low, "high": high,
                "p_adjusted": p_adjusted, "inflation": inflation,
                "votes": int(direct(system, other).sum()),
            }
        )  # fmt: skip
    return pd.DataFrame(rows)


def _measures(fit: StyleAdjustment) -> dict[str, Any]:
    """Return the effect of one standard deviation of each measure."""
    half = fit.adjusted.critical * fit.adjusted.style_error
    effects = fit.adjusted.style
    return table_of(
        ("measure", "effect", "low", "high", "spread"),
        [
            [name, float(effects[k]), float(effects[k] - half[k]), float(effects[k] + half[k]),
             float(fit.spread[k])]
            for k, name in enumerate(fit.measures)
        ],
    )  # fmt: skip


ANALYSIS = Analysis(
    name="style_adjusted",
    title="Systems at equal style",
    answers="How much better is one system if texts have equal length, citations, structure "
    "and readability?",
    assumes="Style has the same linear effect in all systems.",
    reads=Reads.VOTES_ON_TEXTS,
    applies=to_compared_responses,
    function=style_adjusted,
    columns={
        "other": Column("Over"),
        "plain": Column(
            "Without adjustment", NumberFormat.TWO, interval=("plain_low", "plain_high")
        ),
        "difference": Column("At equal style", NumberFormat.TWO, interval=INTERVAL),
        "inflation": Column(
            "Variance inflation",
            NumberFormat.TWO,
            marked("variance inflation from style differences"),
        ),
        "measure": Column("Measure"),
        "effect": Column(
            "Effect",
            NumberFormat.TWO,
            marked("effect of one standard deviation of the difference, in logits"),
            INTERVAL,
        ),
        "spread": Column("SD in a pair", NumberFormat.TWO),
    },
    published=False,
)
