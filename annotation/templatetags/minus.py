"""Django's `floatformat` with the minus sign U+2212 for people, in every template.

Files, forms and programs keep the hyphen.
"""

from typing import Any

from django import template
from django.template import defaultfilters

from annotation.texts.number_formats import with_minus

register = template.Library()


@register.filter(is_safe=True)
def floatformat(value: Any, digits: Any = -1) -> str:
    """Format as Django does, with the minus sign."""
    return with_minus(str(defaultfilters.floatformat(value, digits)))
