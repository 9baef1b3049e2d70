"""Parameters of a run with their defaults.

A run stores every parameter that was in force. Runs from before `ranking` was a parameter store
only the given ones and follow the published pipeline (`in_force`).
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext

from annotation.texts.coded_errors import CodedError
from judging.models.raters import PEOPLE as PEOPLE  # for its readers

SHARED = "shared"  # the score that means the same in every topic
COMPAT = "gienapp2025"  # the pipeline of Gienapp et al. (SIGIR 2025)

# What ranks responses, and how a page says it.
RANKINGS = {
    "votes": "the votes",
    "weighted": "the votes, weighted by competence",
    "majority": "the majority labels",
    "mace": "the gold labels of MACE",
}
OF_WORKERS = ("votes", "weighted")  # rankings that know the worker of every comparison

# What a comparison without a winner is, and how a page says it.
TIES = {
    "rao-kupper": "Bradley-Terry with ties",
    "davidson": "Bradley-Terry with Davidson's ties",
    "none": "Plain Bradley-Terry, without ties,",
}

FIRTH = "firth"  # merits without the bias of few comparisons (stats.bradley_terry.merits_reduced)
RIDGE = 0.2  # Gienapp et al. (2025); also where only the order of merits counts

DEFAULTS: Mapping[str, Any] = {
    "compat": None,  # whose pipeline: PRESETS
    "confidence": 0.95,
    "draws": 1000,  # of a bootstrap
    "votes_per_item": None,  # all
    "ranking": "votes",
    "ties": "rao-kupper",
    "tie_parameter": "estimated",
    "ridge": FIRTH,
    "score": SHARED,  # by which groups are compared: that, or one by its name (inputs.scorers)
    "mace": None,  # its EM as the published code has it: gienapp2025
    "restarts": 0,
    "start_checks": 5,
    "keep": {},  # fields of KeepRule, whose own defaults hold
    "null_draws": 19,  # the fewest that can say p = .05
    "copies": None,  # "out": one name of each person found under several (stats.labels.repeats)
    "left_out": {},  # fields of LeftOut (inputs.left_out)
    "cutoffs": [5, 10, 20],  # how deep rankings are read
    "levels": None,  # grades from which a passage is relevant; None: the upper half of the scale
    "margin": 0.2,  # logits: two systems this near win 45 to 55 of 100 votes without ties
    "fee": 0.0,
    "summaries": {},  # fields of SummarySettings (inputs.summaries), whose own defaults hold
}  # fmt: skip
PRESETS: Mapping[str | None, Mapping[str, Any]] = {
    None: {},
    COMPAT: {
        "compat": COMPAT,
        "ranking": "mace",
        "ties": "rao-kupper",
        "tie_parameter": 0.05,
        "ridge": RIDGE,
        "null_draws": 10,
        "score": None,
    },
}


class UnknownCompat(ValueError):
    def __init__(self, name: object) -> None:
        names = " and ".join(str(preset) for preset in PRESETS if preset)
        super().__init__(
            gettext("Unknown pipeline {name!r}. Available: {known}.").format(name=name, known=names)
        )


def check_compat(name: object) -> None:
    """Raise UnknownCompat for an unknown pipeline."""
    if name not in PRESETS:
        raise UnknownCompat(name)


WITH_MACHINES = "with_machines"  # models among the annotators of MACE; noted where asked for alone

# The study was open when the run was started: intervals hold at every look. Noted there alone.
SEQUENTIAL = "sequential"


def complete(*parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return every parameter in force where these are given; the later ones take precedence.

    Raises UnknownCompat, CodedError (unknown_ranking, unknown_ties).
    """
    parameters = dict(DEFAULTS)
    for part in parts:
        check_compat(part.get("compat"))
        parameters |= {**PRESETS[part.get("compat")], **part}
    if parameters["ranking"] not in RANKINGS:
        sentence = gettext("Unknown ranking {name!r}. Available: {listed}.")
        listed = ", ".join(RANKINGS)
        raise CodedError(
            "unknown_ranking", sentence.format(name=parameters["ranking"], listed=listed)
        )
    if parameters["ties"] not in TIES:
        sentence = gettext("Unknown model of ties {name!r}. Available: {listed}.")
        listed = ", ".join(TIES)
        raise CodedError("unknown_ties", sentence.format(name=parameters["ties"], listed=listed))
    return parameters


def in_force(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return every parameter of a stored run; in old runs `compat` was only about MACE."""
    if "ranking" in stored:
        return complete(stored)
    return complete({"compat": COMPAT}, {"mace": stored.get("compat")}, stored)


def ridge_of(ridge: float | str) -> float:
    """Return the ridge of an analysis that cannot reduce bias, from that of the run."""
    return RIDGE if ridge == FIRTH else float(ridge)


def confidence_of(parameters: Mapping[str, Any]) -> float:
    """Return the confidence of all intervals of a run."""
    return float(parameters.get("confidence", DEFAULTS["confidence"]))


def is_sequential(parameters: Mapping[str, Any]) -> bool:
    """Return whether intervals of a run hold at every look at a study that was still open."""
    return bool(parameters.get(SEQUENTIAL))


def pool_name_of(parameters: Mapping[str, Any]) -> str:
    """Return the name of the pool of raters that a run reads."""
    return str(parameters.get("pool", PEOPLE))
