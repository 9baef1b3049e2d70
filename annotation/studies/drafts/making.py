"""Making drafts: from methods, from a study, from a file; a new version; deleting for a day."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.utils.text import slugify

from annotation import signals, wiping
from annotation.models import Corpus, Draft, Keeping, Study
from annotation.people.access import record, sharing
from annotation.studies.drafts import paths, saving
from annotation.studies.drafts.changes import DraftChange, do
from annotation.studies.drafts.columns import put_columns
from annotation.studies.drafts.estimates import suggested_minutes, work_in
from annotation.studies.drafts.kinds import Outline, decoded, kind_of
from annotation.studies.drafts.method_texts import as_method
from annotation.studies.drafts.plain_data import plain, require_short, require_small
from annotation.studies.drafts.recruitment_schema import Recruitment
from annotation.studies.drafts.schema import (
    SETTINGS,
    Design,
    Document,
    Onboarding,
    Quality,
    Retention,
)
from annotation.studies.wages import pay_for

SLOWEST = 2  # times careful work is left to those who need longest
KEPT = timedelta(days=1)  # how long a deletion can be undone


@transaction.atomic
def make_draft(
    *,
    document: Document,
    user: User | None,
    now: datetime,
    base: Study | None = None,
) -> Draft:
    """Make a draft, without a corpus and other studies that the user may not see.

    Raises BadDocument.
    """
    whole = plain(decoded(plain(document)))
    require_short(whole)
    require_small(whole)
    if not saving.may_use(whole["corpus"], user=user, base=base):
        whole["corpus"] = ""
    for path, name in saving.sources_of(whole):
        if Study.objects.named(name).exists() and not saving.may_draw_on(name, user=user):
            do(whole, DraftChange("set", path, ""))
    draft = Draft(document=whole, base=base, created_by=user, created_at=now, changed_at=now)
    saving.set_columns(draft)
    draft.save()
    if user:
        sharing.begin(of=draft, owners=[user])
    return draft


def document_of_methods(
    *,
    kind: str,
    instruments: Sequence[msgspec.Struct],
    title: str = "",
    corpus: Corpus | None,
    language: str = Study.Language.EN,
) -> Document:
    """Return a new document with methods of a kind in a language."""
    limits = [kind_of(kind).time_limit(instrument) for instrument in instruments]
    given_limits = [limit for limit in limits if limit is not None]
    recruitment = Recruitment()
    document = Document(
        kind=kind,  # type: ignore[arg-type]
        title=title,
        language=language,
        slug=slugify(title)[:80].strip("-"),
        corpus=corpus.slug if corpus else "",
        instruments=[
            as_method(instrument, platform=recruitment.platform) for instrument in instruments
        ],
        recruitment=recruitment,
        quality=Quality(time_limit_minutes=max(given_limits)) if given_limits else Quality(),
    )
    return decoded(plain(document))


def as_suggested(document: Document, outline: Outline | None) -> Document:
    """Return the document with minutes, least time, time limit and pay for the estimated work.

    For writing the least time keeps its share of the minutes, since fast writers read less.
    """
    work = work_in(outline) if outline else None
    if work is not None and len(document.instruments) == 1:
        (instrument,) = document.instruments
        usual = instrument["defaults"]
        minutes = suggested_minutes(work, usual=usual["minutes"])
        seconds = work.least_seconds
        if work.writing:
            seconds = round(usual["minimum_seconds"] * minutes / usual["minutes"])
        figures = {"minutes": minutes, "minimum_seconds": seconds}
        limit = max(document.quality.time_limit_minutes, SLOWEST * minutes)
        document = msgspec.structs.replace(
            document,
            instruments=[instrument | {"defaults": instrument["defaults"] | figures}],
            quality=msgspec.structs.replace(document.quality, time_limit_minutes=limit),
        )
    return _with_suggested_pay(document)


def _with_suggested_pay(document: Document) -> Document:
    recruitment = document.recruitment
    minutes = document.minutes
    pay = pay_for(minutes=minutes, wage=recruitment.hourly_wage)
    return msgspec.structs.replace(
        document, recruitment=msgspec.structs.replace(recruitment, pay=pay)
    )


def document_of(study: Study) -> Document:
    """Return the document of a study: the launched draft, or one rebuilt from its records."""
    draft = Draft.objects.filter(study=study).first()
    if draft is not None:
        return decoded(draft.document)
    kind = kind_of(study.kind)
    document = Document(
        kind=study.kind,  # type: ignore[arg-type]
        corpus=study.corpus.slug,
        instruments=[plain(instrument) for instrument in kind.instruments_of(study)],
        design=Design(
            topics=kind.topics_of(study),
            systems=kind.systems_of(study),
            chosen_topics=kind.chosen_topics_of(study),
        ),
        onboarding=_onboarding(study),
        retention=_retention(study),
    )
    data = plain(document)
    put_columns(data, study)
    return decoded(data)


def public_document_of(study: Study) -> Document:
    """Return the document of a study without secret bank entries."""
    return public(document_of(study))


def public(document: Document) -> Document:
    """Return a document without secret bank entries."""
    return decoded(kind_of(document.kind).public(plain(document)))


def _retention(study: Study) -> Retention:
    keeping = Keeping.objects.filter(study=study).first()
    names = Retention.__struct_fields__
    return Retention(**{name: getattr(keeping, name) for name in names}) if keeping else Retention()


def _onboarding(study: Study) -> Onboarding:
    batch = study.batches.filter(onboarding=True).first()
    if batch is None:
        return Onboarding()
    quotas = batch.tasks.values_list("quota", flat=True)
    return Onboarding(
        topics=len(quotas), writers=max(quotas, default=10), accepted=study.onboarding_tasks
    )


def make_version(*, study: Study, user: User | None, now: datetime) -> Draft:
    """Make a draft of the next version of a study."""
    return make_draft(document=document_of(study), user=user, now=now, base=study)


def make_copy(*, study: Study, user: User | None, now: datetime, secret: bool = True) -> Draft:
    """Make a draft of another study like this one, with new codes and a new address.

    Without `secret` it lacks the secret entries of banks.
    """
    data = plain(document_of(study) if secret else public_document_of(study))
    slug = free_slug(f"{data['slug']}-copy")
    for setting in SETTINGS.values():
        if not setting.copied:
            paths.put(data, setting.path, plain(setting.default))
    data |= {"title": f"Copy of {data['title']}"[:200], "slug": slug}
    copy = decoded(data)
    return make_draft(document=copy, user=user, now=now)


def free_slug(wanted: str) -> str:
    """Return the link name, with a number where a study has it already."""
    taken = set(Study.objects.values_list("slug", flat=True))
    names = [wanted[:76], *(f"{wanted[:76]}-{n}" for n in range(2, len(taken) + 3))]
    return str(next(name for name in names if name not in taken))


@transaction.atomic
def delete(*, draft: Draft, user: User | None, now: datetime) -> None:
    """Take a draft out of every list; it can be brought back for a day. Raises DraftClosed."""
    current = saving.locked(draft)
    signals.deleting.send(sender=Draft, of=current)
    Draft.objects.filter(pk=current.pk).update(deleted_at=now)
    record(user=user, act="deleted a draft", what=str(current), of=current)


@transaction.atomic
def restore(*, draft: Draft, user: User | None, now: datetime) -> bool:
    """Bring a deleted draft back; whether it was still there."""
    deleted = Draft.objects.filter(pk=draft.pk, deleted_at__gt=now - KEPT)
    if not deleted.update(deleted_at=None):
        return False
    record(user=user, act="restored a draft", what=str(draft), of=draft)
    return True


@transaction.atomic
def forget_deleted(*, now: datetime) -> int:
    """Erase the drafts whose deletion can no longer be undone; return how many."""
    expired = Draft.objects.filter(deleted_at__lte=now - KEPT)
    count = expired.count()
    if count:
        expired.delete()
        wiping.mark_erasure()
    return count
