"""The addresses of this Prolific's API, as Prolific's are.

`answer` is told a request and returns a reply; how both travel is not its concern.
"""

import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from annotation.fieldwork.platforms.fake_prolific import troubles
from annotation.fieldwork.platforms.fake_prolific.bonuses import Bonuses, BonusList
from annotation.fieldwork.platforms.fake_prolific.filters import FILTERS
from annotation.fieldwork.platforms.fake_prolific.hooks import Hooks, Send
from annotation.fieldwork.platforms.fake_prolific.signing import Signer
from annotation.fieldwork.platforms.fake_prolific.troubles import Kind, Trouble, Troubles
from annotation.fieldwork.platforms.fake_prolific.world import (
    Json,
    No,
    Study,
    Submission,
    World,
    found,
    iso,
)

API, KEYS = "/api/v1/", "/.well-known/study/jwks.json"
MOST_A_PAGE = 100


@dataclass
class Request:
    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    def json(self) -> Json:
        try:
            content = json.loads(self.body or b"{}")
        except ValueError as error:
            raise No(400, "This is not JSON.") from error
        if not isinstance(content, dict):
            raise No(400, "An object is required.")
        return content


@dataclass
class Reply:
    status: int = 200
    content: Any = None  # JSON, unless it is bytes
    headers: dict[str, str] = field(default_factory=dict)
    trouble: Trouble | None = None  # one that concerns how it travels

    @property
    def body(self) -> bytes:
        return (
            self.content if isinstance(self.content, bytes) else json.dumps(self.content).encode()
        )


class Api:
    """`token` is what `Authorization` has to say; '' lets everybody in."""

    def __init__(self, *, send: Send, token: str = "") -> None:
        self.world, self.signer, self.troubles = World(), Signer(), Troubles()
        self.bonuses, self.hooks = Bonuses(self.world), Hooks(self.world, send)
        self.token = token
        self.lock = threading.RLock()

    def answer(self, request: Request) -> Reply:
        try:
            trouble = self.troubles.take(request.method, request.path)
            if trouble is not None and trouble.kind in troubles.UNDONE:
                return _spoilt(Reply(), trouble)
            if request.path == KEYS:
                return Reply(200, self.signer.jwks())
            reply = self._of_api(request)
        except No as no:
            trouble, reply = None, refusal(no)
        return _spoilt(reply, trouble) if trouble else reply

    def _of_api(self, request: Request) -> Reply:
        said = {name.lower(): value for name, value in request.headers.items()}
        if self.token and said.get("authorization") != f"Token {self.token}":
            raise No(401, "Authentication credentials were not provided.")
        return self.routed(request, API, ROUTES)

    def routed(self, request: Request, prefix: str, routes: "Routes") -> Reply:
        rest = request.path.removeprefix(prefix)
        for method, pattern, function in routes:
            match = re.fullmatch(pattern, rest) if method == request.method else None
            if match and request.path.startswith(prefix):
                with self.lock:
                    return function(self, request, *match.groups())
        raise No(404, "Not found.")


Routes = list[tuple[str, str, Callable[..., Reply]]]


def _spoilt(reply: Reply, trouble: Trouble) -> Reply:
    if trouble.kind == Kind.BUSY:
        return Reply(429, {"error": "Too many"}, {"Retry-After": str(trouble.retry_after)})
    if trouble.kind in (Kind.ERROR, Kind.ERROR_AFTER):
        return Reply(500, {"error": "Something went wrong"})
    if trouble.kind == Kind.HTML:
        return Reply(200, b"<!doctype html><title>Back soon</title>", {"Content-Type": "text/html"})
    return Reply(reply.status, reply.content, reply.headers, trouble)


def refusal(no: No) -> Reply:
    return Reply(no.status, {"error": {"status": no.status, "title": "Error", "detail": no.detail}})


# -- Studies -----------------------------------------------------------------------------------
def create_study(api: Api, request: Request) -> Reply:
    return Reply(201, _study(api, api.world.create(request.json())))


def list_studies(api: Api, request: Request) -> Reply:
    rows = [_study(api, study) for study in api.world.studies.values()]
    return Reply(200, {"results": [{**row, "study_type": "SINGLE"} for row in rows]})


def read_study(api: Api, request: Request, key: str) -> Reply:
    return Reply(200, _study(api, api.world.study(key)))


def change_study(api: Api, request: Request, key: str) -> Reply:
    return Reply(200, _study(api, api.world.change(api.world.study(key), request.json())))


def move_study(api: Api, request: Request, key: str) -> Reply:
    action = str(request.json().get("action"))
    return Reply(200, _study(api, api.world.move(api.world.study(key), action)))


def _study(api: Api, study: Study) -> Json:
    taken = study.places - api.world.free(study)
    return {**study.fields, "id": study.id, "status": study.status, "places_taken": taken}


# -- Submissions -------------------------------------------------------------------------------
def list_submissions(api: Api, request: Request, key: str = "") -> Reply:
    """In the order in which they began, so that a page stays the same while others arrive."""
    key = key or request.query.get("study", "")
    rows = api.world.of(api.world.study(key)) if key else list(api.world.submissions.values())
    try:
        page = max(1, int(request.query.get("page", 1)))
        size = min(MOST_A_PAGE, max(1, int(request.query.get("page_size", 20))))
    except ValueError as error:
        raise No(400, "page: a number is required.") from error
    more = f"{request.path}?study={key}&page={page + 1}" if len(rows) > page * size else None
    return Reply(
        200,
        {
            "results": [_short(row) for row in rows[(page - 1) * size : page * size]],
            "_links": {"next": {"href": more}},
            "meta": {"count": len(rows)},
        },
    )


def read_submission(api: Api, request: Request, key: str) -> Reply:
    return Reply(200, detail(api.world.submission(key)))


def decide(api: Api, request: Request, key: str) -> Reply:
    said, submission = request.json(), api.world.submission(key)
    if said.get("action") == "APPROVE":
        api.world.approve(submission)
    elif said.get("action") == "REJECT":
        category, message = said.get("rejection_category"), said.get("message")
        api.world.reject(submission, str(category), str(message or ""))
    else:
        raise No(400, f"{said.get('action')!r} is not an action.")
    return Reply(200, detail(submission))


def request_return(api: Api, request: Request, key: str) -> Reply:
    reasons = request.json().get("request_return_reasons")
    if not isinstance(reasons, list):
        raise No(400, "request_return_reasons: this field is required.")
    submission = api.world.submission(key)
    api.world.request_return(submission, [str(reason) for reason in reasons])
    return Reply(200, detail(submission))


def send_message(api: Api, request: Request) -> Reply:
    said = request.json()
    study = api.world.study(str(said.get("study_id")))
    api.world.tell(study, str(said.get("recipient_id")), str(said.get("body") or ""))
    return Reply(204, b"")


def approve_all(api: Api, request: Request) -> Reply:
    ids = request.json().get("submission_ids")
    if not isinstance(ids, list):
        raise No(400, "submission_ids: this field is required.")
    api.world.approve_all(ids)
    return Reply(200, "The request to bulk approve has been made successfully.")


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
def list_bonuses(api: Api, request: Request) -> Reply:
    said = request.json()
    study = api.world.study(str(said.get("study_id")))
    return Reply(201, _bonuses(api.bonuses.create(study, str(said.get("csv_bonuses", "")))))


def pay_bonuses(api: Api, request: Request, key: str) -> Reply:
    api.bonuses.pay(found(api.bonuses.lists, key))
    return Reply(202, "The bonuses are being paid.")


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
def make_secret(api: Api, request: Request) -> Reply:
    return Reply(201, api.hooks.make_secret(str(request.json().get("workspace_id", ""))))


def subscribe(api: Api, request: Request) -> Reply:
    """Their guide has the subscription itself here, their description a list of them: so both."""
    made = api.hooks.subscribe(request.json())
    content = {**made.as_json(), "results": [made.as_json()]}
    return Reply(201, content, {"X-Hook-Secret": made.proof})


def list_subscriptions(api: Api, request: Request) -> Reply:
    return Reply(200, {"results": [each.as_json() for each in api.hooks.subscriptions.values()]})


def confirm(api: Api, request: Request, key: str) -> Reply:
    return Reply(200, api.hooks.confirm(key, str(request.json().get("secret", ""))).as_json())


def list_filters(api: Api, request: Request) -> Reply:
    return Reply(200, {"results": FILTERS, "meta": {"count": len(FILTERS)}})


ROUTES: Routes = [
    ("GET", "filters/", list_filters),
    ("GET", "studies/", list_studies),
    ("POST", "studies/", create_study),
    ("GET", "studies/([^/]+)/", read_study),
    ("PATCH", "studies/([^/]+)/", change_study),
    ("POST", "studies/([^/]+)/transition/", move_study),
    ("GET", "studies/([^/]+)/submissions/", list_submissions),
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
