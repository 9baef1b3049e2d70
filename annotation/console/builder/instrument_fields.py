"""Groups of the editor that all kinds of studies share: instructions, forms, screening."""

from dataclasses import replace
from typing import Any

import msgspec
from django.utils.translation import gettext

from annotation.console.builder.setting_fields import fields_of, part_fields
from annotation.studies.creating import CONTACT
from annotation.studies.drafts.editor_forms import Element, ElementList, Field, FieldGroup, listing
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.screening_schema import ScreeningAnswer, ScreeningQuestion
from annotation.studies.forms import FieldOption, FieldSpec


def instructions_group(struct: type[msgspec.Struct], at: str, one: dict[str, Any]) -> FieldGroup:
    """Return the texts that workers read first."""
    fields = part_fields(struct, one, at=at, form="instructions")
    return FieldGroup("instructions", one["title"], tuple(map(_with_contact, fields)))


def _with_contact(field: Field) -> Field:
    """Return the field, of a consent text with a note if the contact is filled in."""
    if field.screen != "consent" or not CONTACT.search(field.value):
        return field
    filled = gettext(
        "Participants see your “Name, institution and address” instead of “[Researcher: …]”."
    )
    return replace(field, hint=filled)


def form_listing(document: Any, path: str, title: str) -> ElementList:
    """Return the list of the fields of an entry or exit form."""
    return listing(document, path, title, "field", lambda at, one: _form_field(document, at, one))


def _form_field(document: Any, at: str, one: dict[str, Any]) -> Element:
    options = listing(
        document, f"{at}/options", gettext("Answers"), "answer", _form_option, dense=True
    )
    fields = part_fields(FieldSpec, one, at=at)
    return Element(at, one["label"], fields, (options,) if one["kind"] != "text" else ())


def _form_option(at: str, one: dict[str, Any]) -> Element:
    return Element(at, one["label"], part_fields(FieldOption, one, at=at))


def screening_groups(document: Document) -> list[FieldGroup]:
    data = plain(document)
    questions = listing(
        data,
        "screening/questions",
        gettext("Questions"),
        "question",
        lambda at, one: _screening_question(data, at, one),
    )
    return [
        FieldGroup(
            "forms",
            gettext("Screening"),
            fields_of("screening", document),
            (questions,),
            help=gettext(
                "A quiz after consent. Participants who fail every attempt can't continue."
            ),
        )
    ]


def _screening_question(data: Any, at: str, one: dict[str, Any]) -> Element:
    codes = [(option["code"], option["label"] or option["code"]) for option in one["options"]]
    label_by_code = dict(codes)
    choices = codes if one["right"] in label_by_code else [(one["right"], "–"), *codes]
    fields = part_fields(ScreeningQuestion, one, at=at, right={"choices": tuple(choices)})
    options = listing(
        data, f"{at}/options", gettext("Answers"), "answer", _screening_answer, dense=True
    )
    return Element(at, one["label"] or "New question", fields, (options,))


def _screening_answer(at: str, one: dict[str, Any]) -> Element:
    return Element(at, one["label"], part_fields(ScreeningAnswer, one, at=at))
