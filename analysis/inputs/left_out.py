"""Workers whom a study leaves out of its analyses, and why. Recorded with every run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

GROUNDS = ("shared lean", "same answers", "like a judge", "one side", "other")


@dataclass(frozen=True, kw_only=True)
class LeftOut:
    """Names of workers, and the ground for leaving them out."""

    workers: list[str] | None = None
    ground: str = "other"


def left_out_of(parameters: Mapping[str, Any]) -> LeftOut:
    """Return the workers whom the parameters of a run leave out."""
    return LeftOut(**parameters.get("left_out") or {})


def without_left_out(frame: pd.DataFrame, parameters: Mapping[str, Any]) -> pd.DataFrame:
    """Return the rows of workers who are not left out."""
    names = left_out_of(parameters).workers
    return frame[~frame["worker"].isin(names)] if names else frame
