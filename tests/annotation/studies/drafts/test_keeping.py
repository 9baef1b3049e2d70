"""A draft says what the study may cost and how long data are kept; the launch makes it so."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from annotation.console.builder.study_form import study_groups
from annotation.console.builder.typed_input import BadValue, read, type_at
from annotation.fieldwork.paying import budgeting
from annotation.models import Study
from annotation.studies.drafts import launching, making
from annotation.studies.drafts.faults import faults_of
from annotation.studies.drafts.kinds import decoded
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.recruitment_schema import Recruitment
from annotation.studies.drafts.schema import Retention
from annotation.studies.setting_retention import retention_periods
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW, rita
from tests.coded_errors import raises

pytestmark = pytest.mark.django_db
SOON = timezone.now().date() + timedelta(days=90)
KEPT = Retention(platform_ids_until=SOON)
HIRED = Recruitment(platform="prolific", pay=Decimal("3.00"), budget=Decimal("99.50"))


def faults(**said):
    return {fault.path for fault in faults_of(judging_document(**said))}


def test_a_document_keeps_both_on_its_way_out_and_in():
    document = judging_document(recruitment=HIRED, retention=KEPT)
    data = plain(document)
    assert data["recruitment"]["budget"] == "99.50"
    assert data["retention"]["platform_ids_until"] == SOON.isoformat()
    assert decoded(data) == document


def test_a_document_from_before_has_no_limit_and_no_end():
    data = plain(judging_document())
    del data["retention"], data["recruitment"]["budget"]
    assert (decoded(data).retention, decoded(data).recruitment.budget) == (Retention(), None)


def test_a_launch_makes_them_so_and_a_study_says_them_again():
    draft = drafted(recruitment=HIRED, retention=KEPT)
    study = launching.launch(draft=draft, revision=0, user=rita(), now=NOW)
    assert Study.objects.get(pk=study.pk).budget == Decimal("99.50")
    until = {period.what: period.until for period in retention_periods(study)}
    assert until == {"platform_ids": SOON, "demographics": None}
    draft.delete()
    again = making.document_of(study)
    assert (again.recruitment.budget, again.retention) == (Decimal("99.50"), KEPT)


@pytest.mark.parametrize(
    ("budget", "is_fault"), [("0", True), ("-1", True), ("3.99", True), ("4.00", False)]
)
def test_a_budget_covers_at_least_one_task_with_its_fee(budget, is_fault):
    hired = Recruitment(platform="prolific", pay=Decimal(3), budget=Decimal(budget))
    assert ("recruitment/budget" in faults(recruitment=hired)) == is_fault


def test_a_day_that_is_over_is_a_fault():
    over = Retention(demographics_until=date(2020, 1, 1))
    assert faults(retention=over) == {"retention/demographics_until"}


def test_the_editor_has_their_fields_and_reads_what_is_typed():
    groups = study_groups(judging_document(recruitment=HIRED, retention=KEPT), [])
    fields = {field.path: field.value for group in groups for field in group.fields}
    assert fields["recruitment/budget"] == Decimal("99.50")
    assert fields["retention/platform_ids_until"] == SOON.isoformat()
    assert "retention/logs_until" not in fields
    day = type_at("judging", "retention/platform_ids_until")
    assert [read(day, typed) for typed in (" 2027-03-31 ", "")] == ["2027-03-31", None]
    for typed in ("31.3.2027", "2027-02-30", "soon"):
        with raises(BadValue, "not_a_date"):
            read(day, typed)


def test_a_trial_is_not_paused_by_a_budget():
    draft = drafted(recruitment=HIRED)
    study = launching.launch(draft=draft, revision=0, user=rita(), now=NOW)
    Study.objects.filter(pk=study.pk).update(purpose=Study.Purpose.TRIAL, budget=Decimal("0.01"))
    assert budgeting.pause_where_spent(study=Study.every.get(pk=study.pk)) == 0


@pytest.mark.parametrize("amount", ["NaN", "sNaN", "Infinity", "9e999999"])
@pytest.mark.parametrize("place", ["pay", "budget"])
def test_an_amount_that_is_none_is_a_fault_of_its_place(place, amount):
    said = {"pay": Decimal(3), "budget": Decimal(99), place: Decimal(amount)}
    found = faults(recruitment=Recruitment(platform="prolific", **said))
    assert f"recruitment/{place}" in found


@pytest.mark.parametrize("amount", ["NaN", "sNaN", "Infinity", "9e999999"])
@pytest.mark.parametrize("place", ["pay", "budget"])
def test_a_kept_amount_that_is_none_leaves_the_list_and_its_draft_open(client, place, amount):
    researcher = rita()
    draft = drafted(user=researcher)
    draft.document["recruitment"] |= {"pay": "3", "budget": "99", place: amount}
    draft.save()
    client.force_login(researcher)
    for address in ("/", f"/drafts/{draft.pk}/", f"/drafts/{draft.pk}/recruitment/"):
        assert client.get(address, follow=True).status_code == 200
