"""In a trial, the rest of a text can be filled in, and its report says so."""

import json

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from annotation.fieldwork.trials import recording_trials
from annotation.fieldwork.trials.making import make_trial
from annotation.fieldwork.work.refusals import UnknownLink
from annotation.models import Assignment, Trial
from annotation.texts.citations import cited_places
from annotation.texts.words import count_words
from tests.annotation.fieldwork.trials.rows import writing_document
from tests.annotation.fieldwork.trials.test_trials import arrive
from tests.annotation.studies.drafts.drafted import drafted
from tests.cast import NOW, begun, bob, rita, writing_study
from tests.hooks import element, elements
from writing.editor import drafting
from writing.log.collecting import collect
from writing.log.eventlog import Edit, Start, encode
from writing.models import Brief
from writing.studies import filling

pytestmark = pytest.mark.django_db
BY_HAND = "Lamps shine by themselves, and they were dear [0]."


@pytest.fixture
def trial() -> Trial:
    draft = drafted(writing_document(), user=rita())
    return make_trial(draft=draft, user=User.objects.get(), now=NOW)


def writer(trial: Trial) -> Assignment:
    work = arrive(trial)
    drafting.acknowledge(assignment=work, now=NOW, answers={})
    return work


def hand_in(work: Assignment, *written: tuple[str, str]) -> None:
    """Pieces of a text, and how each came into the editor."""
    events, text = [Start(seq=1, ms=1, length=0, version=1, agent="test")], ""
    for piece, how in written:
        number = len(events) + 1
        edit = {"at": len(text), "deleted": 0, "inserted": piece, "input": how}
        events.append(Edit(seq=number, ms=number, **edit))
        text += piece
    collect(assignment=work, number=1, events_json=encode(events), now=NOW, tab="one")
    work.refresh_from_db()
    drafting.submit(assignment=work, text=text, last_number=1, now=NOW, exit_answers={})


def tried(trial: Trial) -> recording_trials.TrialProgress:
    entry = recording_trials.last_tried(trial.draft)
    assert entry is not None
    return recording_trials.tried_of(entry)


def said_at(name: str, trial: Trial) -> str:
    client = Client()
    client.force_login(User.objects.get())
    return client.get(reverse(name, args=[trial.draft_id])).text


@pytest.mark.parametrize("words", [0, 17, 249])
def test_the_rest_makes_a_text_as_long_as_is_aimed_at(trial: Trial, words: int) -> None:
    work = writer(trial)
    brief = Brief.objects.get(study=trial.study)
    rest = filling.rest_of(assignment=work, words=words)
    assert brief.target_words <= words + count_words(rest) <= brief.high_words
    passages = len(work.task.writing_task.passages)
    assert all(number < passages for number in cited_places(rest))
    assert cited_places(rest)
    assert filling.rest_of(assignment=work, words=brief.target_words) == ""


def test_the_editor_of_a_trial_asks_for_the_rest(trial: Trial) -> None:
    work, client = writer(trial), Client()
    assert "data-write-rest" in client.get(reverse("writing:write", args=[work.token])).text
    body = json.dumps({"words": 17})
    address = reverse("writing:rest", args=[work.token])
    answer = client.post(address, body, content_type="application/json")
    assert answer.json()["text"] == filling.rest_of(assignment=work, words=17)
    refused = client.post(address, json.dumps({"words": -1}), content_type="application/json")
    assert refused.status_code == 422


def test_a_study_has_no_such_thing() -> None:
    work = begun(writing_study(), bob())
    drafting.acknowledge(assignment=work, now=NOW, answers={})
    page = Client().get(reverse("writing:write", args=[work.token])).text
    assert "data-write-rest" not in page
    with pytest.raises(UnknownLink):
        filling.rest_of(assignment=work, words=1)


def test_a_text_that_is_too_short_is_said_to_have_reached_no_limit(trial: Trial) -> None:
    hand_in(writer(trial), (BY_HAND, "insertText"))
    assert tried(trial) == recording_trials.TrialProgress(0, None, None, 8, 8, 200, by_link=True)
    shown = element(said_at("draft_try", trial), "data-tried")
    assert (shown.attributes["data-words"], shown.attributes["data-below"]) == ("8/8", "200")
    assert {8, 200} <= set(shown.numbers)
    check = said_at("draft_check", trial)
    [remark] = [row for row in elements(check, "data-remark") if 200 in row.numbers]
    assert 8 in remark.numbers
    assert element(check, "data-check", "tried").attributes["data-result"] == "bad"


def test_what_was_written_for_somebody_is_said_and_the_limits_are_seen(trial: Trial) -> None:
    hand_in(writer(trial), (BY_HAND, "insertText"))
    work = writer(trial)  # once more, in another browser
    rest = filling.rest_of(assignment=work, words=count_words(BY_HAND))
    hand_in(work, (BY_HAND, "insertText"), (rest, filling.FILLED))
    total = count_words(BY_HAND + rest)
    assert tried(trial) == recording_trials.TrialProgress(
        0, None, None, 8, total, 200, by_link=True
    )
    shown = element(said_at("draft_try", trial), "data-tried")
    assert shown.attributes["data-words"] == f"8/{total}"
    assert {8, total} <= set(shown.numbers)
    assert "data-below" not in shown.attributes
    check = said_at("draft_check", trial)
    trial_check = element(check, "data-check", "tried")
    assert trial_check.attributes["data-result"] == "good"
    assert {8, total} <= set(trial_check.numbers)
    hand_in(writer(trial), (BY_HAND, "insertText"))
    assert tried(trial).words_in_all == total  # the whole one stays
