"""Characters that no database can keep are refused or cleaned where they enter."""

import base64
import json

import pytest
from django.test import Client
from django.utils import timezone

from annotation.fieldwork.recruiting.prolific import link_tokens, receiving_webhooks
from annotation.refusals import Refusal
from annotation.studies.drafts import document_files
from annotation.studies.drafts.plain_data import BadDocument
from annotation.studies.instruments import BadInstrument, decoded_from
from annotation.texts.untrusted import DEPTH, TooDeep, read_json, storable
from judging.calls.client import BrokenCall, BusyServer, RefusedCall
from judging.instruments.schema import InstrumentFile
from tests.cast import rita

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

NUL, HALF = "\x00", "\ud83d"
DEEP = "[" * 100_000


@pytest.fixture
def visitor():
    return Client(raise_request_exception=False)


@pytest.mark.parametrize(
    ("address", "headers"),
    [
        ("/login/?next=%00", {}),
        ("/login/?%00=x", {}),
        ("/login/", {"User-Agent": "odd\x00browser"}),
        ("/login/", {"Cookie": 'sessionid="\\000aaaaaaaaaaaa"'}),
        ("/login/", {"Cookie": 'crowdwright_known="\\000"'}),
        ("/s/none/?PROLIFIC_PID=%00", {}),
        ("/w/%00/", {}),  # no page has such an address
    ],
)
def test_a_request_with_nul_is_refused_and_not_an_error(visitor, address, headers):
    rita()
    form = {"username": "rita", "password": "wrong"}
    for answer in (
        visitor.get(address, headers=headers),
        visitor.post(address, form, headers=headers),
    ):
        assert answer.status_code == (404 if "/w/" in address else 400)


@pytest.mark.parametrize("charset", ["unicode_escape", "hex", "utf-7", "utf-16", "idna"])
def test_forms_are_utf_8(visitor, charset):
    """A browser sends no other; these make half a surrogate pair, or fail."""
    body = b'--b\r\nContent-Disposition: form-data; name="username"\r\n\r\n\\ud83d\r\n--b--\r\n'
    kind = f"multipart/form-data; charset={charset}; boundary=b"
    assert visitor.generic("POST", "/login/", body, kind).status_code == 400
    visitor.force_login(rita())
    address = "/api/drafts/"
    kind = f"application/json; charset={charset}"
    assert visitor.generic("POST", address, b"{}", kind).status_code == 400


def test_utf_8_is_taken_however_it_is_written(visitor):
    for charset in ("utf-8", "UTF-8"):
        kind = f"application/x-www-form-urlencoded; charset={charset}"
        assert visitor.generic("POST", "/login/", b"username=r", kind).status_code == 200


@pytest.mark.parametrize("text", [NUL, HALF, f"a{NUL}b{HALF}", "plain", "💥"])
def test_what_is_storable_can_be_stored_and_stays_as_it_is(text):
    clean = storable(text)
    assert NUL not in clean
    clean.encode()
    assert storable(clean) == clean
    assert (clean == text) == (text in ("plain", "💥"))


def test_json_is_cleaned_in_values_and_in_names():
    read = read_json(r'{"a\u0000": ["x\ud83d", {"b\ude00": "\ud83d\ude00"}], "n": [1, null]}')
    assert read == {"a": ["x?", {"b?": "😀"}], "n": [1, None]}


@pytest.mark.parametrize(
    "text", [DEEP, '{"a":' * 100_000, "[" * (DEPTH + 1) + "]" * (DEPTH + 1), b"[" * 5000]
)
def test_json_that_is_too_deep_is_refused(text):
    with pytest.raises(TooDeep):
        read_json(text)
    assert read_json("[" * DEPTH + "]" * DEPTH)


@pytest.mark.parametrize("failure", [RefusedCall, BusyServer, BrokenCall])
def test_a_failure_of_a_model_has_texts_that_can_be_stored(failure):
    error = failure("key", f"no {NUL}{HALF}", raw=f"{HALF}{NUL}")
    for text in (error.said, error.raw, str(error)):
        assert storable(text) == text


def signed(body: bytes, secret: str, now) -> dict[str, str]:
    stamp = str(int(now.timestamp()))
    return {
        "timestamp": stamp,
        "signed": receiving_webhooks.signature(secret=secret, timestamp=stamp, body=body),
    }


@pytest.mark.parametrize(
    ("body", "event"),
    [
        (b'{"event_type": "x", "more": ' + DEEP.encode()[:5000] + b"}", "e1"),
        (b'{"event_type": "submission.status.change", "resource_id": "\\ud83d"}', "e1"),
        (b'{"event_type": "submission.status.change", "resource_id": "r"}', "e\x001"),
        (b'{"event_type": "submission.status.change", "resource_id": "r"}', "e\ud83d"),
        (b'{"event_type": "submission.status.change", "resource_id": "\\u0000"}', "e1"),
    ],
)
def test_a_webhook_with_odd_characters_is_refused(settings, body, event):
    settings.PROLIFIC_WEBHOOK_SECRET = "secret"
    now = timezone.now()
    with pytest.raises(Refusal) as refused:
        receiving_webhooks.hear(body=body, event_id=event, now=now, **signed(body, "secret", now))
    assert refused.value.status == 400


API = {
    "/api/drafts/": [
        {"title": "?", "kind": "judging", "instruments": []},
        {"document": {"?": "?"}},
        {"instruments": ["?"]},
        {"corpus": "?"},
    ],
    "/api/uploads/": [{"slug": "?", "title": "?", "team": "?"}],
}


@pytest.mark.parametrize("odd", [NUL, HALF, "[" * 500], ids=["NUL", "half", "deep"])
def test_json_for_programs_is_refused_with_a_sentence(visitor, odd):
    visitor.force_login(rita())
    for address, bodies in API.items():
        for body in bodies:
            text = json.dumps(body)
            sent = text.replace('"?"', odd + "]" * len(odd)) if odd[0] == "[" else text.replace(
                "?", json.dumps(odd)[1:-1]
            )  # fmt: skip
            answer = visitor.generic("POST", address, sent, "application/json")
            assert answer.status_code == 400, (address, body, answer.content[:300])
            assert answer.json()


@pytest.mark.parametrize("body", [DEEP, '{"a":' * 5000, "[" * 900 + "]" * 900])
def test_json_for_programs_that_is_too_deep_is_no_server_error(visitor, body):
    visitor.force_login(rita())
    for address in API:
        assert visitor.generic("POST", address, body, "application/json").status_code == 400


def test_files_that_are_too_deep_are_refused_with_a_sentence():
    for text in (DEEP, '{"format": ' + DEEP, '{"title": "x", "more": ' + DEEP):
        with pytest.raises(BadDocument):
            document_files.read(text.encode())
        with pytest.raises(BadInstrument):
            decoded_from(text.encode(), as_type=InstrumentFile, name="deep.json")


@pytest.mark.parametrize("odd", ["[" * 2500, '{"alg":' * 500])
def test_a_signed_link_that_is_too_deep_proves_nothing(odd):
    header = base64.urlsafe_b64encode(odd.encode()).rstrip(b"=").decode()
    expected = link_tokens.ExpectedClaims(address="https://a.example/s/x/", parameters={})
    with pytest.raises(link_tokens.BadToken):
        link_tokens.verify(f"{header}.e30.AAAA", key_for=lambda _: None, expected=expected)


@pytest.mark.parametrize(
    ("site", "status"),
    [("cross-site", 403), ("same-site", 403), ("same-origin", 200), ("none", 200), (None, 200)],
)
def test_forms_come_from_our_own_pages(visitor, site, status):
    rita()
    headers = {"Sec-Fetch-Site": site} if site else {}
    assert visitor.post("/login/", {"username": "r"}, headers=headers).status_code == status
    assert visitor.get("/login/", headers=headers).status_code == 200
