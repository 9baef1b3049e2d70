"""What a run is asked for beside its data: parameters, and what holds where they say nothing."""

from collections.abc import Mapping
from typing import Any

CONFIDENCE = 0.95


def confidence_of(parameters: Mapping[str, Any]) -> float:
    """The confidence of all intervals of a run."""
    return float(parameters.get("confidence", CONFIDENCE))
