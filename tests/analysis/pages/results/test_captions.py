"""What captions of results say of intervals that are not drawn."""

import re

import pytest
from django.utils import timezone

from analysis.pages.results.presentation.catalogue import presentation_of
from analysis.stats.verdicts import LEAST_RATERS_ALONE, LEAST_WORKERS
from judging.simulation.simulating import crowd, simulate
from tests.analysis.runs.polls import analysed
from tests.analysis.whole_parts import whole_part
from tests.cast import rita, small_study
from tests.hooks import elements

pytestmark = pytest.mark.django_db


@pytest.mark.analyses("orders", "position")
def test_captions_speak_of_no_interval_where_none_is_drawn(client):
    few = small_study(
        instrument="crowdrag-pairwise", topics=2, responses=3, quota=3, created_by=rita()
    )
    workers = crowd(workers=3, spammers=0, seed=2)
    list(simulate(study=few, workers=workers, now=timezone.now()))
    analysed(few)
    client.force_login(few.created_by)
    answer = client.get(whole_part(few.slug, few.version, "orders"))
    text = answer.content.decode()
    captions = [caption.text for caption in elements(text, "data-caption")]
    assert captions
    assert not any("interval" in caption for caption in captions)


@pytest.mark.parametrize("analysis", ["totals", "best_worst"])
def test_pages_show_both_numbers_of_raters_where_the_texts_are_given(analysis):
    numbers = re.findall(r"\b\d+ raters|not \d+", presentation_of(analysis).lede)
    assert numbers == [f"{LEAST_RATERS_ALONE} raters", f"not {LEAST_WORKERS}"]
