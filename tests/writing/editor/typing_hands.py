"""A writer at the editor, as the server sees one: events, chunks, posts."""

import json
from typing import Any

from django.test import Client

from annotation.models import Assignment
from tests.cast import NOW, alice, begun, writing_study
from writing.editor import drafting
from writing.log.eventlog import Edit, Event, Start, encode


def writing_assignment(**study: Any) -> Assignment:
    """Alice has acknowledged the rule."""
    assignment = begun(writing_study(**study), alice())
    drafting.acknowledge(assignment=assignment, now=NOW, answers={})
    return assignment


def typed(text: str, *, first: int = 1, at: int = 0, ms: int = 0) -> list[Event]:
    """Return a page that appears with a text of `at` units, and letters typed at its end."""
    events: list[Event] = [Start(seq=first, ms=ms, length=at, version=1, agent="test")]
    for offset, letter in enumerate(text):
        seq = first + 1 + offset
        place = at + offset
        events.append(
            Edit(seq=seq, ms=ms + seq, at=place, deleted=0, inserted=letter, input="insertText")
        )
    return events


class Page:
    """Posts as the editor does."""

    def __init__(self, assignment: Assignment, tab: str = "one") -> None:
        self.client, self.tab = Client(raise_request_exception=False), tab
        self.url = f"/w/{assignment.token}/writing/"

    def post(self, name: str, body: Any) -> Any:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.client.post(
            f"{self.url}{name}/", data, content_type="application/json",
            headers={"accept": "application/json"},
        )  # fmt: skip

    def here(self, **more: Any) -> Any:
        return self.post("here", {"tab": self.tab, **more})

    def log(self, number: Any, events: list[Event]) -> Any:
        return self.post(
            "log", {"tab": self.tab, "number": number, "events": json.loads(encode(events))}
        )

    def finish(self, answers: dict[str, str], *, json: bool = False, **more: Any) -> Any:
        headers = {"accept": "application/json"} if json else {}
        return self.client.post(f"{self.url}finish/", {**answers, **more}, headers=headers)


def answers_to(form: list[dict[str, Any]]) -> dict[str, str]:
    """Return the first option of every question, a word where one may write."""
    return {each["key"]: each["options"][0]["code"] if each["options"] else "word" for each in form}
