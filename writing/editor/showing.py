"""The pages of a writer, for somebody who only looks at them."""

from collections.abc import Callable, Sequence
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext

from annotation.clock import database_now
from annotation.fieldwork.work.preview_assignments import imagined_task, imagined_work
from annotation.models import Corpus, Passage, Study, Task
from annotation.studies.creating import imagined_study
from annotation.studies.drafts.columns import columns_of
from annotation.studies.drafts.kinds import ImaginedWork, instruments_of
from annotation.studies.drafts.page_samples import PageSample
from annotation.studies.drafts.schema import Document
from annotation.studies.forms import StudyForm
from annotation.texts.sentences import marked
from writing.editor import drafting, views
from writing.instruments.schema import WritingInstrument
from writing.models import Brief, WritingTask
from writing.studies.designing import NothingToWrite, brief_of, in_drawn_order, said_by

SCREENS = (
    ("entry", marked("Entry form")),
    ("page", marked("Editor")),
    ("finish", marked("Exit form")),
)


def in_small(document: Document) -> Document:
    return document


def imagine(document: Document, sample: PageSample) -> ImaginedWork:
    """Return the pages of a document's first task, about the topic of a sample.

    Raises RefusedSetting, NothingToWrite.
    """
    instrument: WritingInstrument = instruments_of(document)[0]
    study = _study(document, instrument, corpus=sample.topic.corpus_id)
    wanted = [(sample.topic, style.style) for style in instrument.styles if sample.passages]
    if not wanted:
        raise NothingToWrite(gettext("A writing batch needs at least one topic and one style."))
    topic, style = in_drawn_order(wanted, seed=study.seed)[0]
    task = WritingTask(task=imagined_task(study), topic=topic, style=style)
    brief = brief_of(study, instrument)
    return _shown(task, brief, lambda: sample.passages[: brief.passages])


def look(task: Task) -> ImaginedWork:
    """Return the pages of a task as a writer who begins it now sees them."""
    brief = Brief.objects.get(study=task.batch.study)
    writing_task = WritingTask.objects.select_related("topic").get(task=task)
    writing_task.task = task
    return _shown(writing_task, brief, lambda: brief.passages_of(writing_task.topic))


def _shown(
    task: WritingTask, brief: Brief, passages: Callable[[], Sequence[Passage]]
) -> ImaginedWork:
    work = imagined_work(task.task, now=database_now())

    def show(screen: str, request: HttpRequest) -> HttpResponse:
        context = views.context_of(work, brief, task)
        if screen == "entry":
            form = views.EntryForm(spec=work.study.entry_form)
            return views.entry_page(request, context, form)
        if screen == "finish":
            last = StudyForm(spec=work.study.exit_form)
            return views.finish_page(request, context, last, text="", passages=len(passages()))
        return views.editor_page(
            request, context, passages=passages(), draft=drafting.CurrentText()
        )

    return ImaginedWork(work, show)


def _study(document: Document, instrument: WritingInstrument, *, corpus: int | None) -> Study:
    settings = columns_of(document)
    named: dict[str, Any] = {name: settings.pop(name) for name in ("slug", "title", "seed")}
    return imagined_study(
        **named,
        corpus=Corpus(pk=corpus, slug=document.corpus),
        contact=document.contact,
        **said_by(instrument, settings),
    )
