"""Effect of the left side on the merit of a text."""

import numpy as np
import pandas as pd

from analysis.analyses.conditions import to_comparisons
from analysis.analyses.orders import placed
from analysis.inputs.analysis_input import AnalysisInput, Tables, table_of
from analysis.inputs.columns import COUNT, INTERVAL, Column, NumberFormat
from analysis.inputs.definition import Analysis, Reads
from analysis.inputs.settings import ridge_of
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.position_effect import position_effect
from analysis.stats.bradley_terry.position_errors import position_errors
from analysis.stats.design_checks import About
from analysis.stats.verdicts import BiasVerdict, bias_of
from annotation.texts.sentences import marked

COLUMNS = (
    "effect", "low", "high", "p", "likelihood_ratio", "likelihood_ratio_p", "left", "ties",
    "right", "workers", "tie_parameter", "about", "verdict",
)  # fmt: skip


def sided(frame: pd.DataFrame) -> pd.DataFrame:
    """Return votes on pairs as comparisons of left (a) and right (b): problem, a, b, outcome."""
    turned = frame["shown"].str.startswith("b").to_numpy()
    chose = frame["value"].to_numpy()
    left = np.where(turned, "b", "a")
    return pd.DataFrame(
        {
            "problem": frame["topic"].to_numpy(),
            "a": np.where(turned, frame["b"], frame["a"]),
            "b": np.where(turned, frame["a"], frame["b"]),
            "outcome": np.where(chose == left, 1, np.where(np.isin(chose, ["a", "b"]), -1, 0)),
        }
    )


def positions(data: AnalysisInput) -> Tables:
    """Return the effect of the left side in Bradley-Terry, in the unit of merits.

    Its t interval comes from leaving each worker out (each topic, with few workers); the published
    pipeline has the sandwich error, which assumes many workers.
    """
    frame = placed(data.counted)
    sign = data.measure.outcomes["a"]  # whoever chooses the worse text prefers the other one
    comparisons = Comparisons.from_frame(sided(frame), outcomes={1: sign, -1: -sign, 0: 0})
    effect = position_effect(
        comparisons,
        clusters=list(frame["worker"]),
        ridge=ridge_of(data.setting("ridge")),
        confidence=data.confidence,
    )
    values = (
        effect.effect, effect.low, effect.high, effect.wald_p, effect.likelihood_ratio, effect.p,
        effect.first, effect.ties, effect.second,
    )  # fmt: skip
    row = [float(value[0]) for value in values]
    row[6:9] = [int(column[0]) for column in values[6:9]]
    undefined: list[list[str]] = []
    about = About.LIKE_THESE
    if not data.as_published:
        errors = position_errors(
            comparisons,
            effect,
            workers=list(frame["worker"]),
            confidence=data.confidence,
            sequential=data.sequential,
        )
        row[1:4] = [float(column[0]) for column in (errors.low, errors.high, errors.p)]
        undefined, about = [[why] for why in errors.why if why], errors.about[0]
    if data.sequential:
        row[5] = float("nan")  # p of the likelihood ratio is of one look
    workers, tie = effect.clusters, float(np.atleast_1d(effect.tie_parameter)[0])
    tables = {"position": table_of(COLUMNS, [[*row, workers, tie, about, _verdict(row)]])}
    return tables | ({"undefined": table_of(("reason",), undefined)} if undefined else {})


def _verdict(row: list[float]) -> BiasVerdict:
    low, high = (None if np.isnan(end) else end for end in row[1:3])
    return bias_of(low, high)


ANALYSIS = Analysis(
    name="position",
    title="Position bias",
    answers="Does the left or the right side get more votes?",
    assumes="The effect is the same for every text; participants are independent.",
    reads=Reads.VOTES,
    applies=to_comparisons,
    function=positions,
    sequential=("position",),
    columns={
        "effect": Column(meaning=marked("left-side advantage, in logits"),
                         interval=INTERVAL),
        "likelihood_ratio": Column(
            meaning=marked("likelihood ratio of the models with and without the effect")),
        "likelihood_ratio_p": Column("p (likelihood ratio)", NumberFormat.CHANCE),
        "verdict": Column(
            "Bias",
            meaning=marked(
                "found: the interval excludes 0; none found: it includes 0 and stays within ±0.2; "
                "otherwise unclear"
            ),
        ),
        "left": COUNT,
        "ties": COUNT,
        "right": COUNT,
    },
)  # fmt: skip
