"""What Check found last of a draft, for the pages that only lead there.

It holds for one revision, until somebody tries the draft or asks Plan: to look again on every page
would count a design again. Where it is not known, a page asks to check.
"""

from django.core.cache import cache

from annotation.models import Draft

KEPT_SECONDS = 7 * 24 * 60 * 60


def store_remarks(draft: Draft, remarks: int) -> None:
    """How many things to think about this revision has."""
    if remarks_in_cache(draft) != remarks:
        cache.set(_key(draft.pk), (draft.revision, remarks), KEPT_SECONDS)


def remarks_in_cache(draft: Draft) -> int | None:
    """How many there are; None where nobody has checked this revision, or not as it is now."""
    revision, remarks = cache.get(_key(draft.pk), (None, None))
    return remarks if revision == draft.revision else None


def forget(draft: int) -> None:
    cache.delete(_key(draft))


def _key(draft: int) -> str:
    return f"last-check:{draft}"
