"""Names of responses and passages on pages; a key only where there is no name."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext

from annotation.models import Passage, Response
from annotation.models.corpus import Origin, Style
from annotation.texts.sentences import marked

WRITERS = {Origin.HUMAN: marked("Human writer"), Origin.LLM: marked("Language model")}
STYLES = dict(Style.choices)  # looked up quicker than get_style_display does for each of a list


def text_name(system: str | None, origin: str, style: str) -> str:
    """Return the name of a response that was read as plain values."""
    who = gettext(WRITERS[Origin(origin)]) if system is None else system
    return f"{who}, {str(STYLES.get(style, style)).lower()}"


def response_name(response: Response) -> str:
    """Return the system or origin, and the style, of a response; never its key."""
    system = response.system.name if response.system else None
    return text_name(system, response.origin, response.style)


def names_of_responses(pks: Iterable[int]) -> dict[int, str]:
    rows: Any = Response.objects.filter(pk__in=pks)
    rows = rows.values_list("pk", "system__name", "origin", "style")
    return {pk: text_name(*who) for pk, *who in rows}


def names_of_passages(pks: Iterable[int]) -> dict[int, str]:
    """Return the titles of passages, or their keys."""
    rows = Passage.objects.filter(pk__in=pks).values_list("pk", "title", "key")
    return {pk: title or key for pk, title, key in rows}
