"""What becomes of work that a check has marked."""

from html import unescape

import pytest

from annotation.fieldwork.platforms.completion import PLATFORMS
from annotation.fieldwork.platforms.outcomes import Outcome
from annotation.fieldwork.recruiting import completion_codes
from annotation.fieldwork.review import reviewing
from annotation.models import Place, ReviewDecision
from judging.review import examining
from tests.cast import (
    NOW,
    begun,
    bob,
)
from tests.judging.review.checked import answer, study_with

pytestmark = pytest.mark.django_db


def policy(act, *, automatic=True, least=1):
    return {"attention": {"act": act, "automatic": automatic, "least": least}}


@pytest.mark.parametrize(
    ("act", "decision"), [("reject", "reject"), ("pay_anyway", "reject_but_pay")]
)
def test_a_rule_decides_where_the_researcher_turned_it_on(act, decision):
    study = study_with(policies=policy(act))
    assignment = answer(begun(study, bob()), awake="a")
    examining.examine(pk=assignment.pk)
    made = assignment.decisions.get()
    assert (made.decision, made.reviewer) == (decision, "rule: attention")
    assert len(made.reason) >= 100
    assignment.refresh_from_db()
    assert assignment.state == "rejected"
    assert not Place.objects.filter(assignment=assignment).exists()


def test_who_is_rejected_by_the_rule_is_told_why_and_gets_the_code_of_a_failed_check(client):
    study = study_with(policies=policy("reject"), recruitment="prolific")
    assignment = answer(begun(study, bob()), awake="a")
    examining.examine(pk=assignment.pk)
    page = client.get(f"/w/{assignment.token}/done/").content.decode()
    code = PLATFORMS["prolific"].code_for(study, Outcome.FAILED_CHECK)
    assert f"cc={code}" in page
    assert assignment.decisions.get().reason in unescape(page)
    assert study.completion_code not in page
    reviewing.decide(assignment=assignment, decision="accept", reviewer="rita", now=NOW)
    assert (
        f"cc={study.completion_code}" in client.get(f"/w/{assignment.token}/done/").content.decode()
    )


@pytest.mark.parametrize("act", ["reject", "pay_anyway"])
def test_other_ends_keep_their_codes(act):
    """By a plain link a code says whose work it was; who is paid has done it."""
    study = study_with(policies=policy(act), recruitment="link" if act == "reject" else "prolific")
    assignment = answer(begun(study, bob()), awake="a")
    examining.examine(pk=assignment.pk)
    assignment.refresh_from_db()
    assert completion_codes.code_after(assignment) == completion_codes.completion_code(assignment)


def test_a_person_can_undo_it_and_the_rule_does_not_come_again():
    study = study_with(policies=policy("reject"))
    assignment = answer(begun(study, bob()), awake="a")
    examining.examine(pk=assignment.pk)
    reviewing.decide(
        assignment=assignment, decision=ReviewDecision.Decision.ACCEPT, reviewer="rita", now=NOW
    )
    examining.examine(pk=assignment.pk)
    assignment.refresh_from_db()
    assert (assignment.state, assignment.decisions.count()) == ("accepted", 2)


@pytest.mark.parametrize(
    "settings",
    [{}, policy("reject", automatic=False), policy("review"), policy("reject", least=2)],
)
def test_nothing_is_decided_otherwise(settings):
    assignment = answer(begun(study_with(policies=settings), bob()), awake="a")
    examining.examine(pk=assignment.pk)
    assignment.refresh_from_db()
    assert (assignment.state, assignment.decisions.count()) == ("submitted", 0)
    assert assignment.examination.is_marked


def test_who_passes_is_left_alone():
    assignment = answer(begun(study_with(policies=policy("reject")), bob()))
    examining.examine(pk=assignment.pk)
    assert not assignment.decisions.exists()
