"""The editor of a draft: its sections, saving, undo, who is there, the worker's page beside it."""

from collections.abc import Callable, Sequence
from functools import partial, wraps
from itertools import dropwhile, islice
from typing import Any

from csp.constants import SELF
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.clock import database_now
from annotation.console.builder import editing, previews, visiting
from annotation.console.builder import topic_choice as topic_fields
from annotation.console.builder.annotated_sections import (
    anchor_of,
    annotated_section,
    fault_views,
    section_counts,
)
from annotation.console.builder.dock import dock_of
from annotation.console.builder.editing import EditResult
from annotation.console.builder.languages import language_of
from annotation.console.builder.study_form import sections_of
from annotation.console.builder.suggestions import suggestions_of
from annotation.console.builder.system_choice import of_corpus
from annotation.fieldwork.screening.qualified_people import names_for
from annotation.lists import parameter
from annotation.models import Draft
from annotation.people import access
from annotation.people.access import Act, user_of
from annotation.people.access.budgets import budgeted
from annotation.refusals import Refusal
from annotation.studies.drafts import cached_remarks, undoing
from annotation.studies.drafts.contacts import contact_source
from annotation.studies.drafts.editor_forms import SECTIONS, EditorSection
from annotation.studies.drafts.faults import faults_of
from annotation.studies.drafts.kinds import StudyKind, decoded, kind_of, registered_kinds
from annotation.studies.drafts.lookup import as_seen, draft_for
from annotation.studies.drafts.making import document_of_methods
from annotation.studies.drafts.plain_data import MAX_TEXT_LENGTH
from annotation.studies.drafts.saving import Conflict, DraftClosed, NotSaved
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.todo_faults import still_to_do
from annotation.texts.translation import translated_error

FRAMED = {
    "default-src": [SELF],
    "img-src": [SELF, "data:"],
    "script-src": ["'none'"],
    "frame-ancestors": [SELF],
}


def framed(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Make a view whose page may be framed by our own pages and runs no script."""

    @wraps(view)
    def page(request: HttpRequest, **named: Any) -> HttpResponse:
        response = view(request, **named)
        response["X-Frame-Options"] = "SAMEORIGIN"
        response._csp_replace = FRAMED  # type: ignore[attr-defined]  # what django-csp reads
        return response

    return page


@login_required
@require_GET
def draft(request: HttpRequest, pk: int) -> HttpResponse:
    current = draft_for(request.user, pk=pk, may=Act.VIEW)
    if current.study:
        return redirect(current.study)
    return redirect("draft_section", pk, SECTIONS[0].key)


@login_required
@budgeted(per_minute=300)
@require_http_methods(["GET", "POST"])
def section(request: HttpRequest, pk: int, section: str) -> HttpResponse:
    """One section: its form, and what that sends.

    The editor's script saves field by field and gets JSON; what it asks to add, move or remove
    comes back as the part of the page that holds the form. Without it the form is saved as a whole.
    """
    may = Act.EDIT if request.method == "POST" else Act.VIEW
    draft = draft_for(request.user, pk=pk, may=may)
    if section not in {known_section.key for known_section in SECTIONS}:
        raise Http404("Section not found.")
    edited = EditResult(draft)
    if request.method == "POST":
        try:
            edited = editing.edit(
                draft=draft,
                sent=request.POST.dict(),
                boxes=request.POST.getlist("boxes"),
                user=user_of(request),
                now=database_now(),
            )
        except DraftClosed as error:
            return _closed(request, error)
        edited.draft = _as_seen(request, edited.draft, draft)
        if "application/json" in request.headers.get("Accept", ""):
            return JsonResponse(_saved(request, edited, section))
        if not edited.faults and not getattr(request, "htmx", False):
            where = f"#{anchor_of(edited.focus)}" if edited.focus else ""
            address: str = redirect("draft_section", pk, section).url
            return redirect(f"{address}{where}")
    status = 409 if edited.theirs else 422 if edited.faults else 200
    if getattr(request, "htmx", False):
        status = 200  # htmx shows nothing of another status
    return render(
        request, "console/draft/section.html", _context(request, edited, section), status=status
    )


def _as_seen(request: HttpRequest, saved: Draft, before: Draft) -> Draft:
    """Return what was just saved as this person may see it; what was not saved is as it was."""
    if saved is before:
        return before
    saved.role = before.role
    return as_seen(saved, user=request.user)


def _closed(request: HttpRequest, error: DraftClosed) -> HttpResponse:
    if "application/json" in request.headers.get("Accept", ""):
        return JsonResponse({"sentence": translated_error(error)}, status=410)
    return render(request, "console/draft/closed.html", {"error": error}, status=410)


def _context(request: HttpRequest, edited: EditResult, key: str) -> dict[str, Any]:
    """Return the context of a draft page with the section that is edited."""
    document = decoded(edited.draft.document)
    kind = kind_of(document.kind)
    corpora = access.visible_corpora(request.user)
    sections = sections_of(document, kind.groups(document), corpora=corpora)
    faults = faults_of(document, draft=edited.draft)
    todo = still_to_do(edited.draft, faults)
    views = fault_views(faults, sections, todo=todo)
    at_fields = {fault.path: fault.sentence for fault in reversed(faults)}
    shown_section = next((section for section in sections if section.key == key), None)
    dock, why = dock_of(edited.draft, document)
    comes_out: Sequence[str] = ()
    if shown_section and key == "design" and (corpus := edited.draft.corpus):
        outline = dock.outline if dock else None
        comes_out = outline.sum if outline else ()
        shown_section = topic_fields.of_corpus(shown_section, document, corpus, outline)
        shown_section = of_corpus(shown_section, document, corpus)
    return {
        "draft": edited.draft,
        "document": document,
        "sections": section_counts(sections, views),
        "current": key,
        "next": _next(key),
        "section": shown_section
        and annotated_section(
            shown_section,
            faults=at_fields | edited.faults,
            kept=edited.kept,
            theirs=edited.theirs,
            offered={
                **kind.sources.offered(document, access.visible_studies(request.user)),
                **(_qualifications(request, edited.draft) if key == "forms" else {}),
            },
            todo=todo - set(edited.faults),
            origins={"contact": contact_source(edited.draft, user=user_of(request))}
            if key == "instructions"
            else {},
            suggested=suggestions_of(document, draft=edited.draft)
            if key in ("recruitment", "quality")
            else {},
        ),
        "faults": views,
        "remarks_found": cached_remarks.remarks_in_cache(edited.draft),
        "screens": previews.screens_of(kind),
        "arms": previews.arms_in(document),
        "screen": {"instructions": "instructions", "forms": "finish"}.get(key, "page"),
        "methods": _others(kind, document),
        "edited": edited,
        "dock": dock,
        "comes_out": comes_out,
        "why": why,
        **_steps(request, edited.draft),
    }


def _qualifications(request: HttpRequest, draft: Draft) -> dict[str, list[str]]:
    """Return the names of qualifications that are offered below the fields that take one."""
    names = names_for(team=draft.team_id, user=user_of(request))
    return dict.fromkeys(("screening/requires", "screening/gives", "screening/excludes"), names)


def _next(key: str) -> EditorSection | None:
    following = dropwhile(lambda each: each.key != key, SECTIONS)
    return next(islice(following, 1, None), None)


def _steps(request: HttpRequest, draft: Draft) -> dict[str, bool]:
    """Return what this person may do, undo and redo."""
    may_edit = access.may(draft, Act.EDIT)
    done, undone = (
        undoing.stacks(draft, user_of(request)) if may_edit and draft.revision else ([], [])
    )
    return {"may_edit": may_edit, "can_undo": bool(done), "can_redo": bool(undone)}


def _others(kind: StudyKind, document: Document) -> list[tuple[str, str]]:
    """Return the further methods to offer, those for the same kind of item first."""
    used = {instrument.get("name") for instrument in document.instruments}
    item_kinds = {instrument.get("item_kind") for instrument in document.instruments}
    others: dict[str, Any] = {
        name: kind.load(name, document.language) for name in kind.available() if name not in used
    }
    alike = [
        name for name, method in others.items() if getattr(method, "item_kind", None) in item_kinds
    ]
    return [(name, _title(others[name])) for name in dict.fromkeys([*alike, *others])]


def _title(instrument: Any) -> str:
    return str(instrument.title)


def _saved(request: HttpRequest, edited: EditResult, key: str) -> dict[str, Any]:
    """Return the JSON answer to the editor's script after it sent a field."""
    context = _context(request, edited, key)
    at_fields = [
        {"at": anchor_of(fault.path), "sentence": fault.sentence, "todo": fault.is_todo}
        for fault in context["faults"]
    ]
    refused = [
        {
            "at": anchor_of(path),
            "path": path,
            "sentence": sentence,
            "theirs": edited.theirs.get(path),
            "conflict": path in edited.theirs,
        }
        for path, sentence in edited.faults.items()
    ]
    return {
        "revision": edited.draft.revision,
        "faults": at_fields,
        "refused": refused,
        "title": str(edited.draft),
        "can_undo": context["can_undo"],
        "can_redo": context["can_redo"],
        "side": render_to_string("console/draft/_rail.html", context, request=request),
        "sum": render_to_string("console/draft/_sum.html", context, request=request),
        "dock": render_to_string("console/draft/_dock.html", context, request=request),
    }


@login_required
@require_POST
def undo(request: HttpRequest, pk: int) -> HttpResponse:
    return _back_or_forth(request, pk, undoing.undo)


@login_required
@require_POST
def redo(request: HttpRequest, pk: int) -> HttpResponse:
    return _back_or_forth(request, pk, undoing.redo)


def _back_or_forth(request: HttpRequest, pk: int, step: Any) -> HttpResponse:
    """Undo or redo one change; the section that was open is shown again."""
    draft = draft_for(request.user, pk=pk, may=Act.EDIT)
    key = request.POST.get("section", "").replace("\x00", "")
    key = key if key in {known_section.key for known_section in SECTIONS} else SECTIONS[0].key
    edited = EditResult(
        draft, said=gettext("Undone.") if step is undoing.undo else gettext("Redone.")
    )
    try:
        edited.draft = step(draft=draft, user=user_of(request), now=database_now())
    except DraftClosed as error:
        return _closed(request, error)
    except (Refusal, NotSaved) as error:
        edited.said = translated_error(error)
        if isinstance(error, Conflict):
            edited.said = gettext("Can't undo because others made later changes.")
    edited.draft = _as_seen(request, edited.draft, draft)
    if getattr(request, "htmx", False):
        return render(request, "console/draft/section.html", _context(request, edited, key))
    return redirect("draft_section", pk, key)


@login_required
@require_POST
def here(request: HttpRequest, pk: int) -> JsonResponse:
    """Somebody has the draft open: who else has, and which revision it is now."""
    draft = draft_for(request.user, pk=pk, may=Act.VIEW)
    others = visiting.visit(
        draft=draft,
        user=user_of(request),
        section=request.POST.get("section", "").replace("\x00", ""),
        now=database_now(),
    )
    titles = {known_section.key: known_section.title for known_section in SECTIONS}
    people = [
        {"name": other.user.get_username(), "section": titles.get(other.section, "")}
        for other in others
    ]
    return JsonResponse({"revision": draft.revision, "people": people})


@login_required
@budgeted(per_minute=300)
@require_POST
def as_read(request: HttpRequest, pk: int) -> HttpResponse:
    """Render a Markdown text as workers would read it."""
    draft = draft_for(request.user, pk=pk, may=Act.VIEW)
    text = request.POST.get("text", "")[:MAX_TEXT_LENGTH]  # a longer one is refused when saved
    context = {"text": text, "document": decoded(draft.document)}
    return render(request, "console/draft/_as_read.html", context)


@login_required
@require_GET
@framed
def page(request: HttpRequest, pk: int, screen: str) -> HttpResponse:
    """Show a worker's page of the draft, without scripts and forms that send."""
    document = decoded(draft_for(request.user, pk=pk, may=Act.VIEW).document)
    make_page = partial(previews.page, document=document, arm=parameter(request, "arm"))
    return shown_page(request, document.kind, screen, page=make_page)


@login_required
@require_GET
@framed
def method_page(request: HttpRequest, study_kind: str, method: str) -> HttpResponse:
    """Show a worker's page of a built-in method, from the cache."""
    kinds = registered_kinds()
    if study_kind not in kinds or method not in kinds[study_kind].available():
        raise Http404("Method not found.")
    language = language_of(request)
    instrument = kinds[study_kind].load(method, language)
    document = document_of_methods(
        kind=study_kind,
        instruments=[instrument],
        title=_title(instrument),
        corpus=None,
        language=language,
    )
    make_page = partial(previews.cached_page, document=document)
    return shown_page(request, document.kind, "page", page=make_page)


def shown_page(
    request: HttpRequest, kind: str, screen: str, *, page: Callable[..., HttpResponse]
) -> HttpResponse:
    """Return a worker's page, or the reason why there is none. Raises Http404."""
    if screen not in {known_screen.key for known_screen in previews.screens_of(kind_of(kind))}:
        raise Http404("Page not found.")
    try:
        return page(screen=screen, request=request)
    except previews.NotShown as error:
        return render(
            request, "console/draft/not_shown.html", {"sentence": translated_error(error)}
        )
