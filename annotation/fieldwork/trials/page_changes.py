"""Whether people meet something else than when a draft was tried. Only reads.

Pay, numbers of places and what only its researchers see change no page, so that who has tried it
need not try it again.
"""

from copy import deepcopy
from typing import Any

from annotation.models import Draft
from annotation.studies.drafts.saving import document_at

# The way people come is another one in a trial, which has no onboarding either.
BESIDE = ("slug", "recruitment", "onboarding", "quality", "retention")
DRAWN = ("topics", "seed")  # how much of the corpus, and which
OFFERED = ("quota", "minutes", "minimum_seconds")


def is_met_otherwise(draft: Draft, *, than: int) -> bool:
    """Whether the pages are other ones than those of that revision."""
    return draft.revision > than and _met(draft.document) != _met(document_at(draft, than))


def _met(document: Any) -> Any:
    met = deepcopy(document)
    for name in BESIDE:
        met.pop(name, None)
    for name in DRAWN:
        met["design"].pop(name, None)
    for instrument in met["instruments"]:
        for name in OFFERED:
            instrument["defaults"].pop(name, None)
    return met
