"""What nobody has said yet is to do; what somebody said wrongly is wrong."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from annotation.models import Draft
from annotation.studies.drafts import saving
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.faults import faults_of
from annotation.studies.drafts.kinds import decoded
from annotation.studies.drafts.todo_faults import still_to_do
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW, rita
from tests.hooks import elements

pytestmark = pytest.mark.django_db


def said(draft: Draft, path: str, value: Any) -> Draft:
    change = [DraftChange("set", path, value)]
    return saving.save(draft=draft, revision=draft.revision, changes=change, user=None, now=NOW)


def open_and_wrong(draft: Draft) -> tuple[set[str], set[str]]:
    faults = faults_of(decoded(draft.document), draft=draft)
    todo = still_to_do(draft, faults)
    return set(todo), {fault.path for fault in faults} - todo


def test_what_a_draft_begins_with_is_to_do_until_somebody_says_it_wrongly() -> None:
    document = judging_document(responses=3)
    document.instruments[0]["defaults"]["quota"] = 0
    draft = drafted(document)
    draft = said(draft, "contact", "")
    draft = said(draft, "title", "")
    quota = "instruments/crowdrag-pairwise/defaults/quota"
    assert open_and_wrong(draft) == ({"title", "contact", quota}, set())
    draft = said(draft, "slug", "No Address!")
    assert open_and_wrong(draft) == ({"title", "contact", quota}, {"slug"})
    draft = said(draft, quota, -1)
    assert open_and_wrong(draft) == ({"title", "contact"}, {"slug", quota})


def test_a_new_draft_opens_without_red() -> None:
    client = Client()
    client.force_login(rita())
    client.post(reverse("begin_draft"), {"of": "judging/crowdrag-pairwise"})
    draft = Draft.objects.get()
    page = client.get(reverse("draft_section", args=[draft.pk, "texts"])).text
    assert any(fault.text for fault in elements(page, "data-fault"))
    assert 'aria-invalid="true"' not in page
    assert "is-wrong" not in page
    assert 'title="2 to do"' in page
    sent = {"revision": "0", "slug": "No Address!"}
    page = client.post(reverse("draft_section", args=[draft.pk, "texts"]), sent).url
    page = client.get(page).text
    assert page.count('aria-invalid="true"') == 1
    assert "is-wrong" in page


def test_the_script_is_told_which_is_which() -> None:
    client = Client()
    client.force_login(rita())
    draft = said(drafted(user=User.objects.get()), "contact", "")
    sent = {"revision": "1", "slug": "No Address!"}
    address = reverse("draft_section", args=[draft.pk, "texts"])
    answer = client.post(address, sent, headers={"Accept": "application/json"}).json()
    assert sorted(fault["todo"] for fault in answer["faults"]) == [False, True]
