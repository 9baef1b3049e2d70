"""Which submissions at Prolific somebody should look at: an honest code is no suspicion."""

import pytest

from annotation.fieldwork.platforms.outcomes import Outcome
from annotation.fieldwork.recruiting.prolific import study_status
from annotation.fieldwork.work import ending
from annotation.models import Assignment, OutcomeCode
from tests.annotation.fieldwork.paying.ordered import at_prolific
from tests.cast import NOW, begun, small_study, worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    made = small_study(
        recruitment="prolific", completion_code="DONE", no_consent_code="NO", pay="3.00"
    )
    codes = {"screened_out": "OUT", "failed_check": "FAILED"}
    OutcomeCode.objects.filter(study=made).delete()
    for outcome, code in codes.items():
        OutcomeCode.objects.create(study=made, outcome=outcome, code=code)
    return made


def never_here(study, code):
    """Somebody entered a code at Prolific who has no work here."""
    work = begun(study, worker("bob"))
    there = at_prolific(work, "AWAITING REVIEW", code=code)
    there.assignment = there.worker = None
    there.save()
    return keys(study)


def keys(study):
    return [remark.key for remark in study_status.remarks(study)]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("DONE", ["not-handed-in"]),
        ("", ["not-handed-in"]),
        ("GUESS", ["not-handed-in"]),
        ("NO", ["no-consent"]),
        ("OUT", ["other-end"]),
        ("FAILED", ["other-end"]),
    ],
)
def test_a_code_of_somebody_without_work_is_listed_for_what_it_is(study, code, said):
    assert never_here(study, code) == said


def test_an_honest_no_consent_is_no_suspicion(study):
    never_here(study, "NO")
    (remark,) = study_status.remarks(study)
    assert remark.is_honest
    assert "guessed" not in remark.sentence


@pytest.mark.parametrize(
    ("outcome", "code", "said"),
    [
        (Outcome.SCREENED_OUT, "OUT", ["screened-out"]),
        (Outcome.SCREENED_OUT, "DONE", ["other-end"]),
        (Outcome.FAILED_CHECK, "FAILED", []),
        (Outcome.FAILED_CHECK, "DONE", ["other-end"]),
    ],
)
def test_a_code_is_compared_with_the_end_that_was_reached(study, outcome, code, said):
    work = begun(study, worker("bob"))
    ending.end(assignment=work, outcome=outcome, now=NOW)
    at_prolific(Assignment.objects.get(), "AWAITING REVIEW", code=code)
    assert keys(study) == said
