"""Previews of worker pages, from an imagined study that is never saved."""

import re
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256

import msgspec
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext

from annotation.fieldwork.pages import worker_views
from annotation.fieldwork.work.admission import asks
from annotation.models import Assignment, Corpus, Keeping, Study, Task
from annotation.studies.creating import RefusedSetting
from annotation.studies.drafts.faults import FaultContext, faults_of
from annotation.studies.drafts.kinds import ImaginedWork, StudyKind, kind_of
from annotation.studies.drafts.making import document_of
from annotation.studies.drafts.page_samples import sample_of
from annotation.studies.drafts.recruitment_schema import Recruitment
from annotation.studies.drafts.schema import Design, Document, Onboarding
from annotation.studies.drafts.screening_schema import Screening
from annotation.studies.instruments import BadInstrument
from annotation.texts.sentences import marked
from annotation.texts.translation import translated_error


@dataclass(frozen=True)
class Screen:
    """A page of a worker's way."""

    key: str
    title: str


SCRIPTS = re.compile(
    rb"<script\b(?![^>]*\bdata-katex\b).*?</script>|<noscript\b.*?</noscript>"
    rb'|<link rel="modulepreload"[^>]*>|<input type="hidden" name="csrfmiddlewaretoken"[^>]*>',
    re.DOTALL,
)
KEPT_SECONDS = 24 * 60 * 60
SLUG = "preview"
# No fault of an address, a corpus or its systems keeps a page from being shown.
NOTHING_AROUND = FaultContext(frozenset(), {}, frozenset())
CONSENT, INSTRUCTIONS = (
    Screen("consent", marked("Consent")),
    Screen("instructions", marked("Instructions")),
)


class NotShown(ValueError):
    """The page cannot be shown while the document is as it is; the message says why."""


def screens_of(kind: StudyKind) -> list[Screen]:
    return [CONSENT, INSTRUCTIONS, *(Screen(key, title) for key, title in kind.screens)]


def arms_in(document: Document) -> list[Screen]:
    """Return the methods that serve as arms, or an empty list if every worker gets all methods."""
    if not document.has_method_arms:
        return []
    return [Screen(method["name"], method["title"]) for method in document.instruments]


def page(*, document: Document, screen: str, request: HttpRequest, arm: str = "") -> HttpResponse:
    """Return a page of a draft as a worker of an arm sees it, by default the first.

    Raises NotShown.
    """
    kind = kind_of(document.kind)
    document = _in_arm(document, arm) if screen != CONSENT.key else document
    if not document.instruments:
        raise NotShown(gettext("Choose a method to preview its page."))
    for fault in kind.faults(kind.in_small(document)):
        if fault.path.startswith("instruments"):
            raise NotShown(fault.sentence)
    real = Corpus.objects.there().filter(slug=document.corpus).first()
    for corpus in [real, None] if real else [None]:
        with suppress(*kind.refusals):
            return without_scripts(_shown(kind, document, corpus, screen, request))
    raise NotShown(gettext("This corpus has no texts for this method."))


def _in_arm(document: Document, arm: str) -> Document:
    """Return the document with only the method of the given arm, by default the first."""
    if len(arms_in(document)) < 2:
        return document
    chosen = [method for method in document.instruments if method["name"] == arm]
    return msgspec.structs.replace(
        document,
        instruments=chosen or document.instruments[:1],
        design=msgspec.structs.replace(document.design, arms="all"),
    )


def page_of(*, study: Study, screen: str, request: HttpRequest, arm: str = "") -> HttpResponse:
    """Return a page of the first task of a study, or of an arm, as a worker sees it.

    Raises NotShown.
    """
    tasks = Task.objects.filter(batch__study=study).select_related("batch__study")
    if arm:
        tasks = tasks.filter(arm=arm)
    task = tasks.order_by("batch__onboarding", "batch__number", "number").first()
    if task is None or asks(study):  # which comes before all pages, and nobody here can answer
        return page(document=document_of(study), screen=screen, request=request, arm=arm)
    with translation.override(study.language):
        return without_scripts(_screen(kind_of(study.kind).look(task), screen, request))


def cached_page(*, document: Document, screen: str, request: HttpRequest) -> HttpResponse:
    """Return the page of a document without a corpus from the cache. Raises NotShown.

    Pages with a corpus are not cached, since texts may change.
    """
    key = f"preview:{screen}:{sha256(msgspec.json.encode(document)).hexdigest()}"
    content = cache.get(key)
    if content is None:
        content = page(document=document, screen=screen, request=request).content
        cache.set(key, content, KEPT_SECONDS)
    return HttpResponse(content)


def without_scripts(response: HttpResponse) -> HttpResponse:
    """Return the page without preloads, CSRF tokens and scripts other than that of formulas."""
    response.content = SCRIPTS.sub(b"", response.content)
    return response


def _shown(
    kind: StudyKind, document: Document, corpus: Corpus | None, screen: str, request: HttpRequest
) -> HttpResponse:
    small = kind.in_small(_safe(document))
    try:
        with translation.override(document.language):
            taken = document.design
            sample = sample_of(corpus, taken.systems, taken.chosen_topics)
            imagined = kind.imagine(small, sample)
            return _screen(imagined, screen, request, keeping=_keeping(document))
    except (RefusedSetting, BadInstrument) as error:
        raise NotShown(translated_error(error)) from error


def _keeping(document: Document) -> Keeping:
    """Return the unsaved retention of a document."""
    return Keeping(**msgspec.structs.asdict(document.retention))


def _screen(
    imagined: ImaginedWork, screen: str, request: HttpRequest, *, keeping: Keeping | None = None
) -> HttpResponse:
    work = imagined.assignment
    if screen == CONSENT.key:
        work.state, work.started_at = Assignment.State.ARRIVED, None
        return worker_views.consent_page(request, work, keeping=keeping)
    if screen == INSTRUCTIONS.key:
        return worker_views.instructions_page(request, work)
    return imagined.show(screen, request)


def _safe(document: Document) -> Document:
    """Return the document with defaults for what prevents a launch, for early previews."""
    faulty = {fault.path for fault in faults_of(document, around=NOTHING_AROUND)}
    recruitment = document.recruitment
    if any(path.startswith("recruitment") for path in faulty):
        recruitment = Recruitment()
    return msgspec.structs.replace(
        document,
        slug=SLUG,
        title="Untitled study" if "title" in faulty else document.title,
        contact=document.contact or "[who runs the study]",
        design=Design(one_page=document.design.one_page),
        onboarding=Onboarding(),
        recruitment=recruitment,
        screening=Screening(),
    )
