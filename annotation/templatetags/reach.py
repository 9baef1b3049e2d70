"""True if a link opens on this computer alone, and otherwise its QR code."""

from django import template
from django.conf import settings
from django.utils.translation import gettext

from annotation import links

register = template.Library()
register.filter("opens_here_alone", links.opens_here_alone)
register.filter("qr_code", links.qr_code)


@register.simple_tag
def how_others_get_in() -> str:
    """Empty where other computers can open the addresses of this server."""
    return gettext(links.HOW_OTHERS_GET_IN) if links.opens_here_alone(settings.PUBLIC_URL) else ""
