"""What votes on pairs must have to tell of order: places on the screen."""

import pandas as pd

from analysis.stats.errors import CannotCompute


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
