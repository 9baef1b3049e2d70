"""How the fields of an entry or exit form are edited. Only reads."""

from typing import Any

from django.utils.translation import gettext

from annotation.console.builder.naming import export_name
from annotation.studies.drafts.editor_forms import (
    Element,
    ElementList,
    Field,
    listing,
    translated_choices,
)
from annotation.texts.sentences import marked

KINDS_OF_FIELDS = (
    ("choice", marked("one of a list")),
    ("scale", marked("one of an ordered list")),
    ("text", "a text"),
)


def form_listing(document: Any, path: str, title: str) -> ElementList:
    """Return the list of the fields of an entry or exit form."""
    return listing(document, path, title, "field", lambda at, one: _form_field(document, at, one))


def _form_field(document: Any, at: str, one: dict[str, Any]) -> Element:
    fields = (
        Field(f"{at}/label", gettext("Question"), one["label"], wide=True),
        Field(
            f"{at}/kind",
            gettext("Answered by"),
            one["kind"],
            "choice",
            choices=translated_choices(KINDS_OF_FIELDS),
            shapes=True,
        ),
        Field(f"{at}/required", gettext("It must be answered"), one["required"], "yes"),
        export_name(f"{at}/key", one["key"]),
    )
    options = listing(
        document, f"{at}/options", gettext("Answers"), "answer", _form_option, dense=True
    )
    return Element(at, one["label"], fields, (options,) if one["kind"] != "text" else ())


def _form_option(at: str, one: dict[str, Any]) -> Element:
    return Element(
        at,
        one["label"],
        (
            Field(f"{at}/label", gettext("Answer"), one["label"]),
            Field(f"{at}/code", gettext("Stored as"), one["code"], shapes=True),
        ),
    )
