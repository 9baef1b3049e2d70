"""What every kind of study has in common before it is launched: the draft, and its batches."""

import re
from typing import Any

from annotation.models import Batch, Corpus, Study

CONTACT = re.compile(r"\*\*\[Researcher:[^\]]*\]\*\*")


def draft_study(
    *,
    slug: str,
    title: str,
    kind: Study.Kind,
    corpus: Corpus,
    consent: str,
    seed: int,
    contact: str = "",
    **settings: Any,
) -> Study:
    """Make a draft. `contact` (who runs it, and where they can be reached) takes the place that
    the consent text leaves for it; `settings` are further fields of Study."""
    settings.setdefault("completion_code", f"CW-{seed % 10**6:06d}")
    return Study.objects.create(
        slug=slug,
        title=title,
        kind=kind,
        corpus=corpus,
        consent=CONTACT.sub(lambda bracket: contact or bracket[0], consent),
        seed=seed,
        **settings,
    )


def next_batch(*, study: Study, name: str, onboarding: bool = False) -> Batch:
    """A further draft batch of a study."""
    last = study.batches.order_by("-number").first()
    return Batch.objects.create(
        study=study,
        number=last.number + 1 if last else 1,
        name=name,
        onboarding=onboarding,
        closes_when_full=not onboarding,
    )
