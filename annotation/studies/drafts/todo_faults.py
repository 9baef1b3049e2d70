"""Faults of a draft that are open work, apart from wrong values.

A new draft lacks a title because nobody has come to it: that is a task, no error. Only reads.
"""

from collections.abc import Iterable

from annotation.models import Draft
from annotation.studies.drafts import paths
from annotation.studies.drafts.paths import MISSING
from annotation.studies.drafts.saving import recorded
from annotation.studies.instruments import Fault

LATEST = 200  # savings of a draft: what was touched before them counts as it came


def still_to_do(draft: Draft, faults: Iterable[Fault]) -> frozenset[str]:
    """Return the paths of faults where the value is empty or unchanged since the draft began."""
    at = {fault.path for fault in faults}
    blank = {path for path in at if _is_blank(paths.get(draft.document, path))}
    filled = at - blank
    if not filled or not draft.revision:
        return frozenset(at)
    latest = draft.revisions.order_by("-number")[:LATEST]
    touched = {
        done.now or done.path for draft_revision in latest for done in recorded(draft_revision)
    }
    return frozenset(blank | {path for path in filled if not _is_touched(path, touched)})


def _is_blank(value: object) -> bool:
    if isinstance(value, str):
        return not value.strip()
    return value is MISSING or value is None or value in ([], {})


def _is_touched(path: str, touched: Iterable[str]) -> bool:
    return any(
        one == path or one.startswith(f"{path}/") or path.startswith(f"{one}/") for one in touched
    )
