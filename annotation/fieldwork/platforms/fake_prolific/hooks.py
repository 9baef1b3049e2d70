"""Webhooks of the fake: subscriptions, and when and how often events are sent.

Events are sent at once, unless told to misbehave: `late` holds them back until `send_kept`,
`reordered` also sends the last one first, `duplicate` sends each twice, `lost` sends none.
"""

import json
import secrets
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from annotation.fieldwork.platforms.fake_prolific import signing
from annotation.fieldwork.platforms.fake_prolific.world import (
    ApiError,
    Json,
    Submission,
    World,
    found,
)

EVENTS = ("submission.status.change", "study.status.change")
Send = Callable[[str, dict[str, str], bytes], None]  # address, headers, body


class Mode(StrEnum):
    PROMPT = "prompt"
    LATE = "late"
    REORDERED = "reordered"
    DUPLICATE = "duplicate"
    LOST = "lost"


@dataclass
class Subscription:
    id: str
    event_type: str
    target_url: str
    workspace_id: str
    proof: str
    is_enabled: bool = False

    def as_json(self) -> Json:
        names = ("id", "event_type", "target_url", "workspace_id", "is_enabled")
        return {name: getattr(self, name) for name in names}


class Hooks:
    def __init__(self, world: World, send: Send) -> None:
        self.world, self.send = world, send
        self.secrets: dict[str, str] = {}  # workspace -> secret, one each
        self.subscriptions: dict[str, Subscription] = {}
        self.mode = Mode.PROMPT
        self.kept: list[tuple[str, dict[str, str], bytes]] = []
        world.on_change = self.tell

    def make_secret(self, workspace: str) -> Json:
        if not workspace:
            raise ApiError(400, "workspace_id: this field is required.")
        self.secrets[workspace] = secrets.token_urlsafe(32)
        value = self.secrets[workspace]
        return {"id": self.world.new_id(), "value": value, "workspace_id": workspace}

    def subscribe(self, fields: Json) -> Subscription:
        workspace, event = str(fields.get("workspace_id", "")), str(fields.get("event_type", ""))
        if workspace not in self.secrets:
            raise ApiError(400, "This workspace has no secret.")
        if event not in EVENTS:
            raise ApiError(400, f"{event!r} is not an event.")
        address = str(fields.get("target_url", ""))
        if not address.startswith(("https://", "http://")):
            raise ApiError(400, "target_url: a web address is required.")
        made = Subscription(
            self.world.new_id(), event, address, workspace, proof=secrets.token_urlsafe(32)
        )
        self.subscriptions[made.id] = made
        return made

    def confirm(self, subscription_id: str, proof: str) -> Subscription:
        made = found(self.subscriptions, subscription_id)
        if not secrets.compare_digest(made.proof, proof):
            raise ApiError(400, "This is not the secret of X-Hook-Secret.")
        made.is_enabled = True
        return made

    def tell(self, submission: Submission) -> None:
        """Send the new status of a submission to all subscribers."""
        content = {
            "event_type": EVENTS[0],
            "resource_id": submission.id,
            "participant_id": submission.participant,
            "status": submission.status.value,
        }
        for subscription in self.subscriptions.values():
            if subscription.is_enabled and subscription.event_type == EVENTS[0]:
                self._put(self._letter(subscription, content))

    def send_kept(self) -> int:
        """Send the events that were held back; return how many."""
        waiting, self.kept = self.kept, []
        for letter in reversed(waiting) if self.mode == Mode.REORDERED else waiting:
            self.send(*letter)
        return len(waiting)

    def _put(self, letter: tuple[str, dict[str, str], bytes]) -> None:
        if self.mode in (Mode.LATE, Mode.REORDERED):
            self.kept.append(letter)
        elif self.mode != Mode.LOST:
            for _ in range(2 if self.mode == Mode.DUPLICATE else 1):
                self.send(*letter)

    def _letter(
        self, subscription: Subscription, content: Json
    ) -> tuple[str, dict[str, str], bytes]:
        body = json.dumps(content).encode()
        timestamp = str(int(self.world.now()))
        secret = self.secrets[subscription.workspace_id]
        headers = {
            "Content-Type": "application/json",
            "X-Event-ID": str(uuid.uuid4()),
            "X-Prolific-Request-Timestamp": timestamp,
            "X-Prolific-Request-Signature": signing.signature(secret, timestamp, body),
        }
        return subscription.target_url, headers, body
