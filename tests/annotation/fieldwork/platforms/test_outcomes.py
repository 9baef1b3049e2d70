"""How work ends for the place where people were found: outcomes, their codes, the last page."""

import html

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from annotation.fieldwork.platforms.completion import PLATFORMS
from annotation.fieldwork.platforms.outcomes import Outcome, outcome_of
from annotation.fieldwork.recruiting import completion_codes
from annotation.fieldwork.work import assigning, ending
from annotation.fieldwork.work.refusals import NotLive
from annotation.models import Assignment, OutcomeCode, Place
from tests.cast import NOW, begun, bob, charlie, rita, small_study, submitted
from tests.hooks import values

pytestmark = pytest.mark.django_db
ENDS = [Outcome.SCREENED_OUT, Outcome.FAILED_CHECK]


@pytest.mark.parametrize("outcome", ENDS)
def test_work_that_is_ended_frees_its_place_and_shows_its_code(client, outcome):
    study = small_study(recruitment="prolific")
    work = ending.end(assignment=begun(study, bob()), outcome=outcome, now=NOW)
    assert Place.objects.filter(assignment=None).count() == 1
    shown = html.unescape(client.get(reverse("done", args=[work.token])).content.decode())
    code = PLATFORMS["prolific"].code_for(study, outcome)
    assert f"https://app.prolific.com/submissions/complete?cc={code}" in shown
    assert values(shown, "data-end") == [outcome]
    assert study.completion_code not in shown
    assert outcome_of(Assignment.objects.get(pk=work.pk)) == outcome


def test_work_that_is_ended_twice_is_ended_once():
    work = begun(small_study(recruitment="prolific"), bob())
    for _ in range(2):
        ending.end(assignment=work, outcome=Outcome.SCREENED_OUT, now=NOW)
    with pytest.raises(NotLive):
        ending.end(assignment=work, outcome=Outcome.FAILED_CHECK, now=NOW)
    assert work.outcome == "screened_out"


def test_work_that_was_handed_in_is_not_ended():
    work = submitted(small_study(), bob())
    with pytest.raises(NotLive):
        ending.end(assignment=work, outcome=Outcome.FAILED_CHECK, now=NOW)
    assert Place.objects.filter(assignment=work).exists()


def test_no_other_outcome_ends_work():
    with pytest.raises(IntegrityError, match="outcome_ended_it"), transaction.atomic():
        ending.end(assignment=begun(small_study(), bob()), outcome=Outcome.DONE, now=NOW)


def test_a_study_for_prolific_is_launched_with_a_code_for_each_outcome(client):
    study = small_study(recruitment="prolific")
    drawn = {outcome_code.outcome: outcome_code.code for outcome_code in OutcomeCode.objects.all()}
    assert set(drawn) == set(ENDS)
    assert len({study.completion_code, study.no_consent_code, *drawn.values()}) == 4
    client.force_login(rita())
    shown = client.get(reverse("recruit", args=[study.slug, study.version])).content.decode()
    assert all(f'data-copy="{code}"' in shown for code in drawn.values())


def test_a_study_from_before_there_were_such_codes_draws_one_when_it_is_needed_and_keeps_it():
    study = small_study(recruitment="prolific")
    OutcomeCode.objects.all().delete()
    drawn = PLATFORMS["prolific"].code_for(study, "screened_out")
    completion_codes.draw_codes(batch=study.batches.first())
    assert PLATFORMS["prolific"].code_for(study, "screened_out") == drawn
    assert OutcomeCode.objects.count() == 2


def test_by_a_plain_link_who_is_screened_out_has_no_code(client):
    study = small_study()
    work = ending.end(assignment=begun(study, bob()), outcome=Outcome.SCREENED_OUT, now=NOW)
    shown = client.get(reverse("done", args=[work.token])).content.decode()
    assert values(shown, "data-end") == [Outcome.SCREENED_OUT]
    assert "data-completion-code" not in shown
    assert not OutcomeCode.objects.exists()


def test_every_end_has_its_outcome():
    study = small_study(quota=4)
    declined = assigning.claim(study=study, worker=bob(), now=NOW)
    assert outcome_of(assigning.return_task(assignment=declined, now=NOW)) == Outcome.NO_CONSENT
    stopped = begun(study, charlie())
    assert outcome_of(assigning.return_task(assignment=stopped, now=NOW)) == Outcome.RETURNED
    assert outcome_of(assigning.withdraw(assignment=stopped, now=NOW)) == Outcome.WITHDRAWN
    stopped.state = Assignment.State.EXPIRED
    assert outcome_of(stopped) == Outcome.TIMED_OUT
