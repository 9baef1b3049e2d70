"""Pages around a draft: choosing a method, copies, files, deletion, launch."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from annotation.clock import database_now
from annotation.console.builder import pilot_plan
from annotation.console.builder.annotated_sections import fault_views, section_counts
from annotation.console.builder.checks import checks_context
from annotation.console.builder.differences import differences
from annotation.console.builder.dock import dock_of
from annotation.console.builder.method_rows import outlined
from annotation.console.builder.study_form import sections_of
from annotation.corpora.contents import state_of
from annotation.lists import page_of
from annotation.models import Draft, Study
from annotation.people import access
from annotation.people.access import Act, user_of
from annotation.people.access.budgets import budgeted
from annotation.studies.drafts import cached_remarks, document_files, launching, making
from annotation.studies.drafts.contacts import with_contact
from annotation.studies.drafts.faults import faults_of
from annotation.studies.drafts.kinds import decoded, kind_of, registered_kinds
from annotation.studies.drafts.lookup import draft_for
from annotation.studies.drafts.plain_data import BadDocument, plain
from annotation.studies.drafts.saving import DraftClosed
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.todo_faults import still_to_do
from annotation.studies.drafts.workload import outline_or_why
from annotation.texts.translation import translated_error


class BeginForm(forms.Form):
    """`of` is a method (judging/crowdrag-pairwise), blank (judging/), or a study (its number)."""

    of = forms.CharField(max_length=200)
    title = forms.CharField(max_length=200, required=False)
    corpus = forms.CharField(max_length=200, required=False)
    language = forms.ChoiceField(choices=Study.Language.choices, required=False)


@login_required
@require_POST
def begin(request: HttpRequest) -> HttpResponse:
    """Make a draft from a method, from a study, or blank."""
    form = BeginForm(request.POST)
    if not form.is_valid():
        raise Http404("Nothing to start from.")
    chosen = form.cleaned_data
    kind, _, name = chosen["of"].partition("/")
    if chosen["of"].isdecimal():
        study = access.one_for(request.user, Study.objects.all(), may=Act.VIEW, pk=chosen["of"])
        draft = making.make_copy(
            study=study,
            user=user_of(request),
            now=database_now(),
            secret=access.may(study, Act.EDIT),
        )
        return redirect(draft)
    if kind not in registered_kinds() or (
        name and name not in registered_kinds()[kind].available()
    ):
        raise Http404("Method not found.")
    corpus = access.visible_corpora(request.user).filter(slug=chosen["corpus"]).first()
    language = chosen["language"] or Study.Language.EN
    study_kind = registered_kinds()[kind]
    instrument = study_kind.load(name, language) if name else study_kind.blank(language)
    document = making.document_of_methods(
        kind=kind,
        instruments=[instrument],
        title=chosen["title"],
        corpus=corpus,
        language=language,
    )
    if name:  # with the figures of Methods
        outline = outlined(kind, name, corpus) if corpus else None
        document = making.as_suggested(document, outline)
    document = with_contact(document, user=user_of(request))
    return redirect(making.make_draft(document=document, user=user_of(request), now=database_now()))


@login_required
@budgeted(per_minute=20)
@require_POST
def bring(request: HttpRequest) -> HttpResponse:
    """Make a draft from an uploaded document, instrument or study file."""
    file = request.FILES.get("file")
    if file is None:
        messages.error(request, gettext("Choose a file."))
        return redirect("instruments")
    try:
        document = document_files.read(
            file.read(document_files.MOST_BYTES + 1), name=file.name or gettext("File")
        )
        document = with_contact(document, user=user_of(request))
        draft = making.make_draft(document=document, user=user_of(request), now=database_now())
    except BadDocument as error:
        messages.error(request, translated_error(error), extra_tags=error.code)
        return redirect("instruments")
    return redirect(draft)


@login_required
@require_GET
def document(request: HttpRequest, pk: int) -> HttpResponse:
    """Download the draft as a JSON file; an owner may choose secret entries."""
    secret = access.wants_secret(request)
    draft = draft_for(request.user, pk=pk, may=Act.MANAGE if secret else Act.VIEW)
    name, document = draft.slug or "study", decoded(draft.document)
    if not secret:
        return _file(making.public(document), name)
    access.record_secret(user=request.user, what="document.json", of=draft)
    return _file(document, name)


@login_required
@require_GET
def study_document(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    """Download the document of a study as a JSON file; an owner may choose secret entries."""
    secret = access.wants_secret(request)
    act = Act.MANAGE if secret else Act.VIEW
    study = access.study_for(request.user, slug=slug, version=version, may=act)
    if not secret:
        return _file(making.public_document_of(study), f"{slug}-{version}")
    access.record_secret(user=request.user, what="document.json", of=study)
    return _file(making.document_of(study), f"{slug}-{version}")


def _file(document: Document, name: str) -> HttpResponse:
    response = HttpResponse(document_files.file_of(document), content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response


@login_required
@require_POST
def new_version(request: HttpRequest, slug: str, version: int) -> HttpResponse:
    study = access.study_for(request.user, slug=slug, version=version, may=Act.EDIT)
    draft = making.make_version(study=study, user=user_of(request), now=database_now())
    return redirect(draft)


@login_required
@require_GET
def changes(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the differences from the last version, and the history of a draft."""
    draft = draft_for(request.user, pk=pk, may=Act.VIEW)
    read = making.document_of if access.may(draft, Act.EDIT) else making.public_document_of
    before = plain(read(draft.base)) if draft.base else None
    revisions = draft.revisions.select_related("user").order_by("-number")
    context = {
        **head_of(draft),
        "current": "changes",
        "differences": [] if before is None else differences(before, draft.document),
        "page": page_of(revisions, request, rows_a_page=50),
    }
    return render(request, "console/draft/changes.html", context)


@login_required
@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    """Asks for the name; can be undone for a day."""
    draft = draft_for(request.user, pk=pk, may=Act.MANAGE)
    if draft.study:
        return redirect(draft.study)
    wrong = False
    if request.method == "POST":
        if " ".join(request.POST.get("name", "").split()) == " ".join(str(draft).split()):
            making.delete(draft=draft, user=user_of(request), now=database_now())
            return render(request, "console/draft/deleted.html", {"draft": draft})
        wrong = True
    return render(
        request,
        "console/draft/delete.html",
        {**head_of(draft), "wrong": wrong},
        status=422 if wrong else 200,
    )


@login_required
@require_POST
def restore(request: HttpRequest, pk: int) -> HttpResponse:
    draft = access.one_for(
        request.user, Draft.objects.exclude(deleted_at=None), may=Act.MANAGE, pk=pk
    )
    if making.restore(draft=draft, user=user_of(request), now=database_now()):
        messages.success(request, gettext("{name} restored.").format(name=draft))
        return redirect(draft)
    raise Http404("Draft not found.")


@login_required
@require_http_methods(["GET", "POST"])
def launch(request: HttpRequest, pk: int) -> HttpResponse:
    """Says what a launch makes and what it costs; then does it, once."""
    may = Act.RUN if request.method == "POST" else Act.VIEW
    draft = draft_for(request.user, pk=pk, may=may)
    if draft.study:
        return redirect(draft.study)
    context = {**head_of(draft), "current": "launch"}
    if request.method == "POST":
        revision = request.POST.get("revision", "")
        try:
            study = launching.launch(
                draft=draft,
                revision=int(revision) if revision.isdecimal() and len(revision) < 18 else -1,
                user=user_of(request),
                now=database_now(),
                pilot=pilot_plan.pilot_tasks(request.POST),
            )
        except launching.BadPilot as error:
            context["bad_pilot"] = translated_error(error)
        except DraftClosed as error:
            return redirect(error.draft)
        except launching.DraftChanged as error:
            context["sentence"] = translated_error(error)
        except launching.HasFaults as error:
            context["faults"] = fault_views(error.faults, context["all_sections"])
        else:
            messages.success(
                request,
                gettext("{study} launched.").format(study=study),
            )
            return redirect("recruit", study.slug, study.version)
    context |= _what_it_makes(draft, context, user_of(request))
    if "outline" in context:
        sent = request.POST if request.POST else request.GET
        context["pilot"] = pilot_plan.pilot_of(context["outline"], context["document"], sent)
    partial = getattr(request, "htmx", False)
    template = "console/draft/_pilot.html" if partial else "console/draft/launch.html"
    return render(request, template, context, status=409 if request.POST else 200)


@login_required
@require_GET
def check(request: HttpRequest, pk: int) -> HttpResponse:
    """Show faults and warnings of a draft, each with a link to its field."""
    draft = draft_for(request.user, pk=pk, may=Act.VIEW)
    if draft.study:
        return redirect(draft.study)
    head = head_of(draft)
    outline, refused = None, ""
    state = head["corpus_state"]
    if not head["faults"] and draft.corpus is not None:
        outline, refused = outline_or_why(head["document"], draft.corpus, state)
    looked = checks_context(draft, head, outline, state, user=user_of(request))
    context = {**head, "current": "check", "refused": refused, **looked}
    return render(request, "console/draft/check.html", context)


def head_of(draft: Draft) -> dict[str, Any]:
    """Return the context of the sections and the dock of a draft's pages."""
    document = decoded(draft.document)
    sections = sections_of(document, kind_of(document.kind).groups(document), corpora=[])
    document_faults = faults_of(document, draft=draft)
    faults = fault_views(document_faults, sections, todo=still_to_do(draft, document_faults))
    state = state_of(draft.corpus) if draft.corpus and document.instruments else None
    return {
        "draft": draft,
        "document": document,
        "corpus_state": state,
        "all_sections": sections,
        "sections": section_counts(sections, faults),
        "faults": faults,
        "remarks_found": cached_remarks.remarks_in_cache(draft),
        "dock": dock_of(draft, document, state)[0],
    }


def _what_it_makes(draft: Draft, context: dict[str, Any], user: User) -> dict[str, Any]:
    document, corpus = context["document"], draft.corpus
    if context["faults"] or corpus is None:
        return {}
    state = context["corpus_state"]
    outline, refused = outline_or_why(document, corpus, state)
    if outline is None:
        return {"refused": refused}
    expected = outline.expected(target=document.recruitment.hourly_wage)
    looked = checks_context(draft, context, outline, state, user=user)
    return {"outline": outline, "expected": expected, **looked}
