"""Addresses below `/control/` for tests and trials, without a password, which Prolific lacks.

They make trouble, hold webhooks back, turn the clock, change keys, play a participant, and show
payments. All take and return JSON.
"""

from dataclasses import asdict

from annotation.fieldwork.platforms.fake_prolific.api import (
    FakeApi,
    FakeRequest,
    ProlificReply,
    Routes,
    detail,
    refusal,
)
from annotation.fieldwork.platforms.fake_prolific.hooks import Mode
from annotation.fieldwork.platforms.fake_prolific.signing import link
from annotation.fieldwork.platforms.fake_prolific.troubles import ApiTrouble, ProlificTrouble
from annotation.fieldwork.platforms.fake_prolific.world import ApiError, Status

CONTROL = "/control/"


def answer(api: FakeApi, request: FakeRequest) -> ProlificReply:
    try:
        return api.routed(request, CONTROL, CONTROLS)
    except ApiError as no:
        return refusal(no)


def show(api: FakeApi, request: FakeRequest) -> ProlificReply:
    """Return what was paid, to compare with a ledger, and the state of the fake."""
    paid = api.world.paid().items()
    return ProlificReply(
        200,
        {
            "paid": [{"submission": s, "kind": k, "amount": amount} for (s, k), amount in paid],
            "troubles": [asdict(trouble) for trouble in api.troubles.waiting if trouble.times],
            "webhooks": {"mode": api.hooks.mode, "kept": len(api.hooks.kept)},
            "skew": api.world.skew,
        },
    )


def make_trouble(api: FakeApi, request: FakeRequest) -> ProlificReply:
    """Add trouble: {"kind": "error after", "where": "pay", "times": 1}."""
    fields = request.json()
    try:
        api.troubles.waiting.append(
            ApiTrouble(**{**fields, "kind": ProlificTrouble(str(fields.get("kind")))})
        )
    except (TypeError, ValueError) as error:
        raise ApiError(400, f"kind: one of {', '.join(ProlificTrouble)}; {error}") from error
    return show(api, request)


def end_troubles(api: FakeApi, request: FakeRequest) -> ProlificReply:
    api.troubles.waiting.clear()
    return show(api, request)


def set_webhooks(api: FakeApi, request: FakeRequest) -> ProlificReply:
    """Set {"mode": "late"}, or send webhooks that were held back: {"send_kept": true}."""
    fields = request.json()
    try:
        api.hooks.mode = Mode(fields.get("mode", api.hooks.mode))
    except ValueError as error:
        raise ApiError(400, f"mode: one of {', '.join(Mode)}") from error
    if fields.get("send_kept"):
        api.hooks.send_kept()
    return show(api, request)


def set_clock(api: FakeApi, request: FakeRequest) -> ProlificReply:
    """Set the clock: {"skew": 300} is five minutes ahead."""
    api.world.skew = float(request.json().get("skew", 0))
    return show(api, request)


def change_keys(api: FakeApi, request: FakeRequest) -> ProlificReply:
    """Sign with a new key; {"forget": true} publishes it alone."""
    api.signer.rotate()
    if request.json().get("forget"):
        api.signer.forget()
    return ProlificReply(200, api.signer.jwks())


def take_place(api: FakeApi, request: FakeRequest) -> ProlificReply:
    """Take a place: {"study": ..., "participant": ...}; return the participant's address."""
    fields = request.json()
    study = api.world.study(str(fields.get("study")))
    submission = api.world.reserve(study, str(fields.get("participant") or api.world.new_id()))
    api.world.begin(submission)
    address = link(submission, signer=api.signer, now=api.world.now())
    return ProlificReply(201, {**detail(submission), "address": address})


def play(api: FakeApi, request: FakeRequest, key: str, what: str) -> ProlificReply:
    """Act as a participant: `complete` with {"code": ...}, `return`, `time-out`."""
    submission = api.world.submission(key)
    if what == "complete":
        api.world.complete(submission, str(request.json().get("code", "")))
    elif what == "return":
        api.world.leave(submission)
    else:
        api.world.time_out(submission)
    return ProlificReply(200, detail(submission))


def put_status(api: FakeApi, request: FakeRequest, key: str) -> ProlificReply:
    """Set any status without its rules: {"status": "PARTIALLY APPROVED"}."""
    submission = api.world.submission(key)
    try:
        api.world.put(submission, Status(str(request.json().get("status"))))
    except ValueError as error:
        raise ApiError(400, f"status: one of {', '.join(Status)}") from error
    return ProlificReply(200, detail(submission))


CONTROLS: Routes = [
    ("GET", "", show),
    ("POST", "troubles/", make_trouble),
    ("DELETE", "troubles/", end_troubles),
    ("POST", "webhooks/", set_webhooks),
    ("POST", "clock/", set_clock),
    ("POST", "keys/", change_keys),
    ("POST", "places/", take_place),
    ("POST", "submissions/([^/]+)/(complete|return|time-out)/", play),
    ("POST", "submissions/([^/]+)/", put_status),
]
