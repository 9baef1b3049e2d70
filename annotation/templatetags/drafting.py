"""Tags of the draft editor: IDs of places, values in fields, Markdown as workers see it."""

from collections.abc import Iterable
from typing import Any

from django import template
from django.utils.safestring import SafeString

from annotation.console.builder.annotated_sections import anchor_of, value_text
from annotation.fieldwork.work.placeholders import PLACEHOLDER, planned
from annotation.studies.creating import with_contact
from annotation.studies.drafts.editor_forms import Field
from annotation.studies.drafts.schema import Document
from annotation.templatetags.markdown import markdown
from annotation.texts.number_formats import money
from annotation.texts.task_times import time_sentence

register = template.Library()


@register.filter
def anchor(path: str) -> str:
    return anchor_of(path)


@register.filter
def described_by(field: Field) -> str:
    """Return the ids of what describes a field: below it, and in the panel about its section."""
    below = f"{anchor_of(field.path)}-more"
    return f"{below} {anchor_of(field.help_key)}" if field.help else below


@register.filter
def shown(value: Any) -> str:
    return value_text(value)


@register.filter
def told(value: Any) -> str:
    """As a design that is frozen tells it: of a third three digits, and not sixteen."""
    return f"{round(value, 3):g}" if isinstance(value, float) else value_text(value)


@register.filter
def is_told(fields: Iterable[Any]) -> bool:
    """Is there one to be read? What is empty is not shown."""
    return any(field.control == "yes" or value_text(field.value) for field in fields)


@register.filter
def as_read(text: str, document: Document) -> SafeString:
    """Markdown as the worker reads it, with the figures of the draft."""
    return markdown(with_figures(text, document), 2)


def with_figures(text: str, document: Document) -> str:
    """Return the text with {items}, {time}, {minutes} and {pay} as the draft has them."""
    defaults = [instrument.get("defaults", {}) for instrument in document.instruments]
    items = sum(default.get("items_per_questionnaire", 1) for default in defaults)
    hired = document.recruitment
    minutes = sum(default.get("minutes", 0) for default in defaults)
    time = time_sentence(minutes, None, language=document.language)
    figures = {"minutes": str(minutes), "time": time, "pay": money(hired.pay, hired.currency)}
    said_items = planned(items, language=document.language)
    filled = PLACEHOLDER.sub(lambda match: figures.get(match[1], said_items), text)
    if document.kind == "writing" and document.instruments:
        filled = filled.replace("{words}", str(document.instruments[0]["target_words"]))
    return with_contact(filled, document.contact)
