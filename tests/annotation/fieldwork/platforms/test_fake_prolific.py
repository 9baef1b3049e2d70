"""The fake Prolific keeps the rules that we depend on, and makes the trouble it is told to make."""

import base64
import hashlib
import hmac
import json
import re
import time
from collections import Counter
from urllib.parse import parse_qsl, urlsplit

import httpx
import jwt
import pytest
from django.core.management import CommandError, call_command

from annotation.fieldwork.platforms import calls
from annotation.fieldwork.platforms.fake_prolific.api import ProlificReply
from annotation.fieldwork.platforms.fake_prolific.running import FakeProlific
from annotation.fieldwork.platforms.fake_prolific.world import Status
from annotation.fieldwork.platforms.prolific_client import client_for_settings
from tests.annotation.fieldwork.recruiting.prolific.fakes import STUDY, Fake

REASON = "The answers contradict each other: the same text was called best and worst. " * 2


def test_a_study_goes_from_draft_to_complete():
    fake = Fake()
    study = fake.client.create_study(STUDY)["id"]
    with pytest.raises(calls.CallRefused, match=r"UNPUBLISHED .*PAUSE"):
        fake.client.pause(study)
    states = [
        step(study)["status"]
        for step in (fake.client.publish, fake.client.pause, fake.client.start)
    ]
    assert states == ["ACTIVE", "PAUSED", "ACTIVE"]
    for submission in [fake.finished(study) for _ in range(3)]:
        assert fake.client.study(study)["status"] == "AWAITING REVIEW"
        fake.client.approve(submission)
    assert fake.client.study(study)["status"] == "COMPLETED"
    fake.client.set_places(study, 4)
    assert fake.client.study(study)["status"] == "ACTIVE"


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({"name": ""}, " name: "),
        ({"reward": 0}, " reward: "),
        ({"completion_codes": STUDY["completion_codes"] * 2}, " completion_codes: "),
        (
            {"completion_codes": [{"code": "A", "code_type": "FUN", "actions": []}]},
            ": FUN ",
        ),
    ],
)
def test_a_study_that_lacks_something_is_refused(change, shown):
    with pytest.raises(calls.CallRefused, match=shown):
        Fake().client.create_study(STUDY | change)


def test_a_published_study_only_gets_more_places():
    fake = Fake()
    study = fake.published()
    with pytest.raises(calls.CallRefused, match="only be increased"):
        fake.client.set_places(study, 2)
    assert fake.client.set_places(study, 5)["total_available_places"] == 5


def test_a_place_is_free_again_after_a_return_a_time_out_and_a_rejection():
    fake = Fake()
    study = fake.published(total_available_places=1)
    for end in ("return", "time-out", "complete"):
        submission = fake.arrived(study)
        assert "No place is free" in str(fake.control("places/", study=study))
        fake.control(f"submissions/{submission}/{end}/", code="DONE")
    fake.client.reject(submission, category="LOW_EFFORT", message=REASON)
    fake.client.set_places(study, 1)
    assert fake.world.free(fake.world.study(study)) == 1


def test_nobody_takes_part_twice():
    fake = Fake()
    study = fake.published()
    fake.control(f"submissions/{fake.arrived(study, 'charlie')}/return/")
    assert "taken part" in str(fake.control("places/", study=study, participant="charlie"))


def test_approval_pays_once_and_only_what_awaits_review():
    fake = Fake()
    study = fake.published()
    submission = fake.arrived(study)
    with pytest.raises(calls.CallRefused, match=r"\bACTIVE"):
        fake.client.approve(submission)
    fake.control(f"submissions/{submission}/complete/", code="DONE")
    assert fake.client.approve(submission)["status"] == "APPROVED"
    with pytest.raises(calls.CallRefused, match=r"\bAPPROVED"):
        fake.client.approve(submission)
    assert fake.control()["paid"] == [{"submission": submission, "kind": "reward", "amount": 300}]


def test_a_rejection_needs_a_category_and_a_hundred_characters():
    fake = Fake()
    submission = fake.finished(fake.published())
    with pytest.raises(calls.CallRefused, match="'LAZY'"):
        fake.client.reject(submission, category="LAZY", message=REASON)
    with pytest.raises(calls.CallRefused, match=r"\b100\b"):
        fake.client.reject(submission, category="LOW_EFFORT", message="x" * 99)
    assert (
        fake.client.reject(submission, category="LOW_EFFORT", message="x" * 100)["status"]
        == "REJECTED"
    )


def test_bulk_approval_leaves_what_cannot_be_approved():
    fake = Fake()
    study = fake.published()
    done, active = fake.finished(study), fake.arrived(study)
    fake.client.bulk_approve([done, active])
    assert [row["status"] for row in fake.client.submissions(study)] == ["APPROVED", "ACTIVE"]


def test_codes_do_what_they_were_made_for():
    fake = Fake()
    study = fake.published()
    ends = {code: fake.finished(study, code) for code in ("FINE", "OUT", "GUESSED")}
    statuses = {code: fake.client.submission(key)["status"] for code, key in ends.items()}
    assert statuses == {"FINE": "APPROVED", "OUT": "SCREENED OUT", "GUESSED": "AWAITING REVIEW"}
    assert fake.world.paid() == {(ends["FINE"], "reward"): 300, (ends["OUT"], "screen out"): 20}


def test_a_code_after_the_time_is_noted_and_changes_nothing():
    fake = Fake()
    submission = fake.arrived(fake.published())
    fake.control(f"submissions/{submission}/time-out/")
    fake.control(f"submissions/{submission}/complete/", code="DONE")
    found = fake.client.submission(submission)
    assert (found["status"], found["entered_code"]) == ("TIMED-OUT", "DONE")


def test_paying_a_list_of_bonuses_again_pays_again():
    fake = Fake()
    study = fake.published()
    first, second = fake.finished(study), fake.finished(study)
    made = fake.client.create_bonuses(study, [(first, 425), (second, 5)])
    # Their example: fees of a third of the amount.
    assert (made["amount"], made["fees"], made["total_amount"]) == (430, 143.33, 573.33)
    assert not fake.world.payments
    for _ in range(2):
        fake.client.pay_bonuses(made["id"])
    assert fake.world.paid() == {(first, "bonus"): 850, (second, "bonus"): 10}
    assert fake.client.submission(first)["bonus_payments"] == [425, 425]


@pytest.mark.parametrize("row", ["nobody,1.00", "{},much", "{},-1", "{},0.001", "{},0"])
def test_a_list_with_a_bad_row_is_refused(row):
    fake = Fake()
    study = fake.published()
    body = {"study_id": study, "csv_bonuses": row.format(fake.finished(study))}
    answer = fake.http.post(
        "/api/v1/submissions/bonus-payments/", json=body, headers={"Authorization": "Token trial"}
    )
    assert answer.status_code == 400


def test_another_token_is_refused():
    fake = Fake()
    fake.api.token = "another"
    with pytest.raises(calls.CallRefused, match="credentials") as refused:
        fake.client.study("s1")
    assert refused.value.status == 401


# -- Webhooks and links ------------------------------------------------------------------------
def subscribed(letters: list) -> tuple[Fake, str]:
    fake = Fake(send=lambda *letter: letters.append(letter))
    secret = fake.client.create_secret("w1")
    fake.client.subscribe(workspace="w1", address="https://crowdwright.example.org/hook/")
    return fake, secret


def test_a_change_of_status_is_told_signed():
    letters = []
    fake, secret = subscribed(letters)
    submission = fake.arrived(fake.published(), "bob")
    assert [json.loads(body)["status"] for _, _, body in letters] == ["RESERVED", "ACTIVE"]
    address, headers, body = letters[-1]
    assert address == "https://crowdwright.example.org/hook/"
    assert json.loads(body) == {
        "event_type": "submission.status.change",
        "resource_id": submission,
        "participant_id": "bob",
        "status": "ACTIVE",
    }
    message = headers["X-Prolific-Request-Timestamp"].encode() + body
    digest = hmac.new(secret.encode(), message, hashlib.sha256).digest()
    assert headers["X-Prolific-Request-Signature"] == base64.b64encode(digest).decode()


def test_nothing_is_told_before_a_subscription_is_confirmed():
    letters = []
    fake = Fake(send=lambda *letter: letters.append(letter))
    fake.client.create_secret("w1")
    fields = {"workspace_id": "w1", "event_type": "submission.status.change"}
    made = fake.api.hooks.subscribe({**fields, "target_url": "https://example.org/"})
    fake.arrived(fake.published())
    assert not letters
    with pytest.raises(calls.CallRefused, match="not the secret"):
        fake.client._change("confirm", "POST", f"hooks/subscriptions/{made.id}/", {"secret": "x"})


def test_webhooks_come_late_reordered_twice_or_never():
    letters = []
    fake, _ = subscribed(letters)
    study = fake.published(total_available_places=9)
    told = {}
    for mode in ("late", "reordered", "duplicate", "lost"):
        letters.clear()
        fake.control("webhooks/", mode=mode)
        fake.arrived(study)
        assert bool(letters) == (mode == "duplicate")
        fake.control("webhooks/", send_kept=True)
        told[mode] = [json.loads(body)["status"] for _, _, body in letters]
        if mode == "duplicate":
            events = Counter(headers["X-Event-ID"] for _, headers, _ in letters)
            assert sorted(events.values()) == [2, 2]
    assert told == {
        "late": ["RESERVED", "ACTIVE"],
        "reordered": ["ACTIVE", "RESERVED"],
        "duplicate": ["RESERVED", "RESERVED", "ACTIVE", "ACTIVE"],
        "lost": [],
    }


def test_a_link_has_the_ids():
    fake = Fake()
    study = fake.published()
    arrived = fake.control("places/", study=study, participant="bob")
    assert dict(parse_qsl(urlsplit(arrived["address"]).query)) == {
        "PROLIFIC_PID": "bob",
        "STUDY_ID": study,
        "SESSION_ID": arrived["id"],
    }


def test_a_signed_link_is_read_by_an_independent_library():
    fake = Fake()
    study = fake.published(is_external_study_url_secure=True)
    fake.control("keys/")  # signed with the second key, the first is still published
    arrived = fake.control("places/", study=study, participant="bob")
    plain, _, token = arrived["address"].partition("&prolific_token=")
    keys = {key.key_id: key for key in jwt.PyJWKSet.from_dict(fake.client.jwks()).keys}
    assert len(keys) == 2
    key = keys[jwt.get_unverified_header(token)["kid"]]
    claims = jwt.decode(
        token, key, algorithms=["RS256"], audience=plain, issuer="https://www.prolific.com"
    )
    assert claims["sub"] == arrived["id"]
    assert claims["exp"] - claims["iat"] == 120
    assert claims["prolific"]["PROLIFIC_PID"] == "bob"
    assert len(fake.control("keys/", forget=True)["keys"]) == 1


def test_their_clock_can_be_wrong():
    letters = []
    fake, _ = subscribed(letters)
    study = fake.published()
    fake.arrived(study)
    fake.control("clock/", skew=3600)
    fake.arrived(study)
    first, *_, last = (int(headers["X-Prolific-Request-Timestamp"]) for _, headers, _ in letters)
    assert 3599 <= last - first <= 3660


# -- Trouble -------------------------------------------------------------------------------------
def test_work_is_done_although_the_answer_says_otherwise():
    for kind in ("error after", "html", "hang", "cut"):
        fake = Fake()
        submission = fake.finished(fake.published())
        fake.control("troubles/", kind=kind, where="transition", method="POST")
        with pytest.raises(calls.OutcomeUnknown):
            fake.client.approve(submission)
        assert fake.client.submission(submission)["status"] == "APPROVED"
        assert len(fake.world.payments) == 1


def test_work_is_not_done_where_the_request_is_lost():
    for kind in ("busy", "error", "lost"):
        fake = Fake()
        submission = fake.finished(fake.published())
        fake.control("troubles/", kind=kind, where="transition", times=2, retry_after=3)
        assert fake.client.approve(submission)["status"] == "APPROVED"
        assert len(fake.pauses) == 2
        assert len(fake.world.payments) == 1


def test_unknown_trouble_is_refused():
    fake = Fake()
    for path, fields in (
        ("troubles/", {"kind": "flood"}),
        ("troubles/", {"kind": "busy", "colour": "red"}),
        ("webhooks/", {"mode": "never"}),
        ("nothing/", {}),
    ):
        assert fake.control(path, **fields)["error"]["status"] in (400, 404)


def test_every_status_of_theirs_can_be_put():
    fake = Fake()
    submission = fake.arrived(fake.published())
    for status in Status:
        assert fake.control(f"submissions/{submission}/", status=status)["status"] == status


# -- As a server ---------------------------------------------------------------------------------
@pytest.fixture
def server():
    fake = FakeProlific(token="trial").start()
    yield fake
    fake.stop()


def test_somebody_takes_a_place_comes_back_and_sees_what_was_paid(server, settings):
    settings.PROLIFIC_URL, settings.PROLIFIC_TOKEN = server.url, "trial"
    settings.RECRUITING_DRY_RUN = False
    client = client_for_settings()
    study = client.create_study(STUDY)["id"]
    client.publish(study)
    with httpx.Client(base_url=server.site) as browser:
        taken = browser.post("/take/", data={"study": study, "person": "Bob"})
        assert taken.status_code == 303
        assert taken.headers["Location"].startswith("https://crowdwright.example.org/s/lamps/?")
        again = browser.post("/take/", data={"study": study, "person": "Bob"})
        assert again.headers["Location"] == taken.headers["Location"]
        assert "AWAITING REVIEW" in browser.get("/submissions/complete?cc=DONE").text
        assert browser.get("/submissions/complete?cc=DONE").status_code == 400
        (submission,) = client.submissions(study)
        client.approve(submission["id"])
        page = browser.get("/").text
    assert re.search(r"paid: *3\.00", page)
    assert "APPROVED" in page


def test_a_server_that_hangs_or_cuts_leaves_it_unknown(server):
    caller = calls.Caller(
        url=server.url,
        headers={"Authorization": "Token trial"},
        dry_run=False,
        sleep=lambda _: None,
        timeout=1,
    )
    for kind in ("hang", "cut"):
        httpx.post(f"{server.site}/control/troubles/", json={"kind": kind, "seconds": 3})
        with pytest.raises(calls.OutcomeUnknown):
            caller.call("create a study", "POST", "studies/", payload=STUDY, may_be_repeated=False)
    deadline = time.monotonic() + 30
    while len(server.world.studies) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)  # the caller gives up before a busy server reads what it sent
    assert len(server.world.studies) == 2


def test_a_webhook_arrives(server):
    received = FakeProlific().start()  # any server that answers; what it was sent is looked at
    try:
        seen = []
        received.api.answer = lambda request: seen.append(request) or _fine()
        server.tell(received.url)
        study = server.world.create(dict(STUDY))
        server.world.move(study, "PUBLISH")
        server.world.reserve(study, "bob")
        server.letters.join()
        assert json.loads(seen[0].body)["status"] == "RESERVED"
    finally:
        received.stop()


def _fine():
    return ProlificReply(200, {})


def test_the_command_says_what_to_set(monkeypatch, capsys):
    def interrupted(fake: FakeProlific) -> None:
        assert "Trial Prolific" in httpx.get(fake.site).text
        raise KeyboardInterrupt

    monkeypatch.setattr(FakeProlific, "wait", interrupted)
    call_command("fake_prolific", "--port=0")
    assert "PROLIFIC_TOKEN=trial" in capsys.readouterr().out


def test_a_port_in_use_is_said(server):
    with pytest.raises(CommandError, match="--port"):
        call_command("fake_prolific", f"--port={server.server.server_port}")
