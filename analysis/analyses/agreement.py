"""How far do workers who judged the same item give the same answer?"""

import pandas as pd

from analysis.asked import Asked, Tables, table_of
from analysis.stats.agreement import AgreementResult, krippendorff_alpha, percent_agreement
from analysis.stats.votes import Votes

COLUMNS = (
    "measure", "level", "value", "low", "high", "items", "votes", "resampled", "draws",
    "confidence",
)  # fmt: skip


def votes_of(frame: pd.DataFrame, options: tuple[str, ...]) -> Votes:
    return Votes.from_frame(frame[["item", "worker", "value"]], options=options)


def agreement(asked: Asked) -> Tables:
    """Krippendorff's alpha, bootstrapped over items and over workers, and percent agreement."""
    votes = votes_of(asked.frame[asked.frame["counted"]], asked.options)
    level = asked.parameters.get("level", "ordinal")
    rows = []
    for resample in ("items", "workers"):
        results: tuple[tuple[str, AgreementResult], ...] = (
            (
                "alpha",
                krippendorff_alpha(
                    votes, level=level, draws=asked.draws, seed=asked.seed, resample=resample
                ),
            ),
            (
                "percent agreement",
                percent_agreement(votes, draws=asked.draws, seed=asked.seed, resample=resample),
            ),
        )
        for measure, result in results:
            rows.append(
                [
                    measure,
                    level if measure == "alpha" else "",
                    result.value,
                    result.low,
                    result.high,
                    result.items,
                    result.votes,
                    resample,
                    asked.draws,
                    result.confidence,
                ]
            )
    return {"agreement": table_of(COLUMNS, rows)}
