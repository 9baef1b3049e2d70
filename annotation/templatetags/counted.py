"""Numbers that lead to what they count: `{% counted n "work_list" study state="accepted" %}`."""

from decimal import Decimal
from functools import lru_cache
from urllib.parse import urlencode

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from annotation.models import Study
from annotation.texts.number_formats import money

register = template.Library()


@register.simple_tag
def counted(number: int | None, name: str, study: Study, **narrowed: object) -> SafeString | str:
    """Return the number as a link to the list of this name, filtered to as many rows.

    An unknown number is a dash, and 0 has no link.
    """
    if number is None:
        return "–"
    if not number:
        return "0"
    # By hand: a table of fifty rows has hundreds, and format_html escapes each number twice.
    address = escape(listed(name, study, **narrowed))
    shown = intcomma(number) if number >= 1000 else number
    return mark_safe(f'<a class="counted" href="{address}" data-counted="{number}">{shown}</a>')


@register.simple_tag
def summed(amount: Decimal, name: str, study: Study, **narrowed: object) -> SafeString | str:
    """Return an amount as a link to the list of which it is the total."""
    if not amount:
        return money(amount, study.currency)
    return format_html(
        '<a class="counted" href="{}" data-summed="{}">{}</a>',
        listed(name, study, **narrowed),
        amount,
        money(amount, study.currency),
    )


@register.simple_tag
def listed(name: str, study: Study, **narrowed: object) -> str:
    """Return the address of a filtered list of a study."""
    address = _address(name, study.slug, study.version)
    parameters = {key: value for key, value in narrowed.items() if value not in ("", None)}
    return f"{address}?{urlencode(parameters)}" if parameters else address


@lru_cache(maxsize=256)  # a table of fifty rows asks hundreds of times for a few
def _address(name: str, slug: str, version: int) -> str:
    return reverse(name, args=[slug, version])
