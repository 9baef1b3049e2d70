"""Links to guides: `{% guide "read-the-results#trust" %}` is an address, `learn_more` a link."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from annotation.console import page_guides
from annotation.guides import guide_url

register = template.Library()


@register.simple_tag
def guide(target: str) -> str:
    """Return the address of a guide or of its section."""
    return guide_url(target)


@register.simple_tag
def page_guide(url_name: str | None) -> str:
    """Return the address of the guide of a console page."""
    return page_guides.page_guide(url_name)


@register.simple_tag
def learn_more(target: str) -> SafeString:
    """Return a link *Learn more* to a guide or to its section, in a new tab."""
    return format_html(
        '<a class="learn-more" href="{}" target="_blank" rel="noopener">{}</a>',
        guide_url(target),
        gettext("Learn more"),
    )
