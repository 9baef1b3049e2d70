"""A draft shows its corpus only to people who may see that corpus."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from annotation.models import Corpus, Draft, Membership, Response, Role, Topic
from annotation.studies.drafts import making, saving
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.launching import launch
from tests.annotation.people.access.people import join, somebody
from tests.annotation.studies.drafts.drafted import judging_document
from tests.cast import NOW, rita
from tests.config.addresses import addresses
from tests.config.askers import client_of
from tests.config.test_access import console_address

pytestmark = pytest.mark.django_db
WORD = "Xylophonkasten"


@pytest.fixture
def draft() -> Draft:
    """Return a draft of Alma, whose role in its corpus has ended since."""
    document = judging_document(method="direct-quality")
    Topic.objects.update(query=f"what is a {WORD}?")
    Response.objects.update(text=f"{WORD} shines.")
    Corpus.objects.update(name=f"{WORD} corpus")
    alma = somebody("alma")
    join(alma, Corpus.objects.get(), Role.VIEWER)
    made = making.make_draft(document=document, user=alma, now=NOW)
    assert made.corpus
    Membership.objects.filter(team=made.corpus.team, user=alma).delete()
    return made


@pytest.fixture
def client(draft: Draft) -> Client:
    return client_of(User.objects.get(username="alma"))


def pages() -> list[tuple[str, str]]:
    paths = [(path, name) for path, name in addresses() if "draft" in name or name == "studies"]
    return [(name, path) for path, name in paths if not path.startswith("admin/")]


def words_shown(client: Client, draft: Draft) -> set[str]:
    """Return the names of the pages that have a word of the corpus."""
    shown = set()
    for name, _ in pages():
        address = console_address(name, None, draft.pk)
        response = client.get(address, {"list": "instruments/direct-quality/gold"})
        if not response.streaming and WORD in response.content.decode():
            shown.add(name)
    for section in ("texts", "design", "recruitment", "quality", "forms", "instructions"):
        address = reverse("draft_section", args=[draft.pk, section])
        if WORD in client.get(address).content.decode():
            shown.add(section)
    return shown


def test_nothing_of_a_corpus_is_shown_that_the_reader_may_not_see(client, draft):
    assert words_shown(client, draft) == set()
    page = client.get(reverse("draft_section", args=[draft.pk, "design"]))
    assert page.status_code == 200
    assert "data-corpus-hidden" in page.content.decode()


def test_what_is_saved_meanwhile_keeps_the_corpus(client, draft):
    address = reverse("draft_section", args=[draft.pk, "texts"])
    sent = {"revision": "0", "title": "Another title", "corpus": ""}
    response = client.post(address, sent, headers={"Accept": "application/json"})
    assert response.status_code == 200
    assert WORD not in response.content.decode()
    draft.refresh_from_db()
    assert draft.title == "Another title"
    assert draft.corpus
    assert draft.document["corpus"] == draft.corpus.slug


def test_the_corpus_is_shown_again_with_a_role(client, draft):
    join(User.objects.get(username="alma"), draft.corpus, Role.VIEWER)
    assert "draft_page" in words_shown(client, draft)
    assert words_shown(client_of(rita()), draft)


def test_programs_do_not_read_the_corpus_of_a_draft_either(client, draft):
    body = client.get(reverse("api_draft", args=[draft.pk])).json()
    assert body["document"]["corpus"] == ""
    assert [draft_row["corpus"] for draft_row in client.get(reverse("api_drafts")).json()] == [None]


def test_a_new_version_shows_the_corpus_of_its_study(draft):
    """Who sees a study sees what it is about."""
    alma = User.objects.get(username="alma")
    saving.save(
        draft=draft, revision=0, changes=[DraftChange("set", "title", "T")], user=None, now=NOW
    )
    draft.refresh_from_db()
    study = launch(draft=draft, revision=1, user=rita(), now=NOW)
    version = making.make_version(study=study, user=alma, now=NOW)
    assert "draft_page" in words_shown(client_of(alma), version)
