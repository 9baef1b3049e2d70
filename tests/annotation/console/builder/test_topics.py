"""Which topics take part in a study, as its researcher says it in the editor."""

import re
from typing import Any

import msgspec
import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Corpus, Draft
from annotation.studies.drafts import saving
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.kinds import decoded
from annotation.studies.drafts.launching import launch
from annotation.studies.drafts.schema import Design, Onboarding
from annotation.studies.drafts.workload import outline_of
from judging.designers.questionnaires import CannotDesign
from tests.annotation.console.builder.test_editor import form_of, post, unescaped
from tests.annotation.fieldwork.trials.rows import writing_document
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW
from tests.hooks import element, elements, values

pytestmark = pytest.mark.django_db
CHOICE, NUMBER = "design/chosen_topics", "design/topics"
EVERY = ["t1", "t2", "t3"]


def draft_of(document: Any = None, **design: Any) -> Draft:
    """Return a draft about three topics, the questions "what is lamp 1, 2 and 3?"."""
    document = document or writing_document()
    return drafted(msgspec.structs.replace(document, design=Design(**design)))


def design(draft: Draft) -> tuple[Any, Any]:
    """Sample size, and which are chosen."""
    said = Draft.objects.get(pk=draft.pk).document["design"]
    return said["topics"], said["chosen_topics"]


def page(client: Client, draft: Draft) -> str:
    return client.get(reverse("draft_section", args=[draft.pk, "design"])).text


def shown(html: str) -> list[str]:
    """Return the topics that the page names as taking part."""
    taken = re.search(r'<details [^>]*id="topics-taken".*?</details>', html, re.S)
    return re.findall(r"what is lamp (\d)\?", taken[0]) if taken else []


def choose(client: Client, draft: Draft, how: str) -> None:
    post(client, draft, "design", form_of(client, draft, "design") | {CHOICE: how})


def test_all_topics_take_part_and_nothing_more_is_asked(client):
    html = page(client, draft_of())
    assert '<option value="all" selected>' in html
    assert f'name="{NUMBER}"' not in html
    assert shown(html) == []


def test_who_has_topics_drawn_sees_which_the_seed_draws(client):
    draft = draft_of()
    choose(client, draft, "drawn")
    assert design(draft) == (3, None)
    seen = set()
    for seed in range(1, 9):
        sent = {NUMBER: "2", "design/seed": str(seed)}
        post(client, draft, "design", form_of(client, draft, "design") | sent)
        html = page(client, draft)
        assert element(html, "data-taken", "drawn").numbers == [2, 3]
        study = launch(draft=draft_of_copy(draft, seed), revision=0, user=None, now=NOW)
        written = study.batches.get().tasks.values_list("writing_task__topic__key", flat=True)
        assert {f"t{number}" for number in shown(html)} == set(written)
        seen.add(tuple(shown(html)))
    assert len(seen) > 1


def draft_of_copy(draft: Draft, seed: int) -> Draft:
    document = decoded(Draft.objects.get(pk=draft.pk).document)
    return drafted(msgspec.structs.replace(document, slug=f"seed-{seed}"))


@pytest.mark.parametrize("before", [{}, {"topics": 2, "seed": 5}])
def test_who_begins_to_choose_has_what_took_part_so_far(client, before):
    draft = draft_of(**before)
    had = shown(page(client, draft)) or ["1", "2", "3"]
    choose(client, draft, "chosen")
    assert design(draft) == (None, [f"t{number}" for number in had])
    html = page(client, draft)
    assert shown(html) == had
    assert reverse("draft_topics", args=[draft.pk]) in html


def test_who_goes_back_to_all_or_to_chance_has_no_choice_any_more(client):
    draft = draft_of(chosen_topics=["t1", "t3"])
    choose(client, draft, "drawn")
    assert design(draft) == (2, None)
    choose(client, draft, "all")
    assert design(draft) == (None, None)
    client.post(reverse("draft_undo", args=[draft.pk]), {"section": "design"})
    assert design(draft) == (2, None)
    client.post(reverse("draft_undo", args=[draft.pk]), {"section": "design"})
    assert design(draft) == (None, ["t1", "t3"])


def test_the_choice_is_saved_by_the_script_as_well(client):
    draft = draft_of()
    json = {"headers": {"Accept": "application/json"}}
    body = post(client, draft, "design", {"revision": "0", CHOICE: "chosen"}, **json).json()
    assert (body["faults"], body["refused"]) == ([], [])
    assert design(draft) == (None, EVERY)


def test_an_emptied_number_takes_all(client):
    draft = draft_of(topics=2)
    post(client, draft, "design", form_of(client, draft, "design") | {NUMBER: ""})
    assert design(draft) == (None, None)


def test_with_newcomers_the_choice_begins_with_all(client):
    draft = draft_of(msgspec.structs.replace(writing_document(), onboarding=Onboarding(topics=1)))
    choose(client, draft, "chosen")
    assert design(draft) == (None, EVERY)


def topics_page(client: Client, draft: Draft, **asked: str) -> str:
    return client.get(reverse("draft_topics", args=[draft.pk]), asked).text


def ticked(html: str) -> list[str]:
    return re.findall(r'name="take" value="([^"]*)" checked', html)


def send(client: Client, draft: Draft, **sent: Any) -> Any:
    address = reverse("draft_topics", args=[draft.pk])
    return client.post(address, {"revision": str(draft.revision), **sent}, follow=True)


def test_the_first_so_many_are_taken_at_once(client):
    draft = draft_of()
    assert ticked(topics_page(client, draft)) == EVERY
    answer = send(client, draft, do="first", first="2")
    assert element(answer.text, "data-message", "success").numbers == [2]
    assert design(draft) == (None, ["t1", "t2"])
    assert shown(answer.text) == ["1", "2"]


@pytest.mark.parametrize(("first", "n"), [("0", 0), ("9999", 3), ("x", 0), ("9" * 30, 0), ("", 0)])
def test_any_number_of_first_topics_can_be_sent(client, first, n):
    draft = draft_of()
    send(client, draft, do="first", first=first)
    assert design(draft) == (None, EVERY[:n])


def test_topics_are_ticked_and_stand_in_the_order_of_the_corpus(client):
    draft = draft_of(topics=1)
    send(client, draft, take=["t3", "t1", "unknown"])
    assert design(draft) == (None, ["t1", "t3"])
    assert ticked(topics_page(client, draft)) == ["t1", "t3"]


def test_what_a_search_does_not_show_stays_as_it_is(client):
    draft = draft_of(chosen_topics=["t1", "t2"])
    html = topics_page(client, draft, find="LAMP 2")
    assert (ticked(html), "what is lamp 1" in html) == (["t2"], False)
    send(client, draft, find="LAMP 2")
    assert design(draft) == (None, ["t1"])
    send(client, Draft.objects.get(pk=draft.pk), find="t3", take=["t3"])
    assert design(draft) == (None, ["t1", "t3"])


def test_topics_beyond_those_that_a_page_shows_stay_as_they_are(client, monkeypatch):
    monkeypatch.setattr("annotation.console.builder.topic_views.MOST", 2)
    draft = draft_of()
    assert values(topics_page(client, draft), "data-more") == ["1"]
    send(client, draft, take=["t2"])
    assert design(draft) == (None, ["t2", "t3"])


def test_a_topic_that_is_gone_goes_with_the_next_choice(client):
    draft = draft_of(chosen_topics=["t1", "gone"])
    faults = [fault.text for fault in elements(page(client, draft), "data-fault")]
    assert any("'gone'" in fault for fault in faults)
    send(client, draft, take=["t1"])
    assert design(draft) == (None, ["t1"])


def test_what_somebody_else_chose_meanwhile_is_not_overwritten(client):
    draft = draft_of(chosen_topics=["t1"])
    change = DraftChange("set", CHOICE, ["t2"])
    saving.save(draft=draft, revision=0, changes=[change], user=None, now=NOW)
    answer = send(client, draft, take=["t3"])
    assert element(answer.text, "data-message", "error")
    assert design(draft) == (None, ["t2"])


def test_a_judging_study_chooses_in_the_same_way(client):
    document = judging_document()
    corpus = Corpus.objects.get()
    draft = draft_of(document)
    send(client, draft, do="first", first="1")
    assert design(draft) == (None, [corpus.topics.get().key])


def test_a_draft_without_a_corpus_has_nothing_to_choose(client):
    draft = draft_of(msgspec.structs.replace(writing_document(), corpus=""))
    assert "data-no-topics" in topics_page(client, draft)
    send(client, draft, take=["t1"])
    assert design(draft) == (None, [])


def test_the_page_of_a_frozen_design_names_the_chosen_topics(client):
    document = writing_document()
    for version, (said, told) in enumerate(
        [
            (Design(chosen_topics=["t1", "t3"]), "what is lamp 1?<br>what is lamp 3?"),
            (Design(topics=2), "Random sample"),
            (Design(), "All"),
        ]
    ):
        named = msgspec.structs.replace(document, slug=f"v{version}", design=said)
        study = launch(draft=drafted(named), revision=0, user=None, now=NOW)
        address = reverse("study_design_section", args=[study.slug, study.version, "design"])
        assert f'<dd dir="auto">{told}</dd>' in client.get(address).text


def test_each_topic_says_what_it_has_and_how_many_are_chosen(client):
    draft = draft_of(chosen_topics=["t1", "t3"])
    topic = draft.corpus.topics.get(key="t2")
    topic.passages.first().delete()
    topic.responses.all().delete()
    html = client.get(reverse("draft_topics", args=[draft.pk])).text
    assert html.count("3 passages, 2 answers") == 2
    assert "2 passages, 0 answers" in html
    assert ">2 of 3 selected<" in html
    html = client.get(reverse("draft_topics", args=[draft.pk]), {"find": "lamp 3"}).text
    assert 'data-others="1"' in html  # the one that is not shown counts, too
    assert ">2 of 3 selected<" in html
    draft.corpus.responses.all().delete()
    html = client.get(reverse("draft_topics", args=[draft.pk])).text
    assert "3 passages</span>" in html


def test_the_page_beside_shows_a_chosen_topic(client):
    draft = draft_of(chosen_topics=["t3"])
    html = client.get(reverse("draft_page", args=[draft.pk, "page"])).text
    assert "what is lamp 3?" in html


def test_the_tasks_of_writing_say_what_comes_out_of_the_fields(client):
    draft = draft_of(chosen_topics=["t1", "t3"])
    assert element(page(client, draft), "data-comes-out").numbers == [2, 3, 1, 6, 3]
    sent = {"revision": "0", "instruments/crowdrag-writing/defaults/quota": "2"}
    json = {"headers": {"Accept": "application/json"}}
    body = post(client, draft, "design", sent, **json).json()
    assert element(body["sum"], "data-comes-out").numbers == [2, 3, 2, 12, 6]


def test_the_tasks_of_judging_say_what_comes_out_as_plan_counts_it(client):
    document = judging_document(responses=6)
    document.instruments[0]["defaults"] |= {"reversed_share": 0.3333, "items_per_questionnaire": 5}
    draft = draft_of(document)
    html = page(client, draft)
    counts = [15, 5, 20, 4, 5, 5, 20]  # pairs, reversed, pages, tasks of pages, workers, places
    assert element(html, "data-comes-out").numbers == [
        *counts,
        10,
        5,
    ]  # votes of reversed, of others
    outline = outline_of(document, Corpus.objects.get())
    assert (outline.tasks, outline.places) == (4, 20)
    plain = form_of(client, draft, "design")
    plain["instruments/crowdrag-pairwise/defaults/reversed_share"] = "0"
    post(client, draft, "design", plain)
    html = page(client, draft)
    assert element(html, "data-comes-out").numbers == [15, 3, 5, 5, 15, 5]


def test_where_nothing_can_come_out_the_tasks_say_why(client):
    draft = draft_of(judging_document(responses=1))
    with pytest.raises(CannotDesign) as refused:
        outline_of(decoded(draft.document), Corpus.objects.get())
    html = page(client, draft)
    assert str(refused.value) in unescaped(html)
    assert "data-comes-out" not in html
