"""A document becomes a study: its launch, and a look at what that would be."""

from datetime import date, datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext

from annotation import signals
from annotation.models import Batch, Corpus, Draft, Study
from annotation.people.access import record, sharing
from annotation.studies import batching, extending
from annotation.studies.batching import NotReady
from annotation.studies.creating import RefusedSetting, StudyExists
from annotation.studies.drafts import saving
from annotation.studies.drafts.columns import PATHS
from annotation.studies.drafts.faults import faults_of
from annotation.studies.drafts.kinds import decoded, kind_of
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.workload import outline_or_why
from annotation.studies.instruments import BadInstrument, Fault
from annotation.studies.setting_retention import data_kinds, promise
from annotation.texts.translation import translated_error

MAX_PLACES = 100_000  # each is a row, which the launch makes while somebody waits


class HasFaults(ValueError):
    """The draft cannot be launched as it is; `faults` say where and why."""

    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults
        super().__init__("\n".join(fault.sentence for fault in faults))


class DraftChanged(ValueError):
    """Somebody has changed the draft after what would be launched was looked at."""

    def __init__(self) -> None:
        super().__init__(gettext("The draft just changed. Check it again."))


class BadPilot(ValueError):
    """A pilot of so many tasks leaves nothing for the rest, or is none."""


@transaction.atomic
def launch(
    *, draft: Draft, revision: int, user: User | None, now: datetime, pilot: int = 0
) -> Study:
    """Make the study of a draft, as it was looked at, and let workers in; once. Its trials end.

    With a `pilot` of so many tasks the others wait as a planned batch. Raises saving.DraftClosed
    where it is launched already, Changed, HasFaults, BadPilot; then nothing is made.
    """
    current = saving.locked(draft)
    if current.revision != revision:
        raise DraftChanged
    study = make_study(draft=current, user=user)
    try:
        waiting = [_cut(study, pilot)] if pilot else []
        launched = batching.launch(study=study, now=now, waiting=waiting)
    except NotReady as error:
        raise HasFaults([Fault("", translated_error(error))]) from error
    Draft.objects.filter(pk=current.pk).update(study=launched)
    signals.launched.send(sender=Study, draft=current, study=launched, user=user, now=now)
    _promise(launched, decoded(current.document), user)
    summary = f"version {launched.version}, {launched.pay:.2f} {launched.currency} for one task"
    summary += f", a pilot of {pilot} first" if pilot else ""
    record(user=user, act="launched a study", what=summary, of=launched)
    return launched


def _promise(study: Study, document: Document, user: User | None) -> None:
    """Say until when data are kept, before anybody consents."""
    days = days_of(document, study)
    if any(days.values()):
        promise(study=study, until=days, user=user)


def days_of(document: Document, study: Study) -> dict[str, date | None]:
    """Through which day each sort of data is kept that the study may have."""
    return {name: getattr(document.retention, f"{name}_until") for name in data_kinds(study)}


def _cut(study: Study, tasks: int) -> Batch:
    """Cut a pilot of so many tasks off; return what waits. Raises BadPilot."""
    main = study.batches.filter(onboarding=False).order_by("number")[0]
    try:
        return extending.split_pilot(batch=main, tasks=tasks)[1]
    except RefusedSetting as error:
        raise BadPilot(error.reasons) from error


@transaction.atomic
def make_study(*, draft: Draft, user: User | None) -> Study:
    """Make the study of a draft with its draft batches, not yet open. Raises HasFaults."""
    document = without_faults(draft=draft, user=user)
    study = written_study(document, user=user, new_version=draft.base_id is not None)
    sharing.move(study=study, team=draft.team)
    return study


def without_faults(*, draft: Draft, user: User | None) -> Document:
    """Return the document of a draft that can be launched. Raises HasFaults."""
    document = decoded(draft.document)
    if faults := faults_of(document, draft=draft):
        raise HasFaults(faults)
    if not saving.may_use(document.corpus, user=user, base=draft.base):
        raise HasFaults(
            [
                Fault(
                    "corpus",
                    gettext("Corpus {corpus!r} no longer exists.").format(corpus=document.corpus),
                )
            ]
        )
    corpus = Corpus.objects.there().get(slug=document.corpus)  # faults_of has looked for it
    outline, _ = outline_or_why(document, corpus)
    if outline and outline.places > MAX_PLACES:
        sentence = gettext("This study has {places} places. The limit is {limit}.")
        sentence = sentence.format(places=f"{outline.places:,}", limit=f"{MAX_PLACES:,}")
        raise HasFaults([Fault("design", sentence)])
    hidden = [
        Fault(path, saving.no_study(name))
        for path, name in saving.sources_of(draft.document)
        if not saving.may_draw_on(name, user=user)
    ]
    if hidden:
        raise HasFaults(hidden)
    return document


def written_study(document: Document, *, user: User | None, new_version: bool) -> Study:
    """Make the study of a document with its draft batches. Raises HasFaults."""
    kind = kind_of(document.kind)
    corpus = Corpus.objects.there().get(slug=document.corpus)  # faults_of has looked for it
    try:
        return kind.write(document=document, corpus=corpus, user=user, new_version=new_version)
    except RefusedSetting as error:
        raise HasFaults([Fault(_place(error.name), error.reasons)]) from error
    except (StudyExists, BadInstrument) as error:
        raise HasFaults([Fault("instruments", translated_error(error))]) from error
    except kind.refusals as error:
        raise HasFaults([Fault("instruments", translated_error(error))]) from error


def _place(name: str) -> str:
    return PATHS.get(name, name.replace("onboarding_", "onboarding/"))
