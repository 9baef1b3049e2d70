"""The fake Prolific in this process, without a server: calls go to it as function calls."""

from collections.abc import Callable
from typing import Any

import httpx

from annotation.fieldwork.platforms import calls
from annotation.fieldwork.platforms.fake_prolific.api import API, FakeApi, FakeRequest
from annotation.fieldwork.platforms.fake_prolific.running import answer
from annotation.fieldwork.platforms.fake_prolific.troubles import TroubleKind
from annotation.fieldwork.platforms.prolific_client import ProlificClient
from annotation.outgoing.connections import ConnectionCut, Overdue

ORIGIN = "https://prolific.example.org"
STUDY: dict[str, Any] = {
    "name": "Which answer is better?",
    "description": "You read and compare texts.",
    "external_study_url": (
        "https://crowdwright.example.org/s/lamps/?PROLIFIC_PID={{%PROLIFIC_PID%}}"
        "&STUDY_ID={{%STUDY_ID%}}&SESSION_ID={{%SESSION_ID%}}"
    ),
    "prolific_id_option": "url_parameters",
    "completion_codes": [
        {"code": "DONE", "code_type": "COMPLETED", "actions": [{"action": "MANUALLY_REVIEW"}]},
        {"code": "FINE", "code_type": "OTHER", "actions": [{"action": "AUTOMATICALLY_APPROVE"}]},
        {
            "code": "OUT",
            "code_type": "FIXED_SCREENOUT",
            "actions": [
                {
                    "action": "FIXED_SCREEN_OUT_PAYMENT",
                    "fixed_screen_out_reward": 20,
                    "slots": 9,
                }
            ],
        },
    ],
    "total_available_places": 3,
    "estimated_completion_time": 20,
    "reward": 300,
}


class InProcess(httpx.BaseTransport):
    """Hands requests to the fake, and raises what the client raises for a lost answer."""

    def __init__(self, api: FakeApi) -> None:
        self.api = api

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        told = FakeRequest(
            request.method,
            request.url.path,
            dict(request.url.params),
            dict(request.headers),
            request.read(),
        )
        reply = answer(self.api, told)
        if reply.trouble is not None:
            if reply.trouble.kind == TroubleKind.CUT:
                raise ConnectionCut("cut off")
            raise Overdue("no answer")
        return httpx.Response(reply.status, headers=reply.headers, content=reply.body)


class Fake:
    """The fake, a client of it, and somebody who uses its control addresses.

    `send` is called with each webhook: address, headers, body.
    """

    def __init__(self, send: Callable[..., None] = lambda *_: None) -> None:
        self.api = FakeApi(send=send, token="trial")
        self.world = self.api.world
        self.pauses: list[float] = []
        caller = calls.Caller(
            url=ORIGIN + API,
            headers={"Authorization": "Token trial"},
            dry_run=False,
            sleep=self.pauses.append,
            transport=InProcess(self.api),
        )
        self.client = ProlificClient(caller, token="trial")
        self.http = httpx.Client(base_url=ORIGIN, transport=InProcess(self.api))

    def control(self, path: str = "", **fields: Any) -> Any:
        """Return the answer of a control address, whatever its status."""
        method = "POST" if path else "GET"
        return self.http.request(method, f"/control/{path}", json=fields).json()

    def published(self, **fields: Any) -> str:
        """Publish a study; return its id."""
        made = self.client.create_study(STUDY | fields)
        self.client.publish(made["id"])
        return str(made["id"])

    def arrived(self, study: str, participant: str = "") -> str:
        return str(self.control("places/", study=study, participant=participant)["id"])

    def finished(self, study: str, code: str = "DONE") -> str:
        submission = self.arrived(study)
        self.control(f"submissions/{submission}/complete/", code=code)
        return submission
