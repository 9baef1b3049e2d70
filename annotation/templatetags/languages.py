"""Words of the scripts on pages that are not English (static/js/words.js)."""

from functools import cache

from django import template
from django.conf import settings
from django.utils.html import json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation.trans_real import DjangoTranslation
from django.views.i18n import JavaScriptCatalog

register = template.Library()


@register.simple_tag
def script_words() -> SafeString:
    """Return the scripts' translations as data: nothing in it runs."""
    return _table(get_language() or settings.LANGUAGE_CODE)


@cache
def _table(language: str) -> SafeString:
    if language.startswith("en"):
        return SafeString("")
    catalogue = JavaScriptCatalog()
    catalogue.translation = DjangoTranslation(
        language, domain="djangojs", localedirs=[str(path) for path in settings.LOCALE_PATHS]
    )
    return json_script(catalogue.get_catalog(), "words")
