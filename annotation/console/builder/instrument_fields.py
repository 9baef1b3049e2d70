"""Fields of the editor that methods of all kinds share: consent, forms and export names."""

from typing import Any

from django.utils.translation import gettext

from annotation.studies.creating import CONTACT
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


def export_name(path: str, value: str) -> Field:
    """Return the field of a name for columns and values of exports."""
    return Field(
        path,
        gettext("Name in exports"),
        value,
        shapes=True,
        help=gettext("What it is called in files; workers do not see it."),
    )


def consent_field(at: str, one: dict[str, Any], *, help: str = "") -> Field:
    """Return the field of a consent text, with a note if the contact is filled in."""
    filled = gettext(
        "Workers do not read “[Researcher: …]”: what you say above, under “Name, institution and "
        "address”, stands in its place."
    )
    help_parts = (help, filled if CONTACT.search(one["consent"]) else "")
    return Field(
        f"{at}/consent",
        gettext("Consent"),
        one["consent"],
        "markdown",
        wide=True,
        screen="consent",
        help=" ".join(filter(None, help_parts)),
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
