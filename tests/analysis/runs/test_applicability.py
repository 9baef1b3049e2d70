"""A run says to what of its study no analysis applies, instead of ending without a word."""

import pytest

from analysis.analyses.catalogue import CATALOGUE
from analysis.inputs.measures import Does
from analysis.pages.results.findings_json import as_json
from judging.models import Instrument, Item, Scale
from tests.analysis.inputs.measured import measure
from tests.analysis.runs.polls import analysed, poll

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("few_analyses")]


def reasons(run):
    return [missing["reason"] for missing in as_json(run)["missing"]]


def test_a_measure_that_nothing_reads_is_named(settings):
    study = poll()
    Item.objects.update(kind="block")
    Instrument.objects.update(item_kind="block")
    settings.ANALYSES = {"grades": CATALOGUE["grades"]}
    run = analysed(study)
    assert not run.steps.exists()
    assert run.state == "done"
    assert reasons(run) == [
        "No analysis applies to Better at the ordinal level. Its votes are in the export."
    ]


def test_a_study_that_asks_for_words_alone_says_that_nothing_was_chosen():
    study = poll()
    Scale.objects.update(kind="text", spec={})
    [reason] = set(reasons(analysed(study)))
    assert reason


def test_a_study_that_everything_applies_to_says_nothing():
    assert analysed(poll()).remarks == []


def test_only_a_comparison_is_graded():
    by_name = {
        name: {doe for doe in Does if analysis.applies(measure("a", "b", does=doe))}
        for name, analysis in CATALOGUE.items()
    }
    assert by_name["grades"] == {Does.COMPARES}
    assert by_name["means"] == set()  # two texts are not one
    assert by_name["agreement"] == set(Does) - {Does.TELLS}
    assert CATALOGUE["means"].applies(measure(does=Does.SCORES, kind="response"))
