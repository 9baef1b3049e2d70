"""Gold and training items are picked from the corpus on a page, and looked at before."""

import pytest
from django.urls import reverse

from annotation.studies.drafts.faults import faults_of
from annotation.studies.drafts.kinds import decoded
from judging.drafts.item_choices import can_be_picked
from judging.items.kinds import KINDS
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import rita

pytestmark = pytest.mark.django_db
GOLD = "instruments/crowdrag-pairwise/gold"


@pytest.fixture
def draft(client):
    researcher = rita()
    client.force_login(researcher)
    return drafted(judging_document(responses=3), user=researcher)


def page(client, draft, **sent):
    return client.get(reverse("draft_pick_item", args=[draft.pk]), {"list": GOLD} | sent)


def test_a_pair_is_chosen_looked_at_and_added(client, draft):
    section = client.get(reverse("draft_section", args=[draft.pk, "quality"])).content.decode()
    assert f"{reverse('draft_pick_item', args=[draft.pk])}?list={GOLD}" in section
    topic = draft.corpus.topics.get()
    left, right = topic.responses.order_by("key")[:2]
    assert topic.query in page(client, draft).content.decode()
    sent = {"topic": topic.key, "slot-a": left.key, "slot-b": right.key}
    shown = page(client, draft, **sent).content.decode()
    assert left.text in shown
    assert right.text in shown
    assert f'name="slot-b" value="{right.key}"' in shown  # of the form that adds it
    where = reverse("draft_pick_item", args=[draft.pk])
    answer = client.post(where, {"list": GOLD} | sent, follow=True)
    assert [message.level_tag for message in answer.context["messages"]] == ["success"]
    client.post(where, {"list": GOLD} | sent)  # a double click
    draft.refresh_from_db()
    (gold,) = draft.document["instruments"][0]["gold"]
    assert gold["item"] == f"{left.key}|{right.key}"
    assert len(gold["answers"]) == 7  # one for each question, to be said by the researcher
    faults = faults_of(decoded(draft.document), draft=draft)
    assert not [fault for fault in faults if "/gold/" in fault.path]


@pytest.mark.parametrize(
    "sent",
    [
        {},
        {"topic": "nowhere"},
        {"topic": "t1", "slot-a": "t1a"},
        {"topic": "t1", "slot-a": "t1a", "slot-b": "t1a"},
        {"topic": "t1", "slot-a": "t1a", "slot-b": "elsewhere"},
    ],
)
def test_what_is_no_item_is_not_added(client, draft, sent):
    where = reverse("draft_pick_item", args=[draft.pk])
    assert client.post(where, {"list": GOLD} | sent).status_code == 422
    draft.refresh_from_db()
    assert draft.revision == 0


@pytest.mark.parametrize(
    ("where", "status"),
    [
        ("gold", 404),
        ("recruitment/gold", 404),
        ("instruments/nobody/gold", 404),
        ("instruments", 404),
        ("\x00", 400),
    ],
)
def test_there_is_no_such_list(client, draft, where, status):
    assert page(client, draft, list=where).status_code == status


def test_items_of_every_other_kind_can_be_picked_where_they_show_the_same_number_of_things():
    typed = {name for name, kind in KINDS.items() if not can_be_picked(kind)}
    assert typed == {
        "pair_documents",
        "response_documents",
        "response_entries",
        "statement_documents",
    }
