"""The addresses of the fake API, as Prolific's are; transport is left to `running`."""

import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from annotation.fieldwork.platforms.fake_prolific import troubles
from annotation.fieldwork.platforms.fake_prolific.bonuses import Bonuses, BonusList
from annotation.fieldwork.platforms.fake_prolific.eligibility import FILTERS
from annotation.fieldwork.platforms.fake_prolific.hooks import Hooks, Send
from annotation.fieldwork.platforms.fake_prolific.signing import Signer
from annotation.fieldwork.platforms.fake_prolific.troubles import (
    ApiTrouble,
    ApiTroubles,
    ProlificTrouble,
)
from annotation.fieldwork.platforms.fake_prolific.world import (
    ApiError,
    FakeStudy,
    Json,
    Submission,
    World,
    found,
    iso,
)

API, KEYS = "/api/v1/", "/.well-known/study/jwks.json"
MOST_A_PAGE = 100


@dataclass
class FakeRequest:
    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    def json(self) -> Json:
        try:
            content = json.loads(self.body or b"{}")
        except ValueError as error:
            raise ApiError(400, "This is not JSON.") from error
        if not isinstance(content, dict):
            raise ApiError(400, "An object is required.")
        return content


@dataclass
class ProlificReply:
    status: int = 200
    content: Any = None  # JSON, unless it is bytes
    headers: dict[str, str] = field(default_factory=dict)
    trouble: ApiTrouble | None = None  # one that concerns how it travels

    @property
    def body(self) -> bytes:
        return (
            self.content if isinstance(self.content, bytes) else json.dumps(self.content).encode()
        )


class FakeApi:
    """The API; `token` is what `Authorization` has to contain ('' lets everybody in)."""

    def __init__(self, *, send: Send, token: str = "") -> None:
        self.world, self.signer, self.troubles = World(), Signer(), ApiTroubles()
        self.bonuses, self.hooks = Bonuses(self.world), Hooks(self.world, send)
        self.token = token
        self.lock = threading.RLock()

    def answer(self, request: FakeRequest) -> ProlificReply:
        try:
            trouble = self.troubles.take(request.method, request.path)
            if trouble is not None and trouble.kind in troubles.UNDONE:
                return _spoilt(ProlificReply(), trouble)
            if request.path == KEYS:
                return ProlificReply(200, self.signer.jwks())
            reply = self._of_api(request)
        except ApiError as no:
            trouble, reply = None, refusal(no)
        return _spoilt(reply, trouble) if trouble else reply

    def _of_api(self, request: FakeRequest) -> ProlificReply:
        headers = {name.lower(): value for name, value in request.headers.items()}
        if self.token and headers.get("authorization") != f"Token {self.token}":
            raise ApiError(401, "Authentication credentials were not provided.")
        return self.routed(request, API, ROUTES)

    def routed(self, request: FakeRequest, prefix: str, routes: "Routes") -> ProlificReply:
        rest = request.path.removeprefix(prefix)
        for method, pattern, function in routes:
            match = re.fullmatch(pattern, rest) if method == request.method else None
            if match and request.path.startswith(prefix):
                with self.lock:
                    return function(self, request, *match.groups())
        raise ApiError(404, "Not found.")


Routes = list[tuple[str, str, Callable[..., ProlificReply]]]


def _spoilt(reply: ProlificReply, trouble: ApiTrouble) -> ProlificReply:
    if trouble.kind == ProlificTrouble.BUSY:
        return ProlificReply(429, {"error": "Too many"}, {"Retry-After": str(trouble.retry_after)})
    if trouble.kind in (ProlificTrouble.ERROR, ProlificTrouble.ERROR_AFTER):
        return ProlificReply(500, {"error": "Something went wrong"})
    if trouble.kind == ProlificTrouble.HTML:
        return ProlificReply(
            200, b"<!doctype html><title>Back soon</title>", {"Content-Type": "text/html"}
        )
    return ProlificReply(reply.status, reply.content, reply.headers, trouble)


def refusal(no: ApiError) -> ProlificReply:
    return ProlificReply(
        no.status, {"error": {"status": no.status, "title": "Error", "detail": no.detail}}
    )


# -- Studies -----------------------------------------------------------------------------------
def create_study(api: FakeApi, request: FakeRequest) -> ProlificReply:
    return ProlificReply(201, _study(api, api.world.create(request.json())))


def list_studies(api: FakeApi, request: FakeRequest) -> ProlificReply:
    rows = [_study(api, study) for study in api.world.studies.values()]
    return ProlificReply(200, {"results": [{**row, "study_type": "SINGLE"} for row in rows]})


def read_study(api: FakeApi, request: FakeRequest, key: str) -> ProlificReply:
    return ProlificReply(200, _study(api, api.world.study(key)))


def change_study(api: FakeApi, request: FakeRequest, key: str) -> ProlificReply:
    return ProlificReply(200, _study(api, api.world.change(api.world.study(key), request.json())))


def move_study(api: FakeApi, request: FakeRequest, key: str) -> ProlificReply:
    action = str(request.json().get("action"))
    return ProlificReply(200, _study(api, api.world.move(api.world.study(key), action)))


def _study(api: FakeApi, study: FakeStudy) -> Json:
    taken = study.places - api.world.free(study)
    return {
        **study.fields,
        "id": study.id,
        "status": study.status,
        "places_taken": taken,
        "is_underpaying": api.world.is_underpaying(study),
    }


# -- Groups of participants --------------------------------------------------------------------
def create_group(api: FakeApi, request: FakeRequest) -> ProlificReply:
    fields = request.json()
    if not fields.get("name") or not fields.get("workspace_id"):
        raise ApiError(400, "name and workspace_id: these fields are required.")
    key = api.world.new_id()
    api.world.groups[key] = list(fields.get("participant_ids") or [])
    return ProlificReply(201, {"id": key, "name": fields["name"]})


def change_group(api: FakeApi, request: FakeRequest, key: str) -> ProlificReply:
    """Replace the members of a group."""
    found(api.world.groups, key)
    api.world.groups[key] = list(request.json().get("participant_ids") or [])
    return ProlificReply(200, {"id": key, "participant_count": len(api.world.groups[key])})


# -- Submissions -------------------------------------------------------------------------------
def list_submissions(api: FakeApi, request: FakeRequest, key: str = "") -> ProlificReply:
    """Return a page of submissions in the order in which they began."""
    key = key or request.query.get("study", "")
    rows = api.world.of(api.world.study(key)) if key else list(api.world.submissions.values())
    try:
        page = max(1, int(request.query.get("page", 1)))
        size = min(MOST_A_PAGE, max(1, int(request.query.get("page_size", 20))))
    except ValueError as error:
        raise ApiError(400, "page: a number is required.") from error
    more = f"{request.path}?study={key}&page={page + 1}" if len(rows) > page * size else None
    return ProlificReply(
        200,
        {
            "results": [_short(row) for row in rows[(page - 1) * size : page * size]],
            "_links": {"next": {"href": more}},
            "meta": {"count": len(rows)},
        },
    )


def read_submission(api: FakeApi, request: FakeRequest, key: str) -> ProlificReply:
    return ProlificReply(200, detail(api.world.submission(key)))


def decide(api: FakeApi, request: FakeRequest, key: str) -> ProlificReply:
    fields, submission = request.json(), api.world.submission(key)
    if fields.get("action") == "APPROVE":
        api.world.approve(submission)
    elif fields.get("action") == "REJECT":
        category, message = fields.get("rejection_category"), fields.get("message")
        api.world.reject(submission, str(category), str(message or ""))
    else:
        raise ApiError(400, f"{fields.get('action')!r} is not an action.")
    return ProlificReply(200, detail(submission))


def request_return(api: FakeApi, request: FakeRequest, key: str) -> ProlificReply:
    reasons = request.json().get("request_return_reasons")
    if not isinstance(reasons, list):
        raise ApiError(400, "request_return_reasons: this field is required.")
    submission = api.world.submission(key)
    api.world.request_return(submission, [str(reason) for reason in reasons])
    return ProlificReply(200, detail(submission))


def send_message(api: FakeApi, request: FakeRequest) -> ProlificReply:
    fields = request.json()
    study = api.world.study(str(fields.get("study_id")))
    api.world.tell(study, str(fields.get("recipient_id")), str(fields.get("body") or ""))
    return ProlificReply(204, b"")


def approve_all(api: FakeApi, request: FakeRequest) -> ProlificReply:
    ids = request.json().get("submission_ids")
    if not isinstance(ids, list):
        raise ApiError(400, "submission_ids: this field is required.")
    api.world.approve_all(ids)
    return ProlificReply(200, "The request to bulk approve has been made successfully.")


def _short(submission: Submission) -> Json:
    return {
        "id": submission.id,
        "participant_id": submission.participant,
        "status": submission.status.value,
        "started_at": iso(submission.started_at),
        "completed_at": iso(submission.completed_at),
        "study_code": submission.entered_code,
        "has_siblings": False,
    }


def detail(submission: Submission) -> Json:
    return {
        "id": submission.id,
        "study_id": submission.study.id,
        "participant": submission.participant,
        "status": submission.status.value,
        "started_at": iso(submission.started_at),
        "completed_at": iso(submission.completed_at),
        "entered_code": submission.entered_code,
        "bonus_payments": submission.bonuses,
        "return_requested": bool(submission.return_reasons),
    }


# -- Bonuses -----------------------------------------------------------------------------------
def list_bonuses(api: FakeApi, request: FakeRequest) -> ProlificReply:
    fields = request.json()
    study = api.world.study(str(fields.get("study_id")))
    return ProlificReply(
        201, _bonuses(api.bonuses.create(study, str(fields.get("csv_bonuses", ""))))
    )


def pay_bonuses(api: FakeApi, request: FakeRequest, key: str) -> ProlificReply:
    api.bonuses.pay(found(api.bonuses.lists, key))
    return ProlificReply(202, "The bonuses are being paid.")


def _bonuses(made: BonusList) -> Json:
    return {
        "id": made.id,
        "study": made.study.id,
        "amount": made.amount,
        "fees": made.fees,
        "vat": 0,
        "total_amount": round(made.amount + made.fees, 2),
    }


# -- Webhooks ----------------------------------------------------------------------------------
def make_secret(api: FakeApi, request: FakeRequest) -> ProlificReply:
    return ProlificReply(201, api.hooks.make_secret(str(request.json().get("workspace_id", ""))))


def subscribe(api: FakeApi, request: FakeRequest) -> ProlificReply:
    """Return the subscription itself (as their guide) and as a list (as their description)."""
    made = api.hooks.subscribe(request.json())
    content = {**made.as_json(), "results": [made.as_json()]}
    return ProlificReply(201, content, {"X-Hook-Secret": made.proof})


def list_subscriptions(api: FakeApi, request: FakeRequest) -> ProlificReply:
    return ProlificReply(
        200,
        {"results": [subscription.as_json() for subscription in api.hooks.subscriptions.values()]},
    )


def confirm(api: FakeApi, request: FakeRequest, key: str) -> ProlificReply:
    return ProlificReply(
        200, api.hooks.confirm(key, str(request.json().get("secret", ""))).as_json()
    )


def list_filters(api: FakeApi, request: FakeRequest) -> ProlificReply:
    return ProlificReply(200, {"results": FILTERS, "meta": {"count": len(FILTERS)}})


ROUTES: Routes = [
    ("GET", "filters/", list_filters),
    ("GET", "studies/", list_studies),
    ("POST", "studies/", create_study),
    ("GET", "studies/([^/]+)/", read_study),
    ("PATCH", "studies/([^/]+)/", change_study),
    ("POST", "studies/([^/]+)/transition/", move_study),
    ("GET", "studies/([^/]+)/submissions/", list_submissions),
    ("POST", "participant-groups/", create_group),
    ("PATCH", "participant-groups/([^/]+)/", change_group),
    ("GET", "submissions/", list_submissions),
    ("POST", "submissions/bulk-approve/", approve_all),
    ("POST", "submissions/bonus-payments/", list_bonuses),
    ("GET", "submissions/([^/]+)/", read_submission),
    ("POST", "submissions/([^/]+)/transition/", decide),
    ("POST", "submissions/([^/]+)/request-return/", request_return),
    ("POST", "messages/", send_message),
    ("POST", "bulk-bonus-payments/([^/]+)/pay/", pay_bonuses),
    ("POST", "hooks/secrets/", make_secret),
    ("GET", "hooks/subscriptions/", list_subscriptions),
    ("POST", "hooks/subscriptions/", subscribe),
    ("POST", "hooks/subscriptions/([^/]+)/", confirm),
]
