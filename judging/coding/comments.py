"""Comments of participants: on pages, as reasons, in forms, and in sessions. Only reads."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet

from annotation.models import Assignment, Study
from judging.models import CodingUnit, Item, Judgment, ModeratedSession, Presentation
from judging.sessions.alignment import utterances_with_pages

FORMS = ("entry", "exit")
Kind = CodingUnit.Kind
WRITTEN = frozenset(Kind.values) - {Kind.UTTERANCE}  # not spoken


@dataclass(frozen=True)
class Comment:
    """A comment; `source` is its key within the study.

    `question` is the key of a judging question or of a form field.
    """

    kind: str
    source: str
    text: str
    assignment: int
    item: int | None = None
    instrument: int | None = None
    question: str = ""
    position: int | None = None


def page_comments(study: Study) -> "QuerySet[Presentation]":
    """Return the pages with a comment, leaving out withdrawn work."""
    rows = Presentation.objects.filter(assignment__study=study).exclude(comment="")
    return rows.exclude(assignment__state=Assignment.State.WITHDRAWN)


def reasons(study: Study) -> "QuerySet[Judgment]":
    """Return participants' answers with a reason, leaving out withdrawn work."""
    rows = Judgment.objects.filter(assignment__study=study).exclude(comment="")
    return rows.exclude(assignment__state=Assignment.State.WITHDRAWN)


def text_fields(study: Study, form: str) -> dict[str, str]:
    """Return the labels of the text fields of the entry or exit form, by key."""
    spec: Sequence[dict[str, Any]] = getattr(study, f"{form}_form")
    return {field["key"]: field["label"] for field in spec if field["kind"] == "text"}


def form_comments(study: Study, *, words: str = "") -> "QuerySet[Assignment]":
    """Return the assignments with a text in a form, optionally containing given words."""
    rows = Assignment.objects.filter(study=study).exclude(state=Assignment.State.WITHDRAWN)
    fields = [f"{form}_answers__{key}" for form in FORMS for key in text_fields(study, form)]
    if words:
        wheres = [Q(**{f"{field}__icontains": words}) for field in fields]
    else:
        wheres = [Q(**{f"{field}__isnull": False}) for field in fields]
    return rows.filter(reduce(or_, wheres)) if wheres else rows.none()


def form_texts(study: Study, work: Assignment) -> list[tuple[str, str, str, str]]:
    """Return the texts of an assignment's forms as (form, key, label, text)."""
    answers = {"entry": work.entry_answers, "exit": work.exit_answers}
    return [
        (form, key, label, text)
        for form in FORMS
        for key, label in text_fields(study, form).items()
        if (text := answers[form].get(key))
    ]


def has_comments(study: Study) -> bool:
    return any(
        rows.exists() for rows in (page_comments(study), reasons(study), form_comments(study))
    )


def comments_of(
    study: Study, *, kinds: Collection[str] = frozenset(Kind.values)
) -> Iterator[Comment]:
    """Yield comments on pages, reasons, form texts and utterances, each sorted by assignment."""
    if Kind.PAGE in kinds:
        yield from _on_pages(study)
    if Kind.REASON in kinds:
        yield from _as_reasons(study)
    if {Kind.ENTRY, Kind.EXIT} & set(kinds):
        for work in form_comments(study).order_by("pk").iterator():
            for form, key, _, text in form_texts(study, work):
                if form in kinds:
                    yield Comment(form, f"{form}:{work.pk}:{key}", text, work.pk, question=key)
    if Kind.UTTERANCE in kinds:
        yield from _spoken(study)


def _on_pages(study: Study) -> Iterator[Comment]:
    rows = page_comments(study).order_by("assignment", "position")
    names = ("pk", "comment", "assignment", "item", "instrument", "position")
    for pk, text, work, item, instrument, position in rows.values_list(*names).iterator():
        yield Comment(
            "page", f"page:{pk}", text, work, item=item, instrument=instrument, position=position
        )


def _as_reasons(study: Study) -> Iterator[Comment]:
    at = ("assignment", "item", "instrument", "position")
    pages = Presentation.objects.filter(assignment__in=reasons(study).values("assignment"))
    positions = {tuple(place): position for *place, position in pages.values_list(*at)}
    rows = reasons(study).order_by("assignment", "question__position", "pk")
    names = ("pk", "comment", "assignment", "item", "question__instrument", "question__key")
    for pk, text, work, item, instrument, question in rows.values_list(*names).iterator():
        yield Comment(
            "reason",
            f"reason:{pk}",
            text,
            work,
            item=item,
            instrument=instrument,
            question=question,
            position=positions.get((work, item, instrument)),
        )


def _spoken(study: Study) -> Iterator[Comment]:
    """Yield the utterances of sessions, each with the page at which it was said."""
    sessions = ModeratedSession.objects.filter(assignment__study=study)
    for session in sessions.select_related("assignment").order_by("assignment"):
        for row, visit in utterances_with_pages(session):
            yield Comment(
                "utterance",
                f"utterance:{session.pk}:{row.position}",
                f"{row.speaker}: {row.text}" if row.speaker else row.text,
                session.assignment_id,
                item=visit.item if visit else None,
                instrument=visit.instrument if visit else None,
                position=visit.position if visit else None,
            )


def items_of(study: Study) -> "QuerySet[Item]":
    """Return the items, including checks, that have a comment, a reason or a coded unit."""
    pages, answers = page_comments(study).values("item"), reasons(study).values("item")
    coded = CodingUnit.objects.filter(coding__study=study).values("item")
    return Item.every.filter(Q(pk__in=pages) | Q(pk__in=answers) | Q(pk__in=coded))
