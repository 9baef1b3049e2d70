"""Labels that a judge changes with the order, and those that are discarded."""

import pytest
from django.urls import reverse

from judging.machines.label_counts import LabelCounts, label_counts
from judging.machines.recording import take_answers
from judging.models import Judgment, MachineCall, MachineJudge
from tests.cast import NOW, PREFERENCE, rita, small_study, tiny_instrument
from tests.config.askers import client_of
from tests.hooks import element, elements
from tests.judging.machines.cast import machine, run

pytestmark = pytest.mark.django_db

FORCED = PREFERENCE.__class__(
    key="preference",
    kind="options",
    options=[option for option in PREFERENCE.options if option.role == "slot"],
)


def study_with(scale):
    return small_study(responses=4, instrument=tiny_instrument(scales=[scale]))


def disagreeing(judge):
    """Return how many items got another answer in the other order, from the raw calls."""
    values = {}
    for item, parsed in judge.calls.values_list("item", "parsed"):
        values.setdefault(item, set()).add(parsed["better"])
    return sum(len(answers) > 1 for answers in values.values())


def test_a_judge_of_one_side_ties_where_it_can_and_is_discarded_where_not(endpoint):
    tied = run(machine(study_with(PREFERENCE), endpoint.url, model="left"))
    flips = disagreeing(tied)
    assert flips > 3
    assert label_counts(tied) == LabelCounts(recorded=6, both=6, flipped=flips, ties=flips)
    study = small_study(
        slug="forced", corpus=tied.study.corpus, instrument=tiny_instrument(scales=[FORCED])
    )
    forced = run(machine(study, endpoint.url, model="left", name="forced"))
    flips = disagreeing(forced)
    assert flips > 3
    counts = LabelCounts(recorded=6 - flips, both=6, flipped=flips, undecided=flips)
    assert label_counts(forced) == counts
    judgments = Judgment.objects.filter(rater=forced.rater, item__study=study)
    assert judgments.count() == 6 - flips
    page = client_of(rita()).get(reverse("machine", args=["forced", 1, forced.pk])).text
    assert element(page, "data-failed").numbers == [0]
    assert element(page, "data-discarded").attributes["data-discarded"] == str(flips)
    assert element(page, "data-flipped").attributes["data-both"] == "6"
    assert element(page, "data-undecided").numbers == [flips]
    assert elements(page, "data-unread") == []


def test_recorded_labels_are_as_many_as_the_judgments(endpoint):
    judge = run(machine(study_with(PREFERENCE), endpoint.url, model="guess"))
    counts = label_counts(judge)
    assert counts.recorded == Judgment.objects.filter(rater=judge.rater).count() == 6
    assert 0 < counts.flipped < counts.both
    failed = MachineCall.objects.filter(judge=judge, order=1).first()
    MachineCall.objects.filter(pk=failed.pk).update(
        state="failed", error="unparsed", parsed=None, counted=False
    )
    Judgment.objects.filter(rater=judge.rater).delete()
    MachineCall.objects.filter(judge=judge).update(counted=False)
    take_answers(judge=judge, now=NOW)
    counts = label_counts(judge)
    assert counts.recorded == Judgment.objects.filter(rater=judge.rater).count() == 5
    assert (counts.unread, counts.discarded, counts.labels) == (1, 1, 6)


def test_the_first_order_decides_where_the_judge_is_set_so(endpoint):
    first = MachineJudge.Disagreement.FIRST
    judge = run(machine(study_with(FORCED), endpoint.url, model="left", on_disagreement=first))
    flips = disagreeing(judge)
    assert label_counts(judge) == LabelCounts(recorded=6, both=6, flipped=flips)


def test_waiting_calls_and_single_orders_count_in_no_share(endpoint):
    judge = machine(study_with(PREFERENCE), endpoint.url, orders="one")
    assert label_counts(judge).share_discarded is None
    run(judge, items=4)
    counts = label_counts(judge)
    assert (counts.recorded, counts.both, counts.share_flipped) == (4, 0, None)
    MachineCall.objects.filter(pk=judge.calls.first().pk).update(state="prepared", parsed=None)
    assert label_counts(judge).labels == 3
