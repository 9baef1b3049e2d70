"""What every kind of study has in common before it is launched: the draft, and its batches."""

import re
from typing import Any

from annotation.models import Batch, Corpus, Study
from annotation.recruiting.codes import missing_codes

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
    study = Study(
        slug=slug,
        title=title,
        kind=kind,
        corpus=corpus,
        consent=say_contact(consent, contact),
        seed=seed,
        **settings,
    )
    for name, code in missing_codes(study).items():
        setattr(study, name, code)
    study.save()
    return study


def say_contact(consent: str, contact: str) -> str:
    """Put who runs a study into the place that the consent text leaves for it."""
    return CONTACT.sub(lambda bracket: contact or bracket[0], consent)


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
