"""The design of a launched study: its document, section by section, as it was launched."""

from functools import partial
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from annotation.console.builder import previews
from annotation.console.builder import topic_choice as topic_fields
from annotation.console.builder.differences import differences
from annotation.console.builder.study_form import sections_of
from annotation.console.builder.system_choice import as_frozen
from annotation.console.builder.views import framed, shown_page
from annotation.lists import parameter
from annotation.models import Study
from annotation.people import access
from annotation.people.access import Act
from annotation.studies.drafts.editor_forms import SECTIONS
from annotation.studies.drafts.kinds import kind_of
from annotation.studies.drafts.making import document_of, public_document_of
from annotation.studies.drafts.plain_data import plain

CHANGES = "changes"


@login_required
@require_GET
def design(
    request: HttpRequest, slug: str, version: int, section: str = SECTIONS[0].key
) -> HttpResponse:
    """One section, or what changed since the version before."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    if section not in {CHANGES, *(section.key for section in SECTIONS)}:
        raise Http404("Section not found.")
    read = document_of if access.may(study, Act.EDIT) else public_document_of
    document = read(study)
    kind = kind_of(document.kind)
    before = _before(study)
    sections = sections_of(document, kind.groups(document), corpora=[study.corpus])
    context: dict[str, Any] = {
        "study": study,
        "document": document,
        "sections": sections,
        "current": section,
        "before": before,
        "screens": previews.screens_of(kind),
        "arms": previews.arms_in(document),
        "screen": {"instructions": "instructions", "forms": "finish"}.get(section, "page"),
    }
    if section == CHANGES:
        changed = differences(plain(read(before)), plain(document)) if before else []
        return render(request, "console/frozen/changes.html", context | {"differences": changed})
    shown_section = next(candidate for candidate in sections if candidate.key == section)
    shown_section = topic_fields.as_frozen(shown_section, document, study.corpus)
    context["section"] = as_frozen(shown_section, document, study.corpus)
    return render(request, "console/frozen/section.html", context)


def _before(study: Study) -> Study | None:
    earlier = Study.objects.filter(slug=study.slug, version__lt=study.version)
    return earlier.select_related("corpus").order_by("-version").first()


@login_required
@require_GET
@framed
def page(request: HttpRequest, slug: str, version: int, screen: str) -> HttpResponse:
    """Show a worker's page of the study, without scripts and forms that send."""
    study = access.study_for(request.user, slug=slug, version=version, may=Act.VIEW)
    arm = parameter(request, "arm")
    shown = partial(previews.page_of, study=study, arm=arm)
    if not access.may(study, Act.EDIT):
        public = public_document_of(study)
        if public != document_of(study):  # the first task may have secret entries
            shown = partial(previews.page, document=public, arm=arm)
    return shown_page(request, study.kind, screen, page=shown)
