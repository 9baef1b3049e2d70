"""Nobody types who runs a study anew: a draft begins with what they said before."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from annotation.models import Draft, Introduction, Membership
from annotation.studies.drafts import making, saving, undoing
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.contacts import contact_source
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW, rita

pytestmark = pytest.mark.django_db
ADA = "Ada, University of Lamps, ada@example.org. Ethics board: no. 7."


def begun(client: Client, *, of: str = "judging/crowdrag-pairwise") -> Draft:
    client.post(reverse("begin_draft"), {"of": of})
    return Draft.objects.latest("pk")


def said_of(client: Client, draft: Draft) -> str:
    return client.get(reverse("draft_section", args=[draft.pk, "instructions"])).text


def type_in(client: Client, draft: Draft, contact: str) -> None:
    draft.refresh_from_db()
    address = reverse("draft_section", args=[draft.pk, "instructions"])
    client.post(address, {"revision": str(draft.revision), "contact": contact})
    draft.refresh_from_db()
    assert draft.document["contact"] == contact


@pytest.fixture
def client() -> Client:
    client = Client()
    client.force_login(rita())
    return client


def test_the_account_says_it_once_for_all_new_drafts(client: Client) -> None:
    assert begun(client).document["contact"] == ""
    client.post(reverse("account"), {"email": "", "introduction": f" {ADA} "})
    assert ADA in client.get(reverse("account")).text
    for of in ("judging/crowdrag-pairwise", "writing/crowdrag-writing"):
        draft = begun(client, of=of)
        assert draft.document["contact"] == ADA
        assert contact_source(draft, user=User.objects.get())
    client.post(reverse("account"), {"email": "rita@example.org"})
    assert Introduction.objects.get().text == ADA


def test_else_it_is_that_of_the_last_draft_where_they_typed_it(client: Client) -> None:
    type_in(client, drafted(user=User.objects.get()), ADA)
    draft = begun(client)
    assert draft.document["contact"] == ADA
    assert "Copied from “Lamps compared”." in said_of(client, draft)
    assert begun(client).document["contact"] == ADA  # still, though the last is not typed
    type_in(client, draft, "Rob")
    assert "Copied from" not in said_of(client, draft)
    assert begun(client).document["contact"] == "Rob"


def test_what_others_said_and_what_was_deleted_is_nobodys(client: Client) -> None:
    drafted(user=User.objects.create_user("sam"))
    mine = begun(client)
    type_in(client, mine, ADA)
    making.delete(draft=mine, user=None, now=NOW)
    assert begun(client).document["contact"] == ""


def test_what_came_with_a_copy_or_a_file_introduces_nobody(client: Client) -> None:
    copied = drafted(judging_document(), user=User.objects.get())
    assert copied.document["contact"]
    draft = begun(client)
    assert draft.document["contact"] == ""
    type_in(client, draft, ADA)
    assert begun(client).document["contact"] == ADA


def test_what_a_colleague_typed_into_ones_draft_introduces_nobody(client: Client) -> None:
    sam = User.objects.create_user("sam")
    earlier, mine = begun(client), begun(client)
    type_in(client, earlier, ADA)
    type_in(client, mine, "Rita")
    sams = saving.save(
        draft=mine,
        revision=mine.revision,
        changes=[DraftChange("set", "contact", "Sam")],
        user=sam,
        now=NOW,
    )
    assert begun(client).document["contact"] == ADA
    type_in(client, sams, "Rob")
    undoing.undo(draft=mine, user=User.objects.get(username="rita"), now=NOW)
    mine.refresh_from_db()
    assert mine.document["contact"] == "Sam"  # brought back by Rita, typed by Sam
    assert begun(client).document["contact"] == ADA


def test_a_draft_that_one_sees_no_longer_is_not_named(client: Client) -> None:
    ada = User.objects.create_user("ada")
    client.force_login(ada)
    gone = drafted(user=ada)
    type_in(client, gone, ADA)
    draft = begun(client)
    assert "Copied from “Lamps compared”." in said_of(client, draft)
    Membership.objects.filter(team=gone.team).delete()
    assert "Copied from" not in said_of(client, draft)
