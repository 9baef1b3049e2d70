"""Pages of moderated sessions: the list of a study, and a session with transcript and notes."""

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import Count, Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, ngettext
from django.views.decorators.http import require_http_methods

from annotation.clock import database_now
from annotation.models import Assignment, Study
from annotation.people import access
from annotation.people.access import Act, user_of
from annotation.people.access.roles import check as check_right
from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from annotation.texts.translation import translated_error
from judging.banks.secrets import hidden_items, works_with
from judging.models import ModeratedSession, Recording, SessionNote, Utterance
from judging.sessions import (
    alignment,
    interview_guides,
    saving_recordings,
    saving_sessions,
    transcripts,
)
from judging.sessions.alignment import PageVisit

MOST_WORKS = 500  # assignments to choose from


@login_required
@require_http_methods(["GET", "POST"])
def sessions(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """List the sessions of a study, or open one for the assignment `work`."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    if request.method == "GET":
        check_right(study, Act.REVIEW)
        return _list(request, study)
    if "guide" in request.POST:
        return _save_guide(request, study)
    typed = request.POST.get("work", "")
    pk = int(typed) if typed.isascii() and typed.isdigit() and len(typed) < 10 else 0
    work = get_object_or_404(Assignment.objects.select_related("study"), study=study, pk=pk)
    check_right(study, Act.REVIEW)
    try:
        made = saving_sessions.make(assignment=work, now=database_now())
    except Refusal as refusal:
        return _list(request, study, refused=translated_error(refusal), status=refusal.status)
    return redirect("session", slug, version, made.pk)


def _save_guide(request: HttpRequest, study: Study) -> HttpResponse:
    check_right(study, Act.REVIEW)
    text, by = request.POST["guide"], user_of(request)
    try:
        saved = interview_guides.save(study=study, text=text, by=by, now=database_now())
    except Refusal as refusal:
        return _list(request, study, refused=translated_error(refusal), status=refusal.status)
    done = ngettext("{n} question saved.", "{n} questions saved.", len(saved))
    messages.success(request, done.format(n=len(saved)))
    return redirect("sessions", study.slug, study.version)


def _list(
    request: HttpRequest, study: Study, *, refused: str = "", status: int = 200
) -> HttpResponse:
    rows = ModeratedSession.objects.filter(assignment__study=study)
    works = Assignment.objects.filter(study=study, session=None, started_at__isnull=False)
    works = works.exclude(state=Assignment.State.WITHDRAWN).select_related("worker", "task")
    questions = interview_guides.questions_of(study)
    context = {
        "study": study,
        "guide": request.POST.get("guide", interview_guides.typed(questions)),
        "guide_template": interview_guides.TEMPLATE,
        "guide_limit": interview_guides.LIMIT,
        "sessions": rows.select_related("assignment__worker")
        .annotate(
            n=Count("utterances", distinct=True),
            n_notes=Count("notes", distinct=True),
            n_recordings=Count("recordings", distinct=True),
            is_saved=Exists(
                Recording.objects.filter(session=OuterRef("pk"), chunks_expected__isnull=False)
            ),
        )
        .order_by("-pk"),
        "works": works.order_by("-pk")[:MOST_WORKS],
        "refused": refused,
    }
    return render(request, "console/sessions/list.html", context, status=status)


@login_required
@require_http_methods(["GET", "POST"])
def session(request: HttpRequest, slug: str, version: int, pk: int) -> HttpResponse:
    """Show a session, or perform an `act` on it."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    this = session_of(study, pk)
    check_right(study, Act.REVIEW)
    if request.method == "GET":
        return _page(request, this)
    try:
        _act(request, this)
    except Refusal as refusal:
        return _page(request, this, refused=translated_error(refusal), status=refusal.status)
    return redirect("session", slug, version, pk)


def session_of(study: Study, pk: int) -> ModeratedSession:
    """Return a session whose study knows the role of the user. Raises Http404."""
    rows = ModeratedSession.objects.select_related("assignment__worker", "assignment__task")
    this: ModeratedSession = get_object_or_404(rows, assignment__study=study, pk=pk)
    this.assignment.study = study
    return this


def is_heard(this: ModeratedSession) -> bool:
    """Return whether the reader may read all entries that the pages of the session are about."""
    study = this.assignment.study
    return not works_with(study, hidden_items(study)).filter(assignment=this.assignment).exists()


def _act(request: HttpRequest, this: ModeratedSession) -> None:
    """Perform the act of a form. Raises Refusal."""
    act, by = request.POST.get("act"), user_of(request)
    if act == "offset":
        offset = number_of(request.POST.get("offset", ""))
        if offset is None:
            raise Refusal("BadOffset", Sentence("Enter an offset in seconds."), status=422)
        saving_sessions.set_offset(session=this, offset=offset)
    elif act == "transcript":
        file = request.FILES.get("file")
        content = file.read(transcripts.LIMIT + 1) if file else b""
        n = saving_sessions.import_transcript(session=this, content=content, by=by)
        done = ngettext("{n} utterance imported.", "{n} utterances imported.", n)
        messages.success(request, done.format(n=n))
    elif act == "note":
        saving_sessions.save_note(
            session=this,
            text=request.POST.get("text", ""),
            at=number_of(request.POST.get("at", "")),
            question=request.POST.get("question", ""),
            by=by,
            now=database_now(),
        )
    elif act == "delete_note":
        pk = request.POST.get("note", "")
        is_number = pk.isascii() and pk.isdigit() and len(pk) < 10
        saving_sessions.delete_note(session=this, pk=int(pk) if is_number else 0)
    elif act == "delete_recording":
        saving_recordings.delete(session=this, by=by)
        messages.success(request, gettext("Recording deleted."))
    elif act == "use_incomplete":
        saving_recordings.finish_incomplete(session=this, by=by)


def number_of(typed: str) -> float | None:
    """Return a typed number, None if it is none."""
    try:
        return float(typed.strip().replace(",", "."))
    except ValueError:
        return None


def _page(
    request: HttpRequest, this: ModeratedSession, *, refused: str = "", status: int = 200
) -> HttpResponse:
    visits = alignment.visits_of(this.assignment)
    utterances = alignment.utterances_with_pages(this, visits)
    notes = alignment.notes_with_pages(this, visits)
    heard = is_heard(this)
    if not heard:
        hide_words(this.assignment.study, [*utterances, *notes])
    context: dict[str, Any] = {
        "study": this.assignment.study,
        "session": this,
        "work": this.assignment,
        "recording": this.recordings.filter(chunks_expected__isnull=False).first(),
        "is_heard": heard,
        "incomplete": this.recordings.filter(chunks_expected=None, chunks__number=1).exists(),
        "utterances": utterances,
        "notes": [note for note, _ in notes],
        "questions": interview_guides.questions_of(this.assignment.study),
        "visits": visits,
        "visit_data": [
            {"position": v.position, "item": v.item, "start": v.start, "end": v.end} for v in visits
        ],
        "chunk": saving_recordings.CHUNK,
        "refused": refused,
    }
    response = render(request, "console/sessions/session.html", context, status=status)
    response["Permissions-Policy"] = "microphone=(self)"
    return response


def hide_words(
    study: Study, rows: Sequence[tuple[Utterance | SessionNote, PageVisit | None]]
) -> None:
    """Empty the words on secret entries that the reader may not read, and between pages."""
    hidden = set(hidden_items(study).values_list("item", flat=True))
    for row, visit in rows:
        if visit is None or visit.item in hidden:
            row.text = ""
