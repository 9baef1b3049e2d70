"""Small judging studies whose votes are known, and their analyses."""

import time
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from django.test import TestCase
from django.utils import timezone

from analysis.models import AnalysisRun, AnalysisStep
from analysis.runs import running
from annotation.models import Assignment, Study
from annotation.studies import batching
from judging.answering import recording
from judging.items import drawing
from tests.cast import MINUTE, NOW, begun, small_study, worker
from tests.services.children import PATIENCE

EVERYBODY_DIFFERENT = {"bob": "aab", "dora": "abn", "emil": "naa", "fay": "aab"}


def poll(votes: Mapping[str, str] = EVERYBODY_DIFFERENT, **of_study: Any) -> Study:
    """Return a study of the three pairs of one topic with these workers' votes.

    A letter is the worker's preference (a, n or b), in the order of the pairs' keys.
    """
    batch = {"closes_when_full": False} | of_study.pop("batch", {})
    of_study = {"responses": 3, "quota": 9} | of_study
    study = small_study(batch=batch, **of_study)
    for name, letters in votes.items():
        vote(study, name, letters)
    return study


def vote(study: Study, name: str, letters: str) -> Assignment:
    """Submit the worker's preferences, on whatever side the texts are shown."""
    assignment = answered(study, name, letters)
    return recording.submit(assignment=assignment, now=NOW + 10 * MINUTE)


def answered(study: Study, name: str, letters: str) -> Assignment:
    """Answer as the worker, without submitting."""
    assignment = begun(study, worker(name))
    presentations = sorted(
        drawing.draw_presentations(assignment=assignment),
        key=lambda presentation: presentation.item.key,
    )
    given = []
    for presentation, letter in zip(presentations, letters, strict=True):
        order = presentation.order.split(",")
        raw = "ab"[order.index(letter)] if letter in order else letter
        given += [
            recording.GivenAnswer(presentation.position, question, raw)
            for question in study.questions.values_list("key", flat=True)
        ]
    recording.record(assignment=assignment, answers=given, now=NOW + MINUTE)
    return assignment


def closed(study: Study) -> Study:
    """Close the only batch of a study, so that intervals are those of one look."""
    batching.close_batch(batch=study.batches.get(), now=timezone.now())
    return study


def wait_for(condition: Callable[[], Any], *, seconds: float = PATIENCE) -> Any:
    """Wait until a worker has made the condition true; return what it is."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, list(AnalysisStep.objects.values())
        time.sleep(0.02)
    return found


def finished_run(**of_run: Any) -> AnalysisRun:
    """Return the newest run after a worker finished it."""
    runs = AnalysisRun.objects.filter(finished_at__isnull=False, **of_run)
    run: AnalysisRun = wait_for(runs.first)
    return run


def analysed(study: Study, **how: Any) -> AnalysisRun:
    """Run an analysis of the study in this process, step by step.

    A step is handed out on commit; a test that never commits behaves as if it did.
    """
    queue: deque[int] = deque()
    with TestCase.captureOnCommitCallbacks(execute=True):
        run = running.start(study=study, enqueue=queue.append, **how)
    while queue:
        with TestCase.captureOnCommitCallbacks(execute=True):
            running.perform(pk=queue.popleft(), enqueue=queue.append)
    run.refresh_from_db()
    return run
