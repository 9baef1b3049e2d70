"""Times on pages: in UTC, until static/js/moments.js converts them to the reader's zone."""

from datetime import date, datetime

from django import template
from django.utils.dateformat import format as formatted
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def moment(value: datetime | date | None, form: str) -> SafeString | str:
    """Return a moment as a `<time>` element; a day without a time, which has no zone, as words."""
    if not isinstance(value, date):
        return ""
    if not isinstance(value, datetime):
        return formatted(value, form)
    return format_html('<time datetime="{}">{}</time>', value.isoformat(), formatted(value, form))
