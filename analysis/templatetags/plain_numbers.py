"""Numbers with up to six digits: `{{ value|plain_number }}`."""

import math

from django import template

register = template.Library()


@register.filter
def plain_number(value: float | None) -> str:
    """Return a number with at most six significant digits, a dash where there is none."""
    if value is None or not math.isfinite(value):
        return "–"
    return f"{value:.6g}".replace("-", "−")
