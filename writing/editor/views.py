"""A writer's pages: entry form, editor, exit form. The token in the address is the authority.

The way: `entry` (form and rule) -> `write` (the editor; it sends the log to `log`, and asks `here`
where to go on) -> `finish` (a last look and the exit form). The editor sends all it has before it
goes to `finish`. There the form alone is enough: the text submitted is then the one that the log
rebuilds. A script may add what the device knows: `text`, `last_number` (of the last chunk it
numbered) and `lost` ("yes": chunks that are missing cannot be sent any more). While chunks are
missing the answer is 422 with their numbers, as JSON where JSON is accepted.
"""

from collections.abc import Iterable
from functools import partial
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation import jobs
from annotation.clock import database_now
from annotation.corpora.threads import topic_context
from annotation.fieldwork.pages import assignment_lookup
from annotation.fieldwork.review.redo_reasons import asked_again
from annotation.fieldwork.work import ordering_requests
from annotation.fieldwork.work.refusals import NotLive, Superseded
from annotation.fieldwork.work.shown_texts import texts_for
from annotation.models import Assignment, Passage, Study
from annotation.refusals import Refusal
from annotation.studies.forms import StudyForm
from annotation.texts.translation import translated
from writing import tasks
from writing.editor import drafting
from writing.editor.drafting import EmptyText, LogIncomplete
from writing.editor.messages import RestIn, TurnIn, WriterHereIn, read, read_chunk
from writing.log.collecting import collect
from writing.models import Brief, Writing, WritingTask
from writing.process.baseline import copied
from writing.studies import filling

while_writing = assignment_lookup.while_active(Study.Kind.WRITING)
_active = partial(assignment_lookup.revived, kind=Study.Kind.WRITING)


class EntryForm(StudyForm):
    acknowledged = forms.BooleanField(label=gettext_lazy("I have read the rule and will follow it"))


class HandInForm(forms.Form):
    """Fields that a script may add to the exit form."""

    text = forms.CharField(required=False, strip=False)
    last_number = forms.IntegerField(required=False, min_value=0)
    lost = forms.BooleanField(required=False)


def _writes(assignment: Assignment) -> bool:
    return Writing.objects.filter(assignment=assignment).exists()


def _context(assignment: Assignment) -> dict[str, Any]:
    brief = Brief.objects.get(study=assignment.study_id)
    task = WritingTask.objects.select_related("topic").get(task=assignment.task_id)
    return context_of(assignment, brief, task)


def context_of(assignment: Assignment, brief: Brief, task: WritingTask) -> dict[str, Any]:
    """Return the context that all pages of a writer share."""
    texts = texts_for(assignment)
    return {
        "assignment": assignment,
        "study": assignment.study,
        "texts": texts,
        **topic_context(task.topic, texts),
        "brief": brief,
        "task": task,
        "topic": task.topic,
        "style": next((style for style in brief.styles if style["style"] == task.style), {}),
        "number": ordering_requests.first_number(now=database_now(), known=assignment.number),
    }


@require_GET
@while_writing
def work(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    """Go on where the writer was: at the rule or in the editor."""
    return redirect("writing:write" if _writes(assignment) else "writing:entry", assignment.token)


@csrf_exempt
@require_http_methods(["GET", "POST"])
@while_writing
def entry(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    """Show the entry form and the rule that the writer accepts before writing."""
    form = EntryForm(
        request.POST if request.method == "POST" else None, spec=assignment.study.entry_form
    )
    if form.is_bound and form.is_valid():
        drafting.acknowledge(
            assignment=assignment,
            now=database_now(),
            answers=form.answers,
            copied=copied(request.POST.get("copy_units", ""), request.POST.get("copy_ms", "")),
            number=ordering_requests.number_of(request.POST),
        )
        return redirect("writing:write", assignment.token)
    return entry_page(request, _context(assignment), form)


def entry_page(request: HttpRequest, context: dict[str, Any], form: EntryForm) -> HttpResponse:
    status = 422 if form.is_bound else 200
    return render(request, "writing/entry.html", {**context, "form": form}, status=status)


@require_GET
@while_writing
def write(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    """Show the editor with the current text, beside the passages."""
    if not _writes(assignment):
        return redirect("writing:entry", assignment.token)
    context = _context(assignment)
    return editor_page(
        request,
        context,
        passages=context["brief"].passages_of(context["topic"]),
        draft=drafting.current_text(assignment),
        feedback=asked_again(assignment),
    )


def editor_page(
    request: HttpRequest,
    context: dict[str, Any],
    *,
    passages: Iterable[Passage],
    draft: drafting.CurrentText,
    feedback: str = "",
) -> HttpResponse:
    shown = {
        "passages": passages,
        "text": draft.text,
        "next_number": draft.next_number,
        "next_seq": draft.next_seq,
        "feedback": feedback,
    }
    return render(request, "writing/write.html", context | shown)


@csrf_exempt
@require_POST
def here(request: HttpRequest, token: str) -> HttpResponse:
    """Make this tab the one that writes, and return where its log goes on.

    `past_gaps`: this tab cannot send the missing chunks and begins with a snapshot.
    """
    sent = read(request.body, WriterHereIn)
    assignment = _active(token)
    if not _writes(assignment):
        raise drafting.not_acknowledged()
    ordering_requests.take_over(assignment=assignment, tab=sent.tab, number=sent.number)
    draft = drafting.current_text(assignment, past_gaps=sent.past_gaps)
    position = {"number": draft.next_number, "seq": draft.next_seq, "ms": draft.ms}
    return JsonResponse({"here": True, "text": draft.text, **position})


@csrf_exempt
@require_POST
def turn(request: HttpRequest, token: str) -> HttpResponse:
    """Tell an idle tab whether it is still the one that writes."""
    sent = read(request.body, TurnIn)
    ordering_requests.check_turn(assignment=_active(token), tab=sent.tab)
    return JsonResponse({"here": True})


@csrf_exempt
@require_POST
def log(request: HttpRequest, token: str) -> HttpResponse:
    """Take a chunk of the interaction log."""
    try:
        taken = save_chunk(token, request.body)
    except NotLive as error:
        if error.state != Assignment.State.EXPIRED:
            raise
        _active(token)
        taken = save_chunk(token, request.body)
    return JsonResponse(taken)


def save_chunk(token: str, body: bytes) -> dict[str, Any]:
    """Take a chunk of the interaction log, and return the reply (`config/saving.py`)."""
    sent = read_chunk(body)
    taken = collect(
        token=token,
        number=sent.number,
        events_json=bytes(sent.events),
        now=database_now(),
        tab=sent.tab,
    )
    return {"missing": taken.missing, "number": taken.next_number}


@csrf_exempt
@require_POST
@while_writing
def rest(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    """Return the rest of a text for the editor, in a trial only."""
    sent = read(request.body, RestIn)
    return JsonResponse({"text": filling.rest_of(assignment=assignment, words=sent.words)})


@csrf_exempt
@require_http_methods(["GET", "POST"])
@while_writing
def finish(request: HttpRequest, assignment: Assignment) -> HttpResponse:
    """Show the text and the exit form, and take the submission."""
    if not _writes(assignment):
        return redirect("writing:entry", assignment.token)
    posted = request.POST if request.method == "POST" else None
    # What was said before a redo stands there again.
    form = StudyForm(posted, spec=assignment.study.exit_form, initial=assignment.exit_answers)
    refusal: EmptyText | LogIncomplete | Superseded | None = None
    if form.is_bound and form.is_valid():
        try:
            _submit(assignment, HandInForm(posted), form)
        except (EmptyText, LogIncomplete, Superseded) as error:
            refusal = error
        else:
            return redirect("done", assignment.token)
    # Who was overtaken gets the page again, with the text as it is now.
    takes_json = "application/json" in request.headers.get("Accept", "")
    if takes_json and isinstance(refusal, EmptyText | LogIncomplete):
        return _refused(refusal)
    shared = _context(assignment)
    return finish_page(
        request,
        shared,
        form,
        text=drafting.current_text(assignment).text,
        passages=len(shared["brief"].passages_of(shared["topic"])),
        refusal=refusal,
    )


def finish_page(
    request: HttpRequest,
    context: dict[str, Any],
    form: StudyForm,
    *,
    text: str,
    passages: int,
    refusal: Refusal | None = None,
) -> HttpResponse:
    shown = {
        "form": form,
        "text": text,
        "passages": passages,
        "sentence": refusal and translated(refusal.said),
        "missing": getattr(refusal, "missing", []),
    }
    status = refusal.status if refusal else 422 if form.is_bound else 200
    return render(request, "writing/finish.html", context | shown, status=status)


def _submit(assignment: Assignment, known: HandInForm, form: StudyForm) -> None:
    known.is_valid()
    sent = known.cleaned_data
    # A form sends its line ends as CRLF; a browser's text has none of them.
    text = sent.get("text", "").replace("\r\n", "\n")
    drafting.submit(
        assignment=assignment,
        text=text or drafting.current_text(assignment).text,
        last_number=sent.get("last_number") or 0,
        now=database_now(),
        exit_answers=form.answers,
        lost=sent.get("lost", False),
        number=ordering_requests.number_of(known.data),
    )
    jobs.send_after_commit(tasks.pack, assignment.pk)


def _refused(refusal: EmptyText | LogIncomplete) -> JsonResponse:
    body = {"refusal": refusal.code, "sentence": translated(refusal.said)}
    missing = getattr(refusal, "missing", [])
    return JsonResponse(body | {"missing": missing}, status=refusal.status)
