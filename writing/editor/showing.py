"""The pages of a writer, for somebody who only looks at them."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext

from annotation.builder.samples import Sample
from annotation.drafts.faults import settings_of
from annotation.drafts.kinds import Imagined, instruments_of
from annotation.drafts.schema import Document
from annotation.models import Assignment, Corpus, Study
from annotation.studies.forms import StudyForm
from annotation.studies.planning import imagined_study
from annotation.texts.sentences import marked
from annotation.work.imagined import imagined_work
from writing.editor import drafting, views
from writing.instruments.files import Instrument
from writing.models import WritingTask
from writing.studies.designing import NothingToWrite, brief_of, in_drawn_order, said_by

SCREENS = (
    ("entry", marked("Entry form")),
    ("page", marked("Editor")),
    ("finish", marked("Exit form")),
)


def in_small(document: Document) -> Document:
    return document


def imagine(document: Document, sample: Sample) -> Imagined:
    """The pages of the first task of a document, about the topic of a sample. Raises BadSetting,
    NothingToWrite as `launching.write` does."""
    instrument: Instrument = instruments_of(document)[0]
    study = _study(document, instrument)
    assignment = imagined_work(study, now=timezone.now())
    wanted = [(sample.topic, each.style) for each in instrument.styles if sample.passages]
    if not wanted:
        raise NothingToWrite(gettext("A writing batch needs at least one topic and one style."))
    topic, style = in_drawn_order(wanted, seed=study.seed)[0]
    task = WritingTask(task=assignment.task, topic=topic, style=style)
    brief = brief_of(study, instrument)

    def shown(screen: str, request: HttpRequest) -> HttpResponse:
        context = views.context_of(assignment, brief, task)
        if screen == "entry":
            return views.entry_page(request, context, views.EntryForm(spec=study.entry_form))
        if screen == "finish":
            form = StudyForm(spec=study.exit_form)
            return views.finish_page(request, context, form, text="", passages=len(sample.passages))
        return views.editor_page(request, context, passages=sample.passages, draft=drafting.Draft())

    return Imagined(assignment, shown)


def _study(document: Document, instrument: Instrument) -> Study:
    settings = settings_of(document)
    named: dict[str, Any] = {name: settings.pop(name) for name in ("slug", "title", "seed")}
    return imagined_study(
        **named,
        corpus=Corpus(slug=document.corpus),
        contact=document.contact,
        **said_by(instrument, settings),
    )


def show(assignment: Assignment, screen: str, request: HttpRequest) -> HttpResponse:
    if screen == "entry":
        return views.entry(request, token=assignment.token)
    drafting.acknowledge(assignment=assignment, now=timezone.now(), answers={})
    if screen == "finish":
        return views.finish(request, token=assignment.token)
    return views.write(request, token=assignment.token)
