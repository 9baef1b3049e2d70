"""Whether a link opens on this computer alone, and otherwise its QR code."""

from django import template
from django.conf import settings
from django.utils.translation import gettext

from annotation import reach

register = template.Library()
register.filter("opens_here_alone", reach.opens_here_alone)
register.filter("qr_code", reach.qr_code)


@register.simple_tag
def how_others_get_in() -> str:
    """Empty where other computers can open the addresses of this server."""
    return gettext(reach.HOW_OTHERS_GET_IN) if reach.opens_here_alone(settings.PUBLIC_URL) else ""
