"""Where a redo begins, by when chunks came and when a reviewer asked."""

import json
from datetime import timedelta

import pytest
from django.urls import reverse

from annotation.fieldwork.review import reviewing
from tests.cast import HOUR, MINUTE, NOW, rita
from tests.writing.editor.typing_hands import typed, writing_assignment
from writing.editor import drafting
from writing.log.collecting import collect, events_of, pack_log
from writing.log.eventlog import encode
from writing.log.redos import redo_starts
from writing.models import PackedLog

pytestmark = pytest.mark.django_db


def handed_in_twice():
    """Return a text with a reload, handed in.

    A redo, two pages of it, handed in again and packed.
    """
    work = writing_assignment()
    text = ""
    for number, (piece, at) in enumerate(
        (
            ("Lamps ", NOW),
            ("shine. ", NOW + MINUTE),
            ("So. ", NOW + 2 * HOUR),
            ("More.", NOW + 3 * HOUR),
        ),
        start=1,
    ):
        if number == 3:
            drafting.submit(assignment=work, text=text, last_number=2, now=NOW + HOUR)
            pack_log(assignment=work)
            reviewing.decide(
                assignment=work,
                decision="redo",
                reviewer="rita",
                reason="More, please.",
                now=NOW + HOUR + timedelta(minutes=5),
            )
        draft = drafting.current_text(work)
        events = typed(piece, first=draft.next_seq, at=len(text), ms=draft.ms + 1_000)
        text += piece
        collect(assignment=work, number=number, events_json=encode(events), now=at, tab="")
    drafting.submit(assignment=work, text=text, last_number=4, now=NOW + 4 * HOUR)
    pack_log(assignment=work)
    return work


def test_a_redo_begins_with_its_first_page():
    work = handed_in_twice()
    events = events_of(work)
    starts = [event.seq for event in events if event.type == "start"]
    assert redo_starts(work, events) == [starts[2]]
    PackedLog.objects.update(arrivals=b"")  # nobody kept when the chunks came
    assert redo_starts(work, events) == []


def test_the_replay_marks_it(client):
    work = handed_in_twice()
    client.force_login(rita())
    study = work.study
    address = reverse("review_playback", args=[study.slug, study.version, work.pk])
    marks = json.loads(client.get(address).content)["marks"]
    assert [(mark[2], mark[3]) for mark in marks if mark[2] == "redo"] == [
        ("redo", "changes requested by a reviewer begin")
    ]
