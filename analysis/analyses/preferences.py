"""Votes on pairs with known places on the screen."""

import pandas as pd

from analysis.stats.errors import CannotCompute


class NoPlaces(CannotCompute):
    """Imported labels have no side of a text and no position in a questionnaire."""

    def __init__(self) -> None:
        super().__init__(
            "This cannot be computed because imported labels do not say where the texts stood."
        )


def placed(frame: pd.DataFrame, *, on_page: bool = False) -> pd.DataFrame:
    """Return the votes with known sides, with `on_page` also a known position.

    Raises NoPlaces where there are votes, but none of these.
    """
    known = frame[frame["position"].notna()] if on_page else frame[frame["shown"] != ""]
    if len(frame) and known.empty:
        raise NoPlaces
    return known
