"""The rail of places on the left of every page of a study (annotation/console/rail.py)."""

from typing import Any

from django import template

from annotation.console import rail as places
from annotation.models import Draft, Study

register = template.Library()


@register.inclusion_tag("console/_rail.html", takes_context=True)
def rail(context: dict[str, Any], thing: Study | Draft) -> dict[str, Any]:
    if isinstance(thing, Draft):
        return {"entries": places.of_draft(thing)}
    match = context["request"].resolver_match
    return {"entries": places.of_study(thing, match.url_name if match else "")}
