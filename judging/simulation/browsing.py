"""Simulated workers on the real pages, request by request."""

import hashlib
import json
from collections.abc import Iterator
from http import HTTPStatus
from http.cookiejar import CookieJar
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

from annotation.fieldwork.work.refusals import (
    CapReached,
    NoTaskLeft,
    NothingNew,
    StudyNotOpen,
)
from annotation.models import Assignment, Study
from judging.answering import recording
from judging.answering.unanswered import Questions
from judging.simulation.simulating import CONTENTS, SimulatedWorker, answers

TIMEOUT = 30  # seconds


class PageFailed(RuntimeError):
    """Unexpected answer of a page; the message names it."""


class Browser:
    """Minimal browser: cookies, redirects, forms, JSON."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url.rstrip("/")
        self.opener: OpenerDirector = build_opener(HTTPCookieProcessor(CookieJar()))

    def open(
        self, path: str, *, form: dict[str, str] | None = None, body: Any = None
    ) -> tuple[int, str, str]:
        """Request a path; return status, path at the end of redirects, and text."""
        headers = {"Accept": "text/html"}
        data = None
        if form is not None:
            data = urlencode(form).encode()
        if body is not None:
            data = json.dumps(body).encode()
            headers = {"Accept": "application/json", "Content-Type": "application/json"}
        request = Request(self.base_url + path, data=data, headers=headers)
        try:
            with self.opener.open(request, timeout=TIMEOUT) as response:
                return response.status, urlsplit(response.url).path, response.read().decode()
        except HTTPError as error:
            return error.code, path, error.read().decode(errors="replace")
        except URLError as error:
            raise PageFailed(f"{self.base_url} cannot be reached: {error.reason}") from error

    def must(self, path: str, **kwargs: Any) -> tuple[str, str]:
        status, end, text = self.open(path, **kwargs)
        if status != 200:
            raise PageFailed(f"{path} answered {status}: {text[:200]}")
        return end, text


def walk(
    *, base_url: str, study: Study, workers: list[SimulatedWorker]
) -> Iterator[tuple[SimulatedWorker, Assignment]]:
    """Send a crowd through the pages of a server on our database, one after the other.

    Raises PageFailed.
    """
    questions = recording.questions_of(study.pk)
    for worker in workers:
        browser = Browser(base_url)
        token = _arrive(browser, study, worker)
        if token is None:
            continue
        assignment = Assignment.objects.addressed(token).get()
        _work(browser, assignment, worker, questions)
        assignment.refresh_from_db()
        yield worker, assignment


def prolific_parameters(name: str) -> dict[str, str]:
    """Return the parameters of Prolific's link for this person."""
    return {
        "PROLIFIC_PID": hashlib.sha256(f"person {name}".encode()).hexdigest()[:24],
        "STUDY_ID": hashlib.sha256(b"study").hexdigest()[:24],
        "SESSION_ID": hashlib.sha256(f"submission of {name}".encode()).hexdigest()[:24],
    }


def _arrive(browser: Browser, study: Study, worker: SimulatedWorker) -> str | None:
    """Follow the study's link; return the token, or None if no task is left."""
    link = study.public_path
    if study.recruitment == Study.Recruitment.PROLIFIC:
        link += f"?{urlencode(prolific_parameters(worker.name))}"
    status, end, text = browser.open(link)
    if status == 200 and not end.startswith("/w/"):
        status, end, text = browser.open(link, form={"agree": "yes"})
    if status == 200 and end.startswith("/w/"):
        return end.split("/")[2]
    refusals = (CapReached, NothingNew, NoTaskLeft, StudyNotOpen)
    if status in {refusal.status for refusal in refusals}:
        return None
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        raise PageFailed(
            "The server limits arrivals from one address. Start it with "
            "ARRIVALS_PER_ADDRESS=0 for a simulated crowd."
        )
    raise PageFailed(f"{link} answered {status}: {text[:200]}")


def _work(
    browser: Browser,
    assignment: Assignment,
    worker: SimulatedWorker,
    questions: Questions,
) -> None:
    home = f"/w/{assignment.token}/"
    browser.must(home + "judging/")
    tab = f"tab of {worker.name}"[:40]
    browser.must(home + "judging/here/", body={"tab": tab})
    for presentation in assignment.presentations.prefetch_related(*CONTENTS):
        browser.must(f"{home}judging/{presentation.position}/")
        given = answers(
            worker=worker,
            presentation=presentation,
            questions=questions,
            seed=assignment.study.seed,
        )
        body = {
            "tab": tab,
            "answers": [
                {
                    "position": answer.position,
                    "question": answer.question,
                    "raw": answer.raw,
                    "slot": answer.slot,
                    "milliseconds": answer.milliseconds,
                }
                for answer in given
            ],
        }
        browser.must(home + "judging/answers/", body=body)
    browser.must(home + "judging/finish/", form={"sent": "yes"})
