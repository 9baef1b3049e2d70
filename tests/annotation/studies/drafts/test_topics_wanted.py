"""How many topics would be enough, from the chance that those of a design give."""

from math import sqrt
from statistics import NormalDist

import pytest

from annotation.studies.drafts.plan_results import WANTED, Chance, topics_wanted


@pytest.mark.parametrize("standing", [1.2, 1.7, 2.4])
def test_a_difference_that_stands_so_far_from_0_is_seen_with_so_many_topics(
    standing: float,
) -> None:
    """An independent way: the chance at that number of topics is enough, and at fewer it is not."""
    normal, topics = NormalDist(), 40
    wanted = topics_wanted(Chance(12, normal.cdf(standing - normal.inv_cdf(0.975))), topics)
    assert wanted is not None

    def chance(of: float) -> float:
        return normal.cdf(standing * sqrt(of / topics) - normal.inv_cdf(0.975))

    assert chance(wanted) >= WANTED > chance(0.85 * wanted)


def test_what_is_enough_needs_no_more_and_what_is_too_little_is_not_foretold() -> None:
    assert topics_wanted(Chance(5, 0.9), 20) == 20
    assert topics_wanted(Chance(12, 0.03), 20) is None
    assert topics_wanted(Chance(12, 0.0), 20) is None
    assert topics_wanted(Chance(12, 0.5), 65) == 140  # 132.8, in two digits
