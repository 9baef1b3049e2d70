"""Late work whose place is taken: a person takes it in, or has it paid without counting."""

import pytest
from django.urls import reverse, reverse_lazy
from django.utils import timezone

from annotation.fieldwork.review import accepting_late_work, reviewing
from annotation.fieldwork.review.accepting_late_work import CannotReceive
from annotation.fieldwork.review.reviewing import CannotReview
from annotation.models import (
    Assignment,
    AuditEntry,
    LedgerEntry,
    Place,
    PlatformStudy,
    ReviewDecision,
    Task,
)
from annotation.studies import batching
from tests.annotation.fieldwork.recruiting.test_reconciling import (  # noqa: F401  (fixtures)
    THEIRS,
    come,
    late_work,
    prolific,
)
from tests.annotation.fieldwork.work import invariants
from tests.cast import rita, small_study
from tests.coded_errors import raises

pytestmark = pytest.mark.django_db
TAKE_IN = reverse_lazy("act_at_prolific", args=["lamps", 1, "take-in"])


@pytest.fixture
def study(prolific):  # noqa: F811
    return small_study(recruitment="prolific", pay="3.00", quota=1)


@pytest.fixture
def late(prolific, study):  # noqa: F811
    at = PlatformStudy.objects.create(
        platform="prolific", external_id=THEIRS, study=study, pay=study.pay,
        minutes=study.minutes, created_at=timezone.now(),
    )  # fmt: skip
    return late_work(prolific, at, taken=True)[0]


def press(client, act, work):
    address = reverse("act_at_prolific", args=["lamps", 1, act])
    return client.post(address, {"work": work.pk}, follow=True)


def test_it_is_taken_in_with_a_further_place(client, late, study):
    client.force_login(rita())
    page = client.get(reverse("at_prolific", args=["lamps", 1])).content.decode()
    assert f'action="{TAKE_IN}"' in page
    shown_page = press(client, "take-in", late).content.decode()
    assert 'data-message="success"' in shown_page
    late.refresh_from_db()
    assert (late.state, Task.objects.get().quota, Place.objects.count()) == ("submitted", 2, 2)
    invariants.check(study)
    assert AuditEntry.objects.filter(act="counted a late submission").exists()
    assert (
        f'action="{TAKE_IN}"'
        not in client.get(reverse("at_prolific", args=["lamps", 1])).content.decode()
    )


def test_it_is_paid_without_counting(client, late, study):
    client.force_login(rita())
    assert 'data-message="success"' in press(client, "pay-late", late).content.decode()
    late.refresh_from_db()
    assert (late.state, Task.objects.get().quota) == ("rejected", 1)
    assert late.decisions.get().decision == ReviewDecision.Decision.REJECT_BUT_PAY
    standing = LedgerEntry.objects.filter(assignment=late, reversal=None)
    assert sorted(standing.values_list("kind", "amount")) == [("approved", 300), ("owed", 300)]
    invariants.check(study)


@pytest.mark.parametrize("first", ["take-in", "pay-late"])
@pytest.mark.parametrize("second", ["take-in", "pay-late"])
def test_a_second_click_changes_nothing(client, late, first, second):
    client.force_login(rita())
    press(client, first, late)
    state = Assignment.objects.get(pk=late.pk).state
    answer = press(client, second, late)
    assert (answer.status_code, "data-refused" in answer.content.decode()) == (409, True)
    assert Assignment.objects.get(pk=late.pk).state == state
    assert late.decisions.count() == (first == "pay-late")


def test_who_is_slower_to_have_it_paid_is_told_so(client, late, monkeypatch):
    def slower(**_):
        raise CannotReview("decided_since", "Somebody has decided on this.")

    monkeypatch.setattr(reviewing, "decide", slower)
    client.force_login(rita())
    answer = press(client, "pay-late", late)
    assert answer.status_code == 409
    assert "Somebody has decided on this." in answer.content.decode()
    late.refresh_from_db()
    assert late.state == "expired"


def test_of_a_closed_batch_it_is_paid_and_counts_no_more(late, study):
    batching.close_batch(batch=study.batches.get(), now=timezone.now())
    with raises(CannotReceive, "no_place"):
        accepting_late_work.take_in(assignment=late, now=timezone.now())
    accepting_late_work.pay_late(assignment=late, reviewer="rita", now=timezone.now())
    assert late.state == "rejected"


def test_what_is_not_complete_is_neither(late):
    late.judgments.all().delete()
    for act in (accepting_late_work.take_in, accepting_late_work.pay_late):
        more = {"reviewer": "rita"} if act is accepting_late_work.pay_late else {}
        with raises(CannotReceive, "unanswered"):
            act(assignment=late, now=timezone.now(), **more)
        late.refresh_from_db()
        assert late.state == "expired"
    assert Task.objects.get().quota == 1


@pytest.mark.parametrize("work", ["", "x", "9" * 30, "0"])
def test_odd_forms_are_refused(client, study, work):
    client.force_login(rita())
    for act in ("take-in", "pay-late", "poll"):
        address = reverse("act_at_prolific", args=["lamps", 1, act])
        assert client.post(address, {"work": work, "at": work}).status_code == 409
