"""An accepted text becomes a response of the corpus and can be judged, never by its writer."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError, Q
from django.dispatch import receiver
from django.utils.translation import gettext

from annotation import signals
from annotation.corpora.adding_responses import add_response
from annotation.fieldwork.review.reviewing import CannotReview, redo_begun
from annotation.models import (
    Assignment,
    Citation,
    Origin,
    Response,
    ReviewDecision,
    Segment,
    Study,
)
from annotation.texts.sentences import Sentence
from writing.models import LogChunk, PackedLog, Writing, WritingTask


@transaction.atomic
def publish(*, assignment: Assignment) -> Response:
    """Create the response of an accepted text with its citations and statements, once."""
    writing = Writing.objects.select_for_update().get(assignment=assignment)
    if writing.response is not None:
        return writing.response
    task = WritingTask.objects.select_related("topic").get(task=assignment.task_id)
    response = add_response(
        topic=task.topic,
        key=key_of(assignment),
        style=task.style,
        origin=Origin.HUMAN,
        author=assignment.worker,
        text=writing.text,
        passages=task.passages,
    )
    writing.response = response
    writing.save(update_fields=["response"])
    return response


def key_of(assignment: Assignment) -> str:
    """Return the key that the text of a work has as a response."""
    return f"{assignment.study.slug}-{assignment.pk}"


@transaction.atomic
def unpublish(*, assignment: Assignment) -> None:
    """Take the response of a text back that is no longer accepted.

    Raises CannotReview where it is being judged: what others judged stays as it is.
    """
    response = Response.objects.filter(writing__assignment=assignment).first()
    if response is None:
        return
    try:
        signals.erasing_texts.send(sender=Response, responses=_with_copies(response))
        response.delete()
    except ProtectedError as error:
        raise CannotReview(
            "is_judged",
            gettext("Other people are already judging this text, so you can't undo its approval."),
        ) from error


def _with_copies(response: Response) -> list[int]:
    texts = Response.objects.filter(Q(pk=response.pk) | Q(copy_of=response))
    return list(texts.values_list("pk", flat=True))


def _blank(response: Response) -> None:
    """Take all words away, also those of its statements, what they cite, and of its copies."""
    pks = _with_copies(response)
    signals.erasing_texts.send(sender=Response, responses=pks)
    texts = Response.objects.filter(pk__in=pks)
    Citation.objects.filter(response__in=texts).delete()
    Segment.cited.through.objects.filter(segment__response__in=texts).delete()
    Segment.objects.filter(response__in=texts).update(text="")
    texts.update(text="", is_empty=False, words=0, turns=None, marks=None, author=None)


@receiver(signals.erasable)
def count_content(*, assignments: Sequence[Assignment], **_: Any) -> dict[str, int]:
    texts, records = _content_of(assignments)
    published = Response.objects.filter(writing__assignment__in=assignments)
    return {"texts": texts, "responses": published.count(), "logs": records}


def _content_of(assignments: Sequence[Assignment]) -> tuple[int, int]:
    """Return how many texts and how many logs there are."""
    texts = Writing.objects.filter(assignment__in=assignments).exclude(text="").count()
    logs = (model.objects.filter(assignment__in=assignments) for model in (LogChunk, PackedLog))
    return texts, len({pk for log in logs for pk in log.values_list("assignment", flat=True)})


@receiver(signals.kept)
def tell_kept(*, assignments: Sequence[Assignment], **_: Any) -> list[str]:
    """Their texts, and the records of how these were written."""
    texts, records = _content_of(assignments)
    sentences: list[str] = []
    if texts:
        sentences.append(Sentence("{n} text", "{n} texts", texts, n=texts))
    if records:
        sentences.append(
            Sentence(
                "{n} recording of your writing",
                "{n} recordings of your writing",
                records,
                n=records,
            )
        )
    return sentences


@receiver(signals.all_decided)
def follow_decisions(
    *, assignments: Sequence[Assignment], decisions: Sequence[ReviewDecision], **_: Any
) -> None:
    linked = Writing.objects.filter(assignment__in=assignments).exclude(response=None)
    published = set(linked.values_list("assignment", flat=True))
    for assignment, decision in zip(assignments, decisions, strict=True):
        if assignment.study.kind != Study.Kind.WRITING:
            continue
        if decision.decision != ReviewDecision.Decision.ACCEPT:
            _check_untouched(assignment, decision)
            unpublish(assignment=assignment)
        elif assignment.pk not in published:
            publish(assignment=assignment)


def _check_untouched(assignment: Assignment, decision: ReviewDecision) -> None:
    """Raise CannotReview where a redo is taken back that its writer has begun."""
    if decision.decision != ReviewDecision.Decision.REOPEN:
        return
    redos = assignment.decisions.filter(decision=ReviewDecision.Decision.REDO)
    redo = redos.filter(pk__lt=decision.pk).last()
    if redo is None or assignment.submitted_at is None or assignment.submitted_at > redo.decided_at:
        return
    if assignment.log_chunks.filter(received_at__gt=redo.decided_at).exists():
        raise redo_begun(assignment)


@receiver(signals.withdrawn)
def erase(*, assignment: Assignment, **_: Any) -> None:
    """Delete the text and its record after a withdrawal of consent.

    If others judge the text, the response stays without words or author, because their
    answers refer to it.
    """
    try:
        unpublish(assignment=assignment)
    except CannotReview:
        _blank(Response.objects.get(writing__assignment=assignment))
    Writing.objects.filter(assignment=assignment).delete()
    assignment.log_chunks.all().delete()
    if hasattr(assignment, "packed_log"):
        assignment.packed_log.delete()


@receiver(signals.forgetting)
def forget_logs(*, study: Study, what: str, **_: Any) -> int:
    """Delete the writing logs of a study; texts and measures stay."""
    if what != "logs":
        return 0
    works = _logged(study)
    for logs in (LogChunk, PackedLog):
        logs.objects.filter(assignment__in=works).delete()
    return len(works)


def _logged(study: Study) -> set[int]:
    logs = (model.objects.filter(assignment__study=study) for model in (LogChunk, PackedLog))
    return {pk for log in logs for pk in log.values_list("assignment", flat=True)}
