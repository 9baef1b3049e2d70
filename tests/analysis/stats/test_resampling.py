"""How intervals are drawn: what a bootstrap refuses, and that it starts afresh."""

import pytest

from analysis.stats.errors import BadSetting
from analysis.stats.resampling import Bootstrap


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"draws": -1}, "setting draws is -1.*0 .no interval. or more"),
        ({"draws": 0, "least": 1}, "setting draws is 0.*1 or more"),
        ({"confidence": 0.0}, "setting confidence is 0.0.*between 0 and 1"),
        ({"confidence": 1.0}, "setting confidence is 1.0.*between 0 and 1"),
        ({"resample": "topics"}, "setting resample is 'topics'.*items or workers"),
    ],
)
def test_it_refuses_what_means_nothing(settings, sentence):
    with pytest.raises(BadSetting, match=sentence):
        Bootstrap(**settings)


def test_it_may_draw_nothing_where_there_is_a_value_without():
    assert Bootstrap(draws=0).draws == 0


def test_every_generator_starts_afresh():
    bootstrap = Bootstrap(seed=7)
    bootstrap.generator().random(5)
    assert bootstrap.generator().random() == Bootstrap(seed=7).generator().random()
    assert bootstrap.generator().random() != Bootstrap(seed=8).generator().random()
