"""Form of the questions before the work. Only reads."""

from typing import Any

from django.utils.translation import gettext

from annotation.console.builder.setting_fields import fields_of
from annotation.studies.drafts.editor_forms import Element, Field, FieldGroup, listing
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.schema import Document


def screening_groups(document: Document) -> list[FieldGroup]:
    data = plain(document)
    questions = listing(
        data,
        "screening/questions",
        gettext("Questions"),
        "question",
        lambda at, one: _question(data, at, one),
    )
    return [
        FieldGroup(
            "forms",
            gettext("Screening"),
            fields_of("screening", document),
            (questions,),
            help=gettext(
                "Quiz shown after consent. Participants who score below the pass mark in all "
                "attempts can't continue. Right answers are never shown."
            ),
        )
    ]


def _question(data: Any, at: str, one: dict[str, Any]) -> Element:
    codes = [(option["code"], option["label"] or option["code"]) for option in one["options"]]
    label_by_code = dict(codes)
    choices = codes if one["right"] in label_by_code else [(one["right"], "–"), *codes]
    fields = (
        Field(f"{at}/label", gettext("Question"), one["label"], wide=True),
        Field(f"{at}/right", gettext("Right is"), one["right"], "choice", choices=tuple(choices)),
        Field(f"{at}/key", gettext("Name"), one["key"], shapes=True),
    )
    options = listing(data, f"{at}/options", gettext("Answers"), "answer", _answer, dense=True)
    return Element(at, one["label"] or "New question", fields, (options,))


def _answer(at: str, one: dict[str, Any]) -> Element:
    return Element(
        at,
        one["label"],
        (
            Field(f"{at}/label", gettext("Answer"), one["label"], shapes=True),
            Field(f"{at}/code", gettext("Stored as"), one["code"], shapes=True),
        ),
    )
