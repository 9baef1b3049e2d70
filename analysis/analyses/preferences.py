"""Only an answer that chooses a text of a pair says which of them is better."""

from collections.abc import Sequence

from analysis.stats.errors import CannotCompute


class NoPreference(CannotCompute):
    """A score of a pair, or of one of its texts, is no comparison of the two."""

    def __init__(self) -> None:
        super().__init__(
            "This cannot be computed because the question does not choose between the two texts."
        )


def require_preference(options: Sequence[str]) -> None:
    """Raises NoPreference unless the options name both slots of a pair."""
    if not {"a", "b"} <= set(options):
        raise NoPreference
