"""Changes of a draft that its participants see. Only reads.

Pay, numbers of places and what only researchers see change no page, so nobody has to try the draft
again for them.
"""

from copy import deepcopy
from typing import Any

from annotation.models import Draft
from annotation.studies.drafts.saving import document_at

# The way people come is another one in a trial, which has no onboarding either.
UNSEEN_PARTS = ("slug", "recruitment", "onboarding", "quality", "retention")
UNSEEN_OF_DESIGN = ("topics", "seed")  # how much of the corpus, and which
UNSEEN_DEFAULTS = ("quota", "minutes", "minimum_seconds")


def is_met_otherwise(draft: Draft, *, than: int) -> bool:
    """Return whether the pages differ from those of an earlier revision."""
    return draft.revision > than and _met(draft.document) != _met(document_at(draft, than))


def _met(document: Any) -> Any:
    met = deepcopy(document)
    for name in UNSEEN_PARTS:
        met.pop(name, None)
    for name in UNSEEN_OF_DESIGN:
        met["design"].pop(name, None)
    for instrument in met["instruments"]:
        for name in UNSEEN_DEFAULTS:
            instrument["defaults"].pop(name, None)
    return met
