"""What a run is asked for beside its data: parameters, and what holds where they say nothing."""

from collections.abc import Mapping
from typing import Any

CONFIDENCE = 0.95
PEOPLE = "people"  # the pool of raters (inputs.pools) that is read where no other is asked for


def confidence_of(parameters: Mapping[str, Any]) -> float:
    """The confidence of all intervals of a run."""
    return float(parameters.get("confidence", CONFIDENCE))


def pool_name_of(parameters: Mapping[str, Any]) -> str:
    """The name of the pool of raters that a run reads."""
    return str(parameters.get("pool", PEOPLE))
