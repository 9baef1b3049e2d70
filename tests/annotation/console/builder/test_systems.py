"""Which systems take part in a judging study, as its researcher chooses them in the editor."""

import re
from typing import Any

import msgspec
import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from annotation.console.builder.annotated_sections import anchor_of
from annotation.models import Corpus, Draft, Response
from annotation.studies.drafts import saving
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.schema import Design
from tests.annotation.console.builder.test_editor import form_of, post
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW
from tests.hooks import element

pytestmark = pytest.mark.django_db
SYSTEMS = "design/systems"


def with_systems(n: int = 2, **design: Any) -> Draft:
    """Return a draft on a corpus of so many systems with a text each, and one that people wrote."""
    document = judging_document(responses=n + 1)
    corpus = Corpus.objects.get()
    for letter in "abcdefgh"[:n]:
        system = corpus.systems.create(key=f"s/{letter}", name=f"System {letter}")
        corpus.responses.filter(key__endswith=letter).update(system=system)
    corpus.responses.filter(system=None).update(origin="human")
    return drafted(msgspec.structs.replace(document, design=Design(**design)))


def box(key: str) -> str:
    return f"{SYSTEMS}/{key.replace('/', '~1')}"


def systems(draft: Draft) -> Any:
    return Draft.objects.get(pk=draft.pk).document["design"]["systems"]


def page(client: Client, draft: Draft, section: str = "design") -> str:
    return client.get(reverse("draft_section", args=[draft.pk, section])).text


def test_each_system_has_a_box_with_its_texts_and_topics(client: Client) -> None:
    draft = with_systems()
    html = page(client, draft)
    ticked = re.findall(r'name="([^"]*)" value="yes" checked', html)
    assert [each for each in ticked if each.startswith(SYSTEMS)] == [
        box("s/a"), box("s/b"), box("origin:human"),
    ]  # fmt: skip
    assert 'System a <span class="soft">(1 text, 1 topic)</span>' in html
    assert 'human writers <span class="soft">(1 text, 1 topic)</span>' in html


def test_who_unticks_one_of_all_names_the_others(client: Client) -> None:
    draft = with_systems()
    sent = form_of(client, draft, "design")
    del sent[box("s/b")]
    post(client, draft, "design", sent)
    assert systems(draft) == ["s/a", "origin:human"]
    assert '<option value="chosen" selected>' in page(client, draft)


def test_the_script_sends_one_box_after_the_other(client: Client) -> None:
    draft = with_systems(3)
    json = {"headers": {"Accept": "application/json"}}
    unticked = {"revision": "0", "boxes": [box("s/b")]}
    assert post(client, draft, "design", unticked, **json).json()["revision"] == 1
    unticked = {"revision": "1", "boxes": [box("s/c")]}
    body = post(client, draft, "design", unticked, **json).json()
    assert systems(draft) == ["s/a", "origin:human"]
    assert (body["faults"], body["refused"]) == ([], [])
    ticked = {"revision": "2", "boxes": [box("s/c")], box("s/c"): "yes"}
    post(client, draft, "design", ticked, **json)
    assert systems(draft) == ["s/a", "origin:human", "s/c"]
    post(client, draft, "design", {"revision": "3", SYSTEMS: "all"}, **json)
    assert systems(draft) is None
    client.post(reverse("draft_undo", args=[draft.pk]), {"section": "design"})
    assert systems(draft) == ["s/a", "origin:human", "s/c"]


def test_two_people_who_tick_other_boxes_keep_both(client: Client) -> None:
    draft = with_systems(3, systems=["s/a", "s/b", "s/c"])
    post(client, draft, "design", {"revision": "0", "boxes": [box("s/b")]})
    sent = {"revision": "0", "boxes": [box("origin:human")], box("origin:human"): "yes"}
    post(client, draft, "design", sent)
    assert systems(draft) == ["s/a", "s/c", "origin:human"]


def test_two_people_who_tick_the_same_box_name_it_once(client: Client) -> None:
    draft = with_systems(3, systems=["s/a"])
    for _ in range(2):
        post(client, draft, "design", {"revision": "0", "boxes": [box("s/b")], box("s/b"): "yes"})
    assert systems(draft) == ["s/a", "s/b"]


def test_two_people_who_untick_one_of_all_each_are_both_heard(client: Client) -> None:
    draft = with_systems(3)
    for key in ("s/a", "s/b"):
        json = {"headers": {"Accept": "application/json"}}
        sent = {"revision": "0", "boxes": [box(key)]}
        assert post(client, draft, "design", sent, **json).json()["refused"] == []
    assert systems(draft) == ["s/c", "origin:human"]


def test_who_ticks_one_while_another_takes_all_is_not_refused(client: Client) -> None:
    draft = with_systems(3, systems=["s/a"])
    post(client, draft, "design", {"revision": "0", SYSTEMS: "all"})
    json = {"headers": {"Accept": "application/json"}}
    sent = {"revision": "0", "boxes": [box("s/b")], box("s/b"): "yes"}
    assert post(client, draft, "design", sent, **json).json()["refused"] == []
    assert systems(draft) is None


@pytest.mark.parametrize("named", [None, ["s/a", "s/b"]])
def test_all_are_unticked_at_once_to_tick_a_few(client: Client, named: list[str] | None) -> None:
    draft = with_systems(3, systems=named)
    sent = form_of(client, draft, "design") | {SYSTEMS: "none"}
    post(client, draft, "design", sent)
    assert systems(draft) == []
    assert '<option value="chosen" selected>' in page(client, draft)
    sent = form_of(client, draft, "design") | {box("s/c"): "yes"}
    post(client, draft, "design", sent)
    assert systems(draft) == ["s/c"]


def test_a_system_that_is_not_there_can_be_unticked(client: Client) -> None:
    draft = with_systems(systems=["s/a", "s/b", "gone", "gone"])
    html = page(client, draft)
    assert 'gone <span class="soft">(no texts)</span>' in html
    sent = form_of(client, draft, "design")
    del sent[box("gone")]
    post(client, draft, "design", sent)
    assert systems(draft) == ["s/a", "s/b"]


def test_a_fault_stands_at_the_box_of_the_system(client: Client) -> None:
    draft = with_systems(systems=["s/a", "s/b", "gone"])
    check = client.get(reverse("draft_check", args=[draft.pk])).text
    design = reverse("draft_section", args=[draft.pk, "design"])
    fault = element(check, "data-fault", box("gone"))
    assert fault.attributes["href"] == f"{design}#{anchor_of(box('gone'))}"
    assert f'id="{anchor_of(box("gone"))}"' in page(client, draft)


def test_check_leads_from_systems_with_few_texts_to_the_choice(client: Client) -> None:
    draft = with_systems()
    corpus = Corpus.objects.get()
    other = corpus.systems.get(key="s/a")
    for number in range(3):
        topic = corpus.topics.create(key=f"more{number}", query="?")
        for letter in "xy":
            corpus.responses.create(
                topic=topic, key=f"{topic.key}{letter}", style="essay", origin="llm",
                system=other, text="Lamp.", words=1,
            )  # fmt: skip
    check = client.get(reverse("draft_check", args=[draft.pk])).text
    design = reverse("draft_section", args=[draft.pk, "design"])
    warning = element(check, "data-warning", SYSTEMS)
    assert warning.attributes["href"] == f"{design}#{anchor_of(SYSTEMS)}"
    assert f'id="{anchor_of(SYSTEMS)}"' in page(client, draft)


@pytest.mark.parametrize(
    ("named", "letters"), [(["s/b", "origin:human"], "bc"), (["s/a", "s/b"], "ab")]
)
def test_the_worker_s_page_beside_shows_their_texts(
    client: Client, named: list[str], letters: str
) -> None:
    draft = with_systems(systems=named)
    shown = client.get(reverse("draft_page", args=[draft.pk, "page"])).text
    assert {each for each in "abc" if f"Text {each} about lamp" in shown} == set(letters)


def test_where_pages_show_no_texts_there_is_no_choice_but_to_take_it_back(client: Client) -> None:
    draft = drafted(judging_document(method="retrieval-relevance"))
    assert SYSTEMS not in page(client, draft)
    change = [DraftChange("set", SYSTEMS, ["s/a"])]
    saving.save(draft=draft, revision=0, changes=change, user=None, now=NOW)
    assert SYSTEMS in page(client, draft)
    post(client, draft, "design", {"revision": "1", SYSTEMS: "all"})
    assert SYSTEMS not in page(client, draft)


def test_the_choice_takes_as_many_queries_whatever_the_number_of_systems(client: Client) -> None:
    counts = []
    for n in (1, 6):
        Draft.objects.all().delete()
        Response.objects.all().delete()
        Corpus.objects.all().delete()
        draft = with_systems(n, systems=["s/a", "origin:human"])
        page(client, draft)
        with CaptureQueriesContext(connection) as asked:
            page(client, draft)
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 17
