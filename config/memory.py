"""Memory of our processes: when they collect garbage, and the words that a server looks up once."""

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

MOST_WORDS = 20_000  # of all languages together, before a page fills in its values
NEW = 50_000  # objects before they are looked through; Python's own 700 are made by any page


def look_seldom() -> None:
    """Collect garbage rarely while a process starts, and not at all when it ends.

    Collection takes a tenth of the start, and a third of a second at the end.
    """
    gc.set_threshold(NEW)
    atexit.register(gc.freeze)


def settle() -> None:
    """Exclude everything loaded so far from garbage collection.

    Collection took half the time of a page that reads tens of thousands of texts.
    """
    gc.collect()
    gc.freeze()


@contextmanager
def uncollected() -> Iterator[None]:
    """Collect no garbage meanwhile: looking for it took a fifteenth of the corpus import.

    For bulk work that makes no cycles; its memory stays the same.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def remember_words() -> None:
    """Look each sentence up once in this process.

    English has no catalogue of ours: a sentence goes through those of every app of others, which do
    not have it either, and a page asks for hundreds.
    """
    from gettext import GNUTranslations

    from django.utils.translation.trans_real import DjangoTranslation

    once = lru_cache(maxsize=MOST_WORDS)(GNUTranslations.gettext)
    DjangoTranslation.gettext = once  # type: ignore[method-assign]
