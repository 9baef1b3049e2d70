"""How far do workers who judged the same item give the same answer?"""

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd

from analysis.inputs.asked import Asked, Tables, table_of
from analysis.stats.agreement.alpha import AgreementResult, krippendorff_alpha, percent_agreement
from analysis.stats.agreement.fleiss import fleiss_kappa, gwet_ac1
from analysis.stats.agreement.kappa import cohen_kappa
from analysis.stats.agreement.splits import differentiability, split_agreement
from analysis.stats.errors import CannotCompute
from analysis.stats.votes import Votes

COLUMNS = (
    "measure", "level", "value", "low", "high", "items", "votes", "resampled", "draws",
    "confidence",
)  # fmt: skip
KAPPAS: tuple[tuple[str, Callable[..., AgreementResult]], ...] = (
    ("Fleiss' kappa", fleiss_kappa),
    ("Gwet's AC1", gwet_ac1),
    ("Cohen's kappa, mean over pairs of workers", cohen_kappa),
)
KAPPA_DRAWS = 200  # over workers, and of pairs of workers: each counts all votes anew


def votes_of(frame: pd.DataFrame, options: tuple[str, ...]) -> Votes:
    return Votes.from_frame(frame[["item", "worker", "value"]], options=options)


def agreement(asked: Asked) -> Tables:
    """Krippendorff's alpha, percent agreement and the kappas, bootstrapped over items and workers.

    What a kappa lacks is a row of the table `undefined`; without an alpha there is nothing.
    """
    votes = votes_of(asked.frame[asked.frame["counted"]], asked.options)
    measures: list[tuple[str, str, Callable[..., AgreementResult]]] = [
        ("alpha", asked.level, partial(krippendorff_alpha, level=asked.level)),
        ("percent agreement", "", percent_agreement),
        *((name, "nominal", function) for name, function in KAPPAS),
    ]
    rows: list[list[Any]] = []
    undefined: list[list[str]] = []
    for resample in ("items", "workers"):
        for measure, level, function in measures:
            few = function is cohen_kappa or (
                resample == "workers" and (measure, function) in KAPPAS
            )
            draws = min(asked.draws, KAPPA_DRAWS) if few else asked.draws
            try:
                found = function(
                    votes, draws=draws, confidence=asked.confidence, seed=asked.seed,
                    resample=resample,
                )  # fmt: skip
            except CannotCompute as reason:
                if level != "nominal" or measure == "alpha":
                    raise
                undefined.append([measure, resample, str(reason)])
            else:
                rows.append([measure, level, *_numbers(found), resample, draws, _sure(found)])
    return {
        "agreement": table_of(COLUMNS, rows),
        "undefined": table_of(("measure", "resampled", "reason"), undefined),
    }


def _numbers(found: AgreementResult) -> list[float | int]:
    return [found.value, found.low, found.high, found.items, found.votes]


def _sure(found: AgreementResult) -> float:
    return found.confidence


def differentiable(asked: Asked) -> Tables:
    """Alpha of each question on the items that a majority could tell apart, and on the others."""
    counted = asked.frame[asked.frame["counted"]]
    by_question = {
        str(question): votes_of(frame, asked.options_of[str(question)])
        for question, frame in counted.groupby("question", sort=False)
    }
    split = differentiability(by_question)
    rows = []
    for question, votes in by_question.items():
        found = split_agreement(
            votes, split, level=asked.level, draws=asked.draws, confidence=asked.confidence,
            seed=asked.seed,
        )  # fmt: skip
        for part, alpha, reason in (
            ("differentiable", found.differentiable, found.differentiable_reason),
            ("others", found.others, found.others_reason),
        ):
            numbers = _numbers(alpha) if alpha else [None] * 5
            rows.append([question, part, *numbers, reason])
    columns = ("question", "part", "value", "low", "high", "items", "votes", "reason")
    sizes = [[len(split.differentiable), len(split.others), split.at_least, split.questions]]
    return {
        "parts": table_of(columns, rows),
        "split": table_of(("differentiable", "others", "at_least", "questions"), sizes),
    }
