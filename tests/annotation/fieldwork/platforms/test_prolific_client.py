"""What Prolific is told, how often, and what is known afterwards."""

import json
import logging

import httpx
import pytest

from annotation.fieldwork.platforms import calls
from annotation.fieldwork.platforms.prolific_client import (
    ProlificClient,
    client_for_settings,
    major_units,
)
from annotation.outgoing.connections import ConnectionCut, Overdue, Unreachable

URL = "https://prolific.example.org/api/v1/"
TOKEN = "a-token-that-nobody-reads"
BUSY = httpx.Response(429, headers={"Retry-After": "7"})
HTML = httpx.Response(200, html="<h1>Back soon</h1>")


class Prolific:
    """Answers with what it was given, in turn, the last one again and again."""

    def __init__(self, *answers: httpx.Response | Exception) -> None:
        self.answers, self.requests, self.pauses = list(answers), [], []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def client(self, *, dry_run: bool = False, token: str = TOKEN) -> ProlificClient:
        caller = calls.Caller(
            url=URL,
            headers={"Authorization": f"Token {token}"},
            dry_run=dry_run,
            sleep=self.pauses.append,
            transport=httpx.MockTransport(self),
        )
        return ProlificClient(caller, token=token)


def answer(content=None, status=200, **more) -> httpx.Response:
    return httpx.Response(status, json={} if content is None else content, **more)


def refusal(sentence: str) -> httpx.Response:
    return answer({"error": {"status": 400, "detail": sentence}}, 400)


def test_a_dry_run_sends_nothing_that_changes_something_and_still_reads(caplog):
    prolific = Prolific(answer({"id": "s1", "status": "ACTIVE"}))
    client = prolific.client(dry_run=True)
    for change in (
        lambda: client.create_study({"name": "Lamps"}),
        lambda: client.publish("s1"),
        lambda: client.set_places("s1", 9),
        lambda: client.approve("one"),
        lambda: client.bulk_approve(["one"]),
        lambda: client.create_bonuses("s1", [("one", 100)]),
        lambda: client.pay_bonuses("b1"),
        lambda: client.create_secret("w1"),
        lambda: client.subscribe(workspace="w1", address="https://example.org/hook"),
    ):
        with pytest.raises(calls.NotSent):
            change()
    assert not prolific.requests
    assert client.study("s1")["status"] == "ACTIVE"


def test_dry_run_is_the_default(settings):
    assert settings.RECRUITING_DRY_RUN
    with pytest.raises(calls.NotSent) as stopped:
        client_for_settings().approve("one")
    assert stopped.value.payload == {"action": "APPROVE"}


def test_without_a_token_nobody_is_asked():
    prolific = Prolific(answer())
    for call in (lambda c: c.study("s1"), lambda c: c.approve("one")):
        with pytest.raises(calls.NoToken, match="PROLIFIC_TOKEN"):
            call(prolific.client(token=""))
    assert not prolific.requests


def test_it_waits_as_long_as_it_is_asked_to():
    prolific = Prolific(BUSY, answer({"id": "one", "status": "APPROVED"}))
    assert prolific.client().approve("one")["status"] == "APPROVED"
    assert prolific.pauses == [7]


def test_pauses_grow():
    prolific = Prolific(answer(status=503), answer(status=503), answer({"id": "one"}))
    prolific.client().submission("one")
    first, second = prolific.pauses
    assert 0.25 <= first <= 0.5 <= second <= 1


def test_who_is_asked_to_wait_for_long_gives_up():
    prolific = Prolific(httpx.Response(429, headers={"Retry-After": "3600"}))
    with pytest.raises(calls.CallRefused) as refused:
        prolific.client().approve("one")
    assert refused.value.status == 429
    assert (len(prolific.requests), prolific.pauses) == (1, [])


@pytest.mark.parametrize(
    ("trouble", "why"),
    [
        (Overdue("slow"), r"\bin time\b"),
        (ConnectionCut("cut"), "connection"),
        (answer(status=500), r"failed \(500\)"),
        (HTML, "with JSON"),
        (httpx.Response(302, headers={"Location": "/login"}), r"redirected .*\(302\)"),
    ],
)
@pytest.mark.parametrize(("name", "tries"), [("pay_bonuses", 1), ("approve", 4)])
def test_what_is_not_answered_is_unknown(trouble, why, name, tries):
    prolific = Prolific(trouble)
    with pytest.raises(calls.OutcomeUnknown, match=why):
        getattr(prolific.client(), name)("one")
    assert len(prolific.requests) == tries


def test_a_platform_that_cannot_be_reached_has_done_nothing():
    prolific = Prolific(Unreachable("no route"))
    with pytest.raises(calls.CallRefused):
        prolific.client().pay_bonuses("b1")


def test_a_refusal_says_why_and_is_not_repeated():
    prolific = Prolific(refusal("Only awaiting review can be approved."))
    with pytest.raises(calls.CallRefused, match="Only awaiting review") as refused:
        prolific.client().approve("one")
    assert (refused.value.status, len(prolific.requests)) == (400, 1)


def test_a_refusal_after_a_lost_answer_may_mean_that_the_first_try_was_carried_out():
    prolific = Prolific(Overdue("slow"), refusal("It is APPROVED already."))
    with pytest.raises(calls.OutcomeUnknown, match="APPROVED already"):
        prolific.client().approve("one")


def test_all_pages_of_submissions_are_read_once():
    rows = [{"id": str(n), "status": "ACTIVE"} for n in range(150)]
    rows[3]["status"] = "TIME-OUT"

    def page(request: httpx.Request) -> httpx.Response:
        number = int(request.url.params["page"])
        assert request.url.params["study"] == "s1"
        more = {"next": {"href": "https://elsewhere.example.org/"}} if number == 1 else {}
        return answer({"results": rows[(number - 1) * 100 : number * 100], "_links": more})

    caller = calls.Caller(url=URL, headers={}, dry_run=True, transport=httpx.MockTransport(page))
    found = list(ProlificClient(caller, token=TOKEN).submissions("s1"))
    assert [row["id"] for row in found] == [row["id"] for row in rows]
    assert found[3]["status"] == "TIMED-OUT"


def test_a_list_that_never_ends_ends():
    same = {"results": [{"id": "one"}], "_links": {"next": {"href": "again"}}}
    assert len(list(Prolific(answer(same)).client().submissions("s1"))) == 1


def test_bonuses_are_told_in_major_units():
    prolific = Prolific(answer({"id": "b1", "amount": 430, "fees": 142}, 201))
    prolific.client().create_bonuses("s1", [("one", 425), ("two", 5)])
    sent = json.loads(prolific.requests[0].content)
    assert sent == {"study_id": "s1", "csv_bonuses": "one,4.25\ntwo,0.05"}
    assert [major_units(amount) for amount in (1, 100, 123456)] == ["0.01", "1.00", "1234.56"]
    with pytest.raises(ValueError, match=r"\b0\b"):
        major_units(0)


def test_no_more_is_sent_at_once_than_they_take():
    client = Prolific(answer()).client()
    with pytest.raises(ValueError, match="1,000"):
        client.bulk_approve(["one"] * 1001)
    with pytest.raises(ValueError, match=r"\b1\b.*\b200\b"):
        client.create_bonuses("s1", [("one", 1)] * 201)


def test_a_subscription_is_confirmed_with_the_secret_of_its_answer():
    made = answer({"id": "h1"}, 201, headers={"X-Hook-Secret": "proof"})
    prolific = Prolific(made, answer({"id": "h1", "is_enabled": True}))
    client = prolific.client()
    assert client.subscribe(workspace="w1", address="https://example.org/")["is_enabled"]
    confirmation = prolific.requests[1]
    assert confirmation.url.path == "/api/v1/hooks/subscriptions/h1/"
    assert json.loads(confirmation.content) == {"secret": "proof"}


def test_keys_are_those_of_the_host():
    prolific = Prolific(answer({"keys": []}))
    prolific.client(dry_run=True).jwks()
    assert str(prolific.requests[0].url) == (
        "https://prolific.example.org/.well-known/study/jwks.json"
    )


def test_an_id_stays_one_part_of_the_address():
    prolific = Prolific(answer())
    prolific.client().submission("../studies/s1?x=")
    raw = prolific.requests[0].url.raw_path
    assert raw == b"/api/v1/submissions/..%2Fstudies%2Fs1%3Fx%3D/"


def test_no_line_of_the_log_has_a_token_or_an_id(caplog):
    caplog.set_level(logging.DEBUG, "annotation")
    prolific = Prolific(answer(status=500), answer({"id": "personal-id"}))
    client = prolific.client()
    client.submission("personal-id")
    client.create_bonuses("s1", [("personal-id", 425)])
    with pytest.raises(calls.NotSent):
        prolific.client(dry_run=True).approve("personal-id")
    assert "read a submission" in caplog.text
    assert "dry run" in caplog.text
    for secret in ("personal-id", TOKEN, "4.25"):
        assert secret not in caplog.text
    assert TOKEN not in repr(client._caller)
    assert logging.getLogger("httpx").getEffectiveLevel() >= logging.WARNING


@pytest.mark.parametrize("status", [200, 400])
def test_what_prolific_says_can_be_stored(status):
    body = rb'{"status": "AC\u0000TIVE\ud83d", "detail": "no\u0000 \ud83d"}'
    client = Prolific(httpx.Response(status, content=body)).client()
    if status == 200:
        assert client.study("s1")["status"] == "ACTIVE?"
    else:
        with pytest.raises(calls.CallRefused, match=r"no \?$"):
            client.approve("one")


@pytest.mark.parametrize(
    "body", [b"[" * 100_000, b'{"results": [1]}', b'{"results": [{"id": 7}]}', b'{"results": {}}']
)
def test_an_answer_of_another_shape_is_no_crash(body):
    client = Prolific(httpx.Response(200, content=body)).client()
    with pytest.raises(calls.OutcomeUnknown):
        list(client.submissions("s1"))
