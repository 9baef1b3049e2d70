"""Judging pages of a worker. The token in the address is the authority."""

from contextlib import nullcontext
from functools import partial
from typing import Any, TypeVar

import msgspec
from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.clock import database_now
from annotation.fieldwork.pages import assignment_lookup
from annotation.fieldwork.review.redo_reasons import asked_again
from annotation.fieldwork.work.arms import exit_form_shown
from annotation.fieldwork.work.ordering_requests import Number, first_number, number_of, take_over
from annotation.fieldwork.work.refusals import Incomplete, NotAnAnswer, NotLive, Superseded
from annotation.fieldwork.work.shown_texts import texts_for
from annotation.models import Assignment, Study
from annotation.studies.forms import StudyForm
from annotation.texts.sentences import Sentence
from annotation.texts.translation import translated
from judging.answering import (
    feedback,
    following_pages,
    page_layout,
    progress,
    recording,
    unanswered,
)
from judging.answering.questionnaire import Questionnaire
from judging.answering.saved_answers import answers_of
from judging.answering.threads import thread_above
from judging.answering.unanswered import Questions
from judging.items import drawing
from judging.models import Presentation

assignment_for = partial(assignment_lookup.assignment_for, kind=Study.Kind.JUDGING)
_revived = partial(assignment_lookup.revived, kind=Study.Kind.JUDGING)
while_judging = assignment_lookup.while_active(Study.Kind.JUDGING)
MAX_MS = 24 * 3600 * 1000


class AnswerIn(msgspec.Struct):
    position: int
    question: str
    raw: str
    slot: str = ""
    milliseconds: int | None = None
    comment: str = ""
    number: Number = 0


class CommentIn(msgspec.Struct):
    position: int
    text: str
    number: Number = 0


class AnswersIn(msgspec.Struct):
    tab: str
    answers: list[AnswerIn] = []
    comments: list[CommentIn] = []
    asks: bool = False  # how many pages have a withdrawn text


class TabIn(msgspec.Struct):
    tab: str
    number: Number = 0


M = TypeVar("M", AnswersIn, TabIn)


def _read(body: bytes, kind: type[M]) -> M:
    """Return the body of a request. Raises NotAnAnswer if it is no `kind`."""
    try:
        message = msgspec.json.decode(body, type=kind)
    # Bytes that are no UTF-8 and brackets nested without end are no DecodeError.
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise NotAnAnswer(Sentence("We couldn't read this request.")) from error
    if "\x00" in message.tab:
        raise NotAnAnswer(Sentence("We couldn't read this request."))
    return message


@require_GET
@while_judging
def work(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    """Redirect to the first open page, or to the end; on a redo, to the first page."""
    presentations = drawing.draw_presentations(assignment=assignment)
    positions = recording.open_positions(assignment=assignment)
    if not positions:
        if presentations and asked_again(assignment):
            return redirect("judging:item", assignment.token, presentations[0].position)
        return redirect("judging:finish", assignment.token)
    address = reverse("judging:item", args=[assignment.token, positions[0]])
    # Where pages were passed over, those between are done.
    passed_over = presentations[-1].position - positions[0] >= len(positions)
    return redirect(f"{address}?only=open" if passed_over else address)


@require_GET
@while_judging
def item(request: HttpRequest, assignment: Assignment, position: int) -> HttpResponse:
    """Show a page. With `?only=open` the next page is the next open one, or the end."""
    study = assignment.study
    return item_page(
        request,
        assignment,
        position,
        presentations=drawing.draw_presentations(assignment=assignment),
        questions=recording.frozen_questions(study.pk, study.created_at),
    )


def item_page(
    request: HttpRequest,
    assignment: Assignment,
    position: int,
    *,
    presentations: list[Presentation],
    questions: Questions,
) -> HttpResponse:
    """Render a page; `presentations` are those of the assignment, `questions` of its study."""
    if not 1 <= position <= len(presentations):
        raise NotAnAnswer(Sentence("This task has no page {position}.", position=position))
    whole = Questionnaire.of(assignment, presentations=presentations, questions=questions)
    page = whole.page_at(position)
    practice = whole.open_practice
    if practice is not None and page.position > practice and not whole.is_trial:
        return redirect("judging:item", assignment.token, practice)
    dots = progress.dots_of(
        pages=whole.pages,
        counts=whole.answers.counts,
        wanted=whole.wanted,
        token=assignment.token,
        current=page,
    )
    only_open = request.GET.get("only") == "open"
    after = [dot for dot in dots[page.number :] if not only_open or dot.state != "done"]
    # For the instructions, without another query.
    assignment.task.item_counts = progress.items_by_kind(presentations)
    context = whole.context(page, next_position=after[0].position if after else None) | {
        "dots": dots,
        "fillable": any(dot.state != "done" for dot in dots),
        "withdrawn": sum(presentation.is_erased for presentation in presentations),
        "newest": whole.answers.number,
        "number": first_number(now=database_now(), known=whole.answers.number),
    }
    if only_open:
        context |= {"only_open": True, "is_kept": False, "following": ""}
    return render(request, "judging/item.html", context)


@require_GET
@while_judging
def following(request: HttpRequest, assignment: Assignment, position: int) -> HttpResponse:
    """Send the next pages after a position together, for the browser to keep."""
    study = assignment.study
    whole = Questionnaire.of(
        assignment,
        presentations=drawing.draw_presentations(assignment=assignment),
        questions=recording.frozen_questions(study.pk, study.created_at),
    )
    sent = following_pages.fragments(whole, position)
    context = {"sent": sent, "newest": whole.answers.number}
    return render(request, "judging/following.html", context)


@require_GET
@while_judging
def after_training(request: HttpRequest, assignment: Assignment, position: int) -> HttpResponse:
    """Show the right answers of an answered training page."""
    presentations = drawing.draw_presentations(assignment=assignment)
    pages_for_practice = {
        practised.position: practised for practised in feedback.training_in(presentations)
    }
    if position not in pages_for_practice:
        return redirect("judging:work", assignment.token)
    presentation = pages_for_practice[position]
    study = assignment.study
    questions = recording.frozen_questions(study.pk, study.created_at)
    counts = answers_of(assignment=assignment, presentations=presentations).counts
    wanted = progress.wanted_of(presentations=presentations, questions=questions)
    practice = feedback.open_training([presentation], counts=counts, wanted=wanted)
    topic, texts = presentation.item.topic, texts_for(assignment)
    context = {
        "assignment": assignment,
        "study": study,
        "heading": texts.heading(topic.query),
        "thread": thread_above(topic, [], texts),
        "position": position,
        "next": min(position + 1, len(presentations)),
        "feedback": None
        if practice
        else feedback.feedback_on(
            assignment=assignment, presentation=presentation, questions=questions
        ),
    }
    return render(request, "judging/feedback.html", context)


@csrf_exempt
@require_POST
def here(request: HttpRequest, token: str) -> HttpResponse:
    """Let the tab of the last request save."""
    sent = _read(request.body, TabIn)
    take_over(assignment=_revived(token), tab=sent.tab, number=sent.number)
    return JsonResponse({"here": True})


@csrf_exempt
@require_POST
def answers(request: HttpRequest, token: str) -> HttpResponse:
    """Save answers and remarks."""
    try:
        saved = save_answers(token, request.body)
    except NotLive as error:
        if error.state != Assignment.State.EXPIRED:
            raise
        _revived(token)
        saved = save_answers(token, request.body)
    return JsonResponse(saved)


def save_answers(token: str, body: bytes) -> dict[str, Any]:
    """Save answers and remarks, and return the reply: the hot path (`config/saving.py`).

    All of them are acknowledged; `late` has the numbers of those with a newer answer. A page that
    keeps others asks now and then how many have a withdrawn text.
    """
    sent = _read(body, AnswersIn)
    late, assignment = _save(token, sent)
    saved: dict[str, Any] = {"saved": len(sent.answers) + len(sent.comments)}
    if late:
        saved["late"] = late
    if sent.asks:
        saved["withdrawn"] = drawing.withdrawn_count(assignment=assignment)
    return saved


def _save(token: str, sent: AnswersIn) -> recording.Recorded:
    """Save all of a request or nothing."""
    given_answers = [
        recording.GivenAnswer(
            answer.position,
            answer.question,
            answer.raw,
            answer.slot,
            None if answer.milliseconds is None else min(max(answer.milliseconds, 0), MAX_MS),
            answer.comment,
            answer.number,
        )
        for answer in sent.answers
    ]
    # Answers alone are one transaction anyway.
    with transaction.atomic() if sent.comments else nullcontext():
        late, saved_to = recording.record(
            token=token, answers=given_answers, now=database_now(), tab=sent.tab
        )
        for remark in sent.comments:
            counts = recording.comment(
                assignment=Assignment.objects.get(pk=saved_to),
                position=remark.position,
                text=remark.text,
                number=remark.number,
            )
            late += [] if counts else [remark.number]
    return recording.Recorded(late, saved_to)


@csrf_exempt
@require_http_methods(["GET", "POST"])
@while_judging
def finish(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    """Show the exit form and the open questions; submit."""
    form = StudyForm(
        request.POST if request.method == "POST" else None,
        spec=exit_form_shown(assignment),
        initial=assignment.exit_answers,  # of before a redo
    )
    status, overtaken = 200, ""
    if request.method == "POST" and form.is_valid():
        try:
            recording.submit(
                assignment=assignment,
                now=database_now(),
                exit_answers=form.answers,
                number=number_of(request.POST),
            )
        except Superseded as error:
            status, overtaken = error.status, translated(error.said)
        except Incomplete:
            status = Incomplete.status
        else:
            return redirect("done", assignment.token)
    elif request.method == "POST":
        status = 422
    return finish_page(
        request,
        assignment,
        form,
        presentations=drawing.draw_presentations(assignment=assignment),
        questions=recording.frozen_questions(assignment.study_id, assignment.study.created_at),
        overtaken=overtaken,
        status=status,
    )


def finish_page(
    request: HttpRequest,
    assignment: Assignment,
    form: StudyForm,
    *,
    presentations: list[Presentation],
    questions: Questions,
    overtaken: str = "",
    status: int = 200,
    is_looked_at: bool = False,
) -> HttpResponse:
    """Render the last page; `overtaken` is a message about a newer request.

    With `is_looked_at` all questions count as answered.
    """
    every = page_layout.pages_of(presentations, study=assignment.study)
    _, highest_number, saved_answers = answers_of(
        assignment=assignment, presentations=presentations
    )
    still = unanswered.open_pages(every, questions=questions, answered=saved_answers.keys())
    context = {
        "assignment": assignment,
        "study": assignment.study,
        "form": form,
        "overtaken": overtaken,
        "feedback": asked_again(assignment),
        "open": [] if is_looked_at else still,
        "last": every[-1].position if every else 1,
        "number": first_number(now=database_now(), known=highest_number),
    }
    return render(request, "judging/finish.html", context, status=status)
