"""Studies and batches before the launch, whatever their kind."""

import re
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext

from annotation.models import Batch, Corpus, Study
from annotation.people.access import sharing
from annotation.studies.completion_codes import missing_codes
from annotation.studies.drafts.schema import SETTINGS

NO_ROW = 0  # an id that the database gives to nothing
CONTACT = re.compile(r"\*\*\[Researcher:[^\]]*\]\*\*")


class RefusedSetting(ValueError):
    """No study can have this. `name` is the field, `reasons` are sentences."""

    def __init__(self, name: str, value: object, reasons: str) -> None:
        self.name, self.value, self.reasons = name, value, reasons
        super().__init__(
            gettext("{setting} can't be {value}: {reasons}").format(
                setting=name.replace("_", " ").capitalize(), value=value, reasons=reasons
            )
        )


class StudyExists(ValueError):
    """A study of this slug is there already, and no new version of it was asked for."""

    def __init__(self, study: Study) -> None:
        self.study = study
        super().__init__(gettext("Study {slug!r} already exists.").format(slug=study.slug))


@transaction.atomic
def draft_study(
    *,
    slug: str,
    title: str,
    kind: Study.Kind,
    corpus: Corpus,
    consent: str,
    seed: int,
    contact: str = "",
    new_version: bool = True,
    **settings: Any,
) -> Study:
    """Make a draft; where the slug is known, the next version of that study.

    `contact` (who runs it, and where they can be reached) takes the place that the consent text
    leaves for it; `settings` are further fields of Study. Who made it (`created_by`) owns it; a
    further version has the people of the others. Raises RefusedSetting, or StudyExists where the
    slug is known and no new version is wanted.
    """
    _check({"slug": slug, "title": title, "seed": seed, **settings})
    last = last_version(slug)
    if last is not None and not new_version:
        raise StudyExists(last)
    version = {"version": last.version + 1 if last else 1}
    study = _unsaved(
        slug=slug, title=title, seed=seed, kind=kind, corpus=corpus, **(version | settings)
    )
    study.consent = with_contact(consent, contact)
    study.save()
    if study.created_by:
        sharing.begin(of=study, owners=[study.created_by])
    return study


def imagined_study(
    *, slug: str, title: str, seed: int, consent: str, contact: str = "", **fields: Any
) -> Study:
    """Return an unsaved study as `draft_study` would make it. Raises RefusedSetting."""
    settings = {name: value for name, value in fields.items() if name not in ("kind", "corpus")}
    _check({"slug": slug, "title": title, "seed": seed, **settings})
    study = _unsaved(slug=slug, title=title, seed=seed, **fields)
    study.pk, study.consent = NO_ROW, with_contact(consent, contact)
    return study


def _unsaved(**fields: Any) -> Study:
    study = Study(**fields)
    for name, code in missing_codes(study).items():
        setattr(study, name, code)
    return study


def last_version(slug: str) -> Study | None:
    return Study.objects.filter(slug=slug).order_by("-version").first()


def draft_of(slug: str) -> Study | None:
    """Return the last version of a study if it is not launched."""
    last = last_version(slug)
    return last if last is not None and last.launched_at is None else None


def _check(fields: dict[str, Any]) -> None:
    """Raise RefusedSetting with the first setting that no study can have."""
    others = {field.name for field in Study._meta.fields} - set(fields)
    try:
        Study(**fields).clean_fields(exclude=others)
    except ValidationError as error:
        name, reasons = next(iter(error.message_dict.items()))
        raise RefusedSetting(name, fields[name], " ".join(reasons)) from error
    most_tasks = SETTINGS["recruitment/tasks_per_worker"]
    if most_tasks.is_outside(number := fields.get("tasks_per_worker")):
        raise RefusedSetting("tasks_per_worker", number, gettext(most_tasks.if_outside))


def with_contact(consent: str, contact: str) -> str:
    """Put who runs a study into the place that the consent text leaves for it."""
    return CONTACT.sub(lambda bracket: contact or bracket[0], consent)


def next_batch(*, study: Study, name: str, onboarding: bool = False) -> Batch:
    """Make a further draft batch of a study."""
    last = study.batches.order_by("-number").first()
    return Batch.objects.create(
        study=study,
        number=last.number + 1 if last else 1,
        name=name,
        onboarding=onboarding,
        closes_when_full=not onboarding,
    )
