"""Sample pages of a judging study for its researcher."""

from typing import Any

import msgspec
from django.http import HttpRequest, HttpResponse

from annotation.clock import database_now
from annotation.fieldwork.work.arms import exit_form_shown
from annotation.fieldwork.work.placeholders import planned
from annotation.fieldwork.work.preview_assignments import imagined_work
from annotation.models import Task
from annotation.studies.drafts.kinds import ImaginedWork
from annotation.studies.drafts.page_samples import PageSample
from annotation.studies.drafts.schema import Document
from annotation.studies.forms import StudyForm
from annotation.texts.sentences import marked
from judging.answering import recording, views
from judging.drafts.sample_questionnaire import SampleQuestionnaire, questionnaire
from judging.items import drawing

SCREENS = (("page", marked("Page")), ("finish", marked("Last page")))
MOST_POINTS = 3  # criteria that pages show, where a real study has hundreds


def in_small(document: Document) -> Document:
    """Return the document with figures that a corpus of one topic can meet."""
    pages = sum(
        instrument["defaults"]["items_per_questionnaire"] for instrument in document.instruments
    )
    planned_pages = planned(pages, language=document.language)
    small = [_in_small(instrument, pages=planned_pages) for instrument in document.instruments]
    return msgspec.structs.replace(document, instruments=small)


def _in_small(one: dict[str, Any], *, pages: str) -> dict[str, Any]:
    """Reduce an instrument; `pages` is the full number of pages, for {items} in its texts."""
    asked_criteria = {question["criterion"] for question in one["questions"]}
    shown = [criterion for criterion in one["criteria"] if criterion["key"] not in asked_criteria][
        :MOST_POINTS
    ]
    criteria = [
        *(criterion for criterion in one["criteria"] if criterion["key"] in asked_criteria),
        *shown,
    ]
    figures: dict[str, Any] = {"reversed_share": 0.0, "quota": 1, "rounds": 1}
    # Nobody has scored the documents of a topic that is a copy.
    figures |= {"documents_scored_at_least": None, "documents_annotations": "hidden"}
    return {
        **one,
        "instructions": one["instructions"].replace("{items}", pages),
        "consent": one["consent"].replace("{items}", pages),
        "criteria": _said([{**criterion, "topic": ""} for criterion in criteria], "name"),
        "scales": [
            {**scale, "options": _said(scale["options"], "label")} for scale in one["scales"]
        ],
        "questions": _said(one["questions"], "text"),
        "exit_form": _said(one["exit_form"], "label"),
        "defaults": {**one["defaults"], **figures},
        "attention": [],
        "gold": [],
        "training": [],
    }


def _said(elements: list[dict[str, Any]], name: str) -> list[dict[str, Any]]:
    """Return the elements with "…" for a missing text, which would keep pages from being shown."""
    return [
        {**element, name: element[name] if element[name].strip() else "…"} for element in elements
    ]


def imagine(document: Document, sample: PageSample) -> ImaginedWork:
    """Return the pages of the first task of a reduced document."""
    return _shown(questionnaire(document=document, sample=sample, now=database_now()))


def look(task: Task) -> ImaginedWork:
    """Return the pages of a task as a new worker sees them."""
    work, study = imagined_work(task, now=database_now()), task.batch.study
    questions = recording.questions_of(study.pk)
    return _shown(SampleQuestionnaire(work, drawing.looked_at(assignment=work), questions))


def _shown(made: SampleQuestionnaire) -> ImaginedWork:
    work = made.assignment
    of_it: dict[str, Any] = {"presentations": made.presentations, "questions": made.questions}

    def show(screen: str, request: HttpRequest) -> HttpResponse:
        if screen == "finish":
            form = StudyForm(spec=exit_form_shown(work))
            return views.finish_page(request, work, form, **of_it, is_looked_at=True)
        return views.item_page(request, work, 1, **of_it)

    return ImaginedWork(work, show)
