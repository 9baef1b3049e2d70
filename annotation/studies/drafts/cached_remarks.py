"""Last findings of *Check* for a draft, for pages that only link there.

It holds for one revision, until somebody tries the draft or asks Plan: to look again on every page
would count a design again. Where it is not known, a page asks to check.
"""

from django.core.cache import cache

from annotation.models import Draft

KEPT_SECONDS = 7 * 24 * 60 * 60


def store_remarks(draft: Draft, remarks: int) -> None:
    """Store the number of remarks on this revision."""
    if remarks_in_cache(draft) != remarks:
        cache.set(_key(draft.pk), (draft.revision, remarks), KEPT_SECONDS)


def remarks_in_cache(draft: Draft) -> int | None:
    """Return the number of remarks; None if this revision was not checked as it is now."""
    revision, remarks = cache.get(_key(draft.pk), (None, None))
    return remarks if revision == draft.revision else None


def forget(draft: int) -> None:
    cache.delete(_key(draft))


def _key(draft: int) -> str:
    return f"last-check:{draft}"
