"""Ways to a completion code that lead past the work, tried on real web server processes."""

import http.client
import json
import zlib
from urllib.parse import urlencode, urlsplit

import pytest
from django.utils import timezone

from annotation.fieldwork.review.reviewing import decide
from annotation.models import Assignment, Batch, ReviewDecision, Study
from judging.models import Judgment
from tests.cast import begun, bob, small_study, worker, writing_study
from writing import tasks
from writing.log.eventlog import Start, encode
from writing.models import LogChunk, Writing

pytestmark = pytest.mark.storage
ENTRY = {"acknowledged": "on", "worker_knowledge": "1", "query_answerable": "1", "query_clear": "1"}
EXIT = {"text": "Any text at all.", "last_number": "0", "lost": "on", "comment": "None."}
EVENTS = [Start(seq=1, ms=1, length=0, version=1, agent="none")]


class Attacker:
    """Sends what it likes to the addresses of one assignment."""

    def __init__(self, host: str, assignment: Assignment) -> None:
        self.host, self.at = urlsplit(host).netloc, f"/w/{assignment.token}/"

    def send(self, path: str, *, form: dict[str, str] | None = None, data: object = None) -> int:
        """Return the status of the answer, which shows no completion code."""
        body, kind = None, ""
        if form is not None:
            body, kind = urlencode(form), "application/x-www-form-urlencoded"
        elif data is not None:
            body, kind = json.dumps(data), "application/json"
        link = http.client.HTTPConnection(self.host, timeout=30)
        try:
            link.request("POST" if body else "GET", self.at + path, body, {"Content-Type": kind})
            answer = link.getresponse()
            assert b"data-completion-code" not in answer.read()
            return answer.status
        finally:
            link.close()


def test_writing_pages_cannot_submit_a_judging_task(web_processes, transactional_db):
    study = small_study(responses=6, items=1, quota=2)
    (server,) = web_processes(1)
    crowd = [begun(study, worker(f"w{n}"), now=timezone.now()) for n in range(20)]
    for simulated in crowd:
        attacker = Attacker(server.url, simulated)
        assert attacker.send("writing/entry/", form=ENTRY) == 404
        assert attacker.send("writing/here/", data={"tab": "t"}) == 404
        chunk = {"tab": "t", "number": 1, "events": json.loads(encode(EVENTS))}
        assert attacker.send("writing/log/", data=chunk) == 404
        assert attacker.send("writing/finish/", form=EXIT) == 404
        assert attacker.send("judging/finish/", form=EXIT) == 422  # and nothing is answered
        assert attacker.send("done/") == 302  # to the work
    assert set(Assignment.objects.values_list("state", flat=True)) == {"active"}
    assert not Writing.objects.exists()
    assert not LogChunk.objects.exists()
    assert Batch.objects.get().state == "open"


def test_judging_pages_cannot_submit_a_writing_task(web_processes, transactional_db):
    study = writing_study()
    (server,) = web_processes(1)
    attacker = Attacker(server.url, begun(study, bob(), now=timezone.now()))
    assert attacker.send("judging/") == 404
    assert attacker.send("judging/here/", data={"tab": "t"}) == 404
    assert attacker.send("judging/answers/", data={"tab": "t", "answers": []}) == 404
    assert attacker.send("judging/finish/", form=EXIT) == 404
    assert attacker.send("writing/finish/", form=EXIT) == 302  # to the rule
    assert Assignment.objects.get().state == "active"
    assert not Judgment.objects.exists()
    assert Batch.objects.get().state == "open"


def paid_before_this_was_mended(study: Study) -> Assignment:
    """Judging work that came in through the writing pages, as a database may still have it."""
    work = begun(study, bob())
    Writing.objects.create(assignment=work, acknowledged_at=timezone.now(), text="Any.")
    LogChunk.objects.create(
        assignment=work, number=1, first_seq=1, last_seq=1, first_ms=1, last_ms=1,
        length_after=0, log_bytes=len(encode(EVENTS)), data=zlib.compress(encode(EVENTS)),
        received_at=timezone.now(),
    )  # fmt: skip
    Assignment.objects.filter(pk=work.pk).update(state="submitted", submitted_at=timezone.now())
    return work


def test_work_that_was_faked_before_is_rejected_and_no_sweep_meets_it(
    transactional_db, monkeypatch
):
    work = paid_before_this_was_mended(small_study())
    handed_out = []
    monkeypatch.setattr(tasks.pack, "delay", handed_out.append)
    tasks.sweep()
    tasks.pack(work.pk)  # no error
    assert handed_out == []
    for decision in (ReviewDecision.Decision.ACCEPT, ReviewDecision.Decision.REJECT):
        decide(
            assignment=Assignment.objects.get(),
            decision=decision,
            reviewer="rita",
            now=timezone.now(),
            reason="Nothing was judged.",
        )
    assert Assignment.objects.get().state == "rejected"
