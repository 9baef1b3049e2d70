"""Whether a link opens on this computer alone, and otherwise its QR code."""

from django import template

from annotation import reach

register = template.Library()
register.filter("opens_here_alone", reach.opens_here_alone)
register.filter("qr_code", reach.qr_code)
