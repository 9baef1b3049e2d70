"""Django's `floatformat` for every template (settings.TEMPLATES): what people read has one minus
sign, U+2212, which is as wide as a plus; files, forms and programs have the hyphen."""

from typing import Any

from django import template
from django.template import defaultfilters

from annotation.texts.figures import with_minus

register = template.Library()


@register.filter(is_safe=True)
def floatformat(value: Any, digits: Any = -1) -> str:
    """As Django's, with the minus sign."""
    return with_minus(str(defaultfilters.floatformat(value, digits)))
