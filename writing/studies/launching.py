"""A writing study made from its document, with its onboarding and its other tasks."""

from django.contrib.auth.models import User
from django.db import transaction

from annotation.drafts.faults import settings_of
from annotation.drafts.kinds import StudyKind, instruments_of, register
from annotation.drafts.schema import Document
from annotation.models import Corpus, Study
from writing.instruments import files
from writing.studies import documents
from writing.studies.designing import (
    NothingToWrite,
    create_study,
    write_onboarding,
    write_tasks,
)
from writing.studies.topics import draw_topics, texts_to_accept


@transaction.atomic
def write(*, document: Document, corpus: Corpus, user: User | None, new_version: bool) -> Study:
    """Raises BadSetting, NothingToWrite, StudyExists."""
    instrument: files.Instrument = instruments_of(document)[0]
    first, seed = document.onboarding, document.design.seed
    styles = [each.style for each in instrument.styles]
    drawn = draw_topics(
        corpus=corpus, seed=seed, topics=document.design.topics, onboarding_topics=first.topics
    )
    study = create_study(
        corpus=corpus,
        instrument=instrument,
        onboarding_tasks=texts_to_accept(
            onboarding_topics=first.topics, accepted=first.accepted if first.topics else None
        ),
        created_by=user,
        contact=document.contact,
        new_version=new_version,
        **settings_of(document),
    )
    if first.topics:
        write_onboarding(study=study, topics=drawn.onboarding, styles=styles, writers=first.writers)
    write_tasks(study=study, topics=drawn.main, styles=styles, quota=instrument.defaults.quota)
    return study


def register_kind() -> None:
    register(
        Study.Kind.WRITING,
        StudyKind(
            instrument=files.Instrument,
            available=files.available,
            load=files.load,
            faults=documents.faults,
            write=write,
            refusals=(NothingToWrite,),
            instruments_of=documents.made_from,
            topics_of=documents.topics_of,
            read=documents.read,
            time_limit=lambda each: each.defaults.time_limit_minutes,  # type: ignore[attr-defined]
        ),
    )
