"""The pages of a writer, of a study that is made to be looked at and never kept."""

from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from annotation.drafts.schema import Document
from annotation.models import Assignment
from annotation.texts.sentences import marked
from writing.editor import drafting, views

SCREENS = (
    ("entry", marked("Entry form")),
    ("page", marked("Editor")),
    ("finish", marked("Exit form")),
)


def in_small(document: Document) -> Document:
    return document


def show(assignment: Assignment, screen: str, request: HttpRequest) -> HttpResponse:
    if screen == "entry":
        return views.entry(request, token=assignment.token)
    drafting.acknowledge(assignment=assignment, now=timezone.now(), answers={})
    if screen == "finish":
        return views.finish(request, token=assignment.token)
    return views.write(request, token=assignment.token)
