"""A server looks the words of its pages up once."""

from functools import lru_cache
from gettext import GNUTranslations

from django.utils.translation.trans_real import DjangoTranslation

MOST = 20_000  # sentences of all languages together: what a page fills into them is not among them


def remember_words() -> None:
    """From now on, in this process.

    English has no catalogue of ours: a sentence goes through those of every app of others, which do
    not have it either, and a page asks for hundreds.
    """
    once = lru_cache(maxsize=MOST)(GNUTranslations.gettext)
    DjangoTranslation.gettext = once  # type: ignore[method-assign]
