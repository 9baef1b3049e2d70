"""A run says to what of its study no analysis applies, instead of ending without a word."""

import pytest

from analysis.results.findings import as_json
from judging.models import Item, Scale
from tests.analysis.polls import analysed, poll

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("few_analyses")]


def reasons(run):
    return [missing["reason"] for missing in as_json(run)["missing"]]


def test_a_kind_of_item_that_nothing_reads_is_named():
    study = poll()
    Item.objects.update(kind="block")
    run = analysed(study)
    assert not run.steps.exists()
    assert run.state == "done"
    assert reasons(run) == [
        "No analysis applies to items of the kind block: their votes are in the export."
    ]


def test_a_study_that_asks_for_words_alone_says_that_nothing_was_chosen():
    study = poll()
    Scale.objects.update(kind="text", spec={})
    assert "none has options to choose from" in reasons(analysed(study))[0]


def test_a_study_that_everything_applies_to_says_nothing():
    assert analysed(poll()).remarks == []
