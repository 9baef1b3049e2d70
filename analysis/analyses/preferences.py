"""What votes on pairs must have: a preference for one of the texts, and places on the screen."""

from collections.abc import Sequence

import pandas as pd

from analysis.stats.errors import CannotCompute


class NoPreference(CannotCompute):
    """A score of a pair, or of one of its texts, is no comparison of the two."""

    def __init__(self) -> None:
        super().__init__(
            "This cannot be computed because the question does not choose between the two texts."
        )


class NoPlaces(CannotCompute):
    """Imported labels: nobody knows on which side a text stood, or where in a questionnaire."""

    def __init__(self) -> None:
        super().__init__(
            "This cannot be computed because imported labels do not say where the texts stood."
        )


def placed(frame: pd.DataFrame, *, on_page: bool = False) -> pd.DataFrame:
    """The votes of which it is known on which side the texts stood; `on_page` also at which
    position of a questionnaire. Raises NoPlaces where there are votes, but none like that."""
    known = frame[frame["position"].notna()] if on_page else frame[frame["shown"] != ""]
    if len(frame) and known.empty:
        raise NoPlaces
    return known


def require_preference(options: Sequence[str]) -> None:
    """Raises NoPreference unless the options name both slots of a pair."""
    if not {"a", "b"} <= set(options):
        raise NoPreference
