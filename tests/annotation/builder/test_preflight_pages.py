"""The last look at a draft, and the launch page, which shows the remarks, too."""

import re
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from annotation.access import record
from annotation.builder.marking import anchor_of
from annotation.models import Study
from tests.annotation.drafts.drafted import drafted, judging_document
from tests.cast import rita

pytestmark = pytest.mark.django_db


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(rita())
    return client


@pytest.mark.parametrize("page", ["draft_check", "draft_launch"])
def test_remarks_lead_to_where_they_are_mended_and_keep_nobody_from_launching(
    client: Client, page: str
) -> None:
    draft = drafted(judging_document(responses=3))
    said = client.get(reverse(page, args=[draft.pk])).text
    pay = reverse("draft_section", args=[draft.pk, "recruitment"])
    assert f'href="{pay}#{anchor_of("recruitment/pay")}">Pay for one task: Nothing is paid' in said
    assert f'href="{reverse("draft_try", args=[draft.pk])}">Try it: Nobody has tried it' in said
    client.post(reverse("draft_launch", args=[draft.pk]), {"revision": "0"})
    assert Study.objects.exists()
    assert client.get(reverse("draft_check", args=[draft.pk])).url.startswith("/studies/")


def test_faults_are_told_from_remarks(client: Client) -> None:
    draft = drafted(msgspec.structs.replace(judging_document(), contact=""))
    said = client.get(reverse("draft_check", args=[draft.pk])).text
    assert "1 to do before it can be launched" in said
    assert "Say who runs the study" in said
    assert "to think about" in said


def badges(client: Client, draft: Any) -> dict[str, str]:
    """What the page of checks says of each."""
    said = client.get(reverse("draft_check", args=[draft.pk])).text
    found = re.findall(r'<li><span class="badge [^"]*">([^<]*)</span> ([^<]*)</li>', said)
    return {title: badge for badge, title in found}


def test_nothing_is_good_where_something_is_missing_or_could_not_be_counted(client: Client) -> None:
    missing = msgspec.structs.replace(judging_document(responses=3), contact="")
    said = badges(client, drafted(missing))
    assert said["Consent names who runs the study"] == "no, see above"
    assert said["There is time to work with care"] == "not yet"
    assert said["Every page gets enough votes"] == "not yet"
    assert said["A page is short enough for a phone"] == "not yet"
    assert said["Every method has instructions"] == "yes"
    assert not [title for title in said if "Prolific" in title or "code" in title]


def test_what_could_be_looked_at_and_is_right_is_good(client: Client) -> None:
    said = badges(client, drafted(judging_document(responses=3)))
    assert said["Consent names who runs the study"] == "yes"
    assert said["There is time to work with care"] in ("yes", "no, see above")


def test_a_draft_that_was_tried_says_so_no_more(client: Client) -> None:
    draft = drafted()
    record(user=None, act="tried", what=f"draft {draft.pk}, revision 0", of=draft)
    assert "Nobody has tried it" not in client.get(reverse("draft_check", args=[draft.pk])).text


def test_a_blank_draft_can_be_looked_at(client: Client) -> None:
    draft = drafted(msgspec.structs.replace(judging_document(), instruments=[]))
    said = client.get(reverse("draft_check", args=[draft.pk]))
    assert said.status_code == 200
    assert "there is no method yet" in said.text
