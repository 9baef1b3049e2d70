"""Django's `floatformat` for every template (settings.TEMPLATES): what people read has one minus
sign, U+2212, which is as wide as a plus; files, forms and programs have the hyphen."""

from typing import Any

from django import template
from django.template import defaultfilters

MINUS = "−"
register = template.Library()


def with_minus(figures: str) -> str:
    """Figures as they are written down, for people; what is rounded to nothing has no sign."""
    if not figures.startswith("-"):
        return figures
    return MINUS + figures[1:] if any(each in "123456789" for each in figures) else figures[1:]


@register.filter(is_safe=True)
def floatformat(value: Any, digits: Any = -1) -> str:
    """As Django's, with the minus sign."""
    return with_minus(str(defaultfilters.floatformat(value, digits)))
