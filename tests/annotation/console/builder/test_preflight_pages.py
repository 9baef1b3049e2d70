"""The last look at a draft, and the launch page, which shows the remarks, too."""

import re
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from annotation.console.builder.annotated_sections import anchor_of
from annotation.models import Response, Study
from annotation.people.access import record
from annotation.studies.drafts import cached_remarks, saving
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.preflight import CHECKS
from annotation.studies.drafts.recruitment_schema import Recruitment
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW
from tests.hooks import element, elements, values

pytestmark = pytest.mark.django_db


def test_remarks_lead_to_where_they_are_mended_and_keep_nobody_from_launching(
    client: Client,
) -> None:
    draft = drafted(judging_document(responses=3))
    page = client.get(reverse("draft_check", args=[draft.pk])).text
    pay = reverse("draft_section", args=[draft.pk, "recruitment"])
    unpaid = f"{pay}#{anchor_of('recruitment/pay')}"
    assert element(page, "data-warning", "recruitment/pay").attributes["href"] == unpaid
    trial = element(page, "data-warning", "try")
    assert trial.attributes["href"] == reverse("draft_try", args=[draft.pk])
    client.post(reverse("draft_launch", args=[draft.pk]), {"revision": "0"})
    assert Study.objects.exists()
    assert client.get(reverse("draft_check", args=[draft.pk])).url.startswith("/studies/")


def test_the_launch_states_each_problem_and_links_to_its_field(client: Client) -> None:
    draft = drafted(judging_document(responses=3))
    response = client.get(reverse("draft_launch", args=[draft.pk]))
    page = response.text
    assert "data-launchable" in page
    assert {"recruitment/pay", "try", "server"} <= set(values(page, "data-warning"))
    warnings = [warning.text for warning in elements(page, "data-warning")]
    assert warnings == [remark.sentence for remark in response.context["remarks"]]
    for warning in elements(page, "data-warning"):
        assert (warning.tag == "a") is (warning.attributes["data-warning"] != "server")
    pay = reverse("draft_section", args=[draft.pk, "recruitment"])
    warning = element(page, "data-warning", "recruitment/pay")
    assert warning.attributes["href"] == f"{pay}#{anchor_of('recruitment/pay')}"
    assert values(page, "data-remarks-found") != ["0"]


def test_a_section_says_that_fields_are_filled_and_leaves_the_rest_to_check(client: Client) -> None:
    draft = drafted(judging_document(responses=3))
    page = client.get(reverse("draft_section", args=[draft.pk, "texts"])).text
    check = reverse("draft_check", args=[draft.pk])
    assert element(page, "data-unchecked").attributes["href"] == check
    assert "data-remarks-found" not in page  # only a check can say so


def test_what_check_found_of_a_revision_stands_on_every_page_of_the_draft(client: Client) -> None:
    draft = drafted(judging_document(responses=3))
    texts = reverse("draft_section", args=[draft.pk, "texts"])
    checked = client.get(reverse("draft_check", args=[draft.pk])).text
    (n,) = values(checked, "data-remarks")
    assert element(checked, "data-remarks-found").numbers == [int(n)]
    for address in (texts, reverse("draft_plan", args=[draft.pk])):
        said = client.get(address).text
        assert values(said, "data-remarks-found") == [n]
        assert "data-unchecked" not in said
    said = client.post(
        texts, {"revision": "0", "title": "Lights"}, headers={"accept": "application/json"}
    ).json()["dock"]
    assert "data-unchecked" in said  # of this revision nobody knows
    assert "data-remarks-found" not in said
    client.get(reverse("draft_check", args=[draft.pk]))
    cached_remarks.forget(draft.pk)  # as a trial does, and Plan where it has found something
    assert "data-unchecked" in client.get(texts).text


def test_plan_leads_on_to_check(client: Client) -> None:
    draft = drafted()
    page = client.get(reverse("draft_plan", args=[draft.pk])).text
    assert f'href="{reverse("draft_check", args=[draft.pk])}">Next: Check</a>' in page


def test_a_warning_is_called_by_what_it_is_about(client: Client) -> None:
    document = judging_document(responses=3)
    Response.objects.update(words=700, text="word " * 700)
    page = client.get(reverse("draft_check", args=[drafted(document).pk])).text
    names = [warning.text for warning in elements(page, "data-warning")]
    assert CHECKS["page-length"].name in names
    assert "Questions" not in names


@pytest.mark.parametrize(("platform", "fees"), [("link", False), ("prolific", True)])
def test_fees_are_spoken_of_where_a_platform_takes_some(
    client: Client, platform: str, fees: bool
) -> None:
    draft = drafted(judging_document(recruitment=Recruitment(platform=platform, pay=Decimal(5))))
    page = client.get(reverse("draft_launch", args=[draft.pk])).text
    assert ("data-without-fees" in page) is fees
    plan = client.get(reverse("draft_plan", args=[draft.pk]) + "?fee=0").text
    assert ("without fees" in plan) is fees


@pytest.mark.parametrize(("address", "is_said"), [
    ("http://localhost:8000", True), ("http://127.0.0.1:8000", True), ("http://[::1]:8000", True),
    ("http://192.168.1.5:8000", False), ("https://rag.example", False),
])  # fmt: skip
def test_check_says_where_nobody_else_can_open_the_link(
    client: Client, settings: Any, address: str, is_said: bool
) -> None:
    settings.PUBLIC_URL = address
    draft = drafted()
    page = client.get(reverse("draft_check", args=[draft.pk])).text
    assert ("server" in values(page, "data-warning")) is is_said
    hired = client.get(reverse("draft_section", args=[draft.pk, "recruitment"])).text
    assert (
        "data-hint" in element(hired, "data-field", "recruitment/platform").attributes
    ) is is_said
    assert badges(client, draft)["link"] == ("bad" if is_said else "good")


@pytest.mark.parametrize(("path", "value", "is_said"), [
    ("recruitment/pay", "5.70", False),
    ("design/topics", 1, False),
    ("instruments/crowdrag-pairwise/defaults/quota", 7, False),
    ("instruments/crowdrag-pairwise/instructions", "Read both.", True),
    ("title", "Lamps once more", True),
])  # fmt: skip
def test_only_what_people_meet_asks_for_another_trial(
    client: Client, path: str, value: Any, is_said: bool
) -> None:
    draft = drafted()
    record(user=None, act="tried", what=f"draft {draft.pk}, revision 0", of=draft)
    saving.save(
        draft=draft, revision=0, changes=[DraftChange("set", path, value)], user=None, now=NOW
    )
    page = client.get(reverse("draft_check", args=[draft.pk])).text
    assert ("try" in values(page, "data-warning")) is is_said


@pytest.mark.parametrize(("tasks", "is_first"), [(1, True), (2, False)])
def test_a_pilot_of_a_third_of_the_tasks_or_more_is_not_the_usual_way(
    client: Client, tasks: int, is_first: bool
) -> None:
    document = judging_document(responses=5)
    document.instruments[0]["defaults"] |= {"items_per_questionnaire": 2, "quota": 2}
    draft = drafted(document)
    page = client.get(reverse("draft_launch", args=[draft.pk]), {"pilot": tasks}).text
    (primary,) = re.findall(
        r'<button class="button button-primary" name="first" value="(\w+)"', page
    )
    assert primary == ("pilot" if is_first else "all")


def test_faults_are_told_from_remarks(client: Client) -> None:
    draft = drafted(msgspec.structs.replace(judging_document(), contact=""))
    page = client.get(reverse("draft_check", args=[draft.pk])).text
    assert values(page, "data-faults") == ["1"]
    assert values(page, "data-fault") == ["contact"]
    assert len(values(page, "data-remarks")) == 1


def badges(client: Client, draft: Any) -> dict[str, str]:
    """Return the badges of the page of checks."""
    page = client.get(reverse("draft_check", args=[draft.pk])).text
    checks = [check.attributes for check in elements(page, "data-check")]
    return {check["data-check"]: check["data-result"] for check in checks}


def test_nothing_is_good_where_something_is_missing_or_could_not_be_counted(client: Client) -> None:
    missing = msgspec.structs.replace(judging_document(responses=3), contact="")
    labels = badges(client, drafted(missing))
    assert labels["consent"] == "bad"
    assert labels["reading-time"] == "open"
    assert labels["votes"] == "open"
    assert labels["page-length"] == "open"
    assert labels["instructions"] == "good"
    assert not [key for key in labels if "prolific" in key or "code" in key]


def test_what_could_be_looked_at_and_is_right_is_good(client: Client) -> None:
    labels = badges(client, drafted(judging_document(responses=3)))
    assert labels["consent"] == "good"
    assert labels["reading-time"] in ("good", "bad")


def test_a_draft_that_was_tried_says_so_no_more(client: Client) -> None:
    draft = drafted()
    record(user=None, act="tried", what=f"draft {draft.pk}, revision 0", of=draft)
    page = client.get(reverse("draft_check", args=[draft.pk])).text
    assert "try" not in values(page, "data-warning")


def test_a_blank_draft_can_be_looked_at(client: Client) -> None:
    draft = drafted(msgspec.structs.replace(judging_document(), instruments=[]))
    response = client.get(reverse("draft_check", args=[draft.pk]))
    assert response.status_code == 200
    assert "instruments" in values(response.text, "data-fault")
