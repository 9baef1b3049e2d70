"""Simulations: a simulated crowd answers a copy of a draft, so that its analysis can be seen.

1. `ask` notes one; asked twice it is one.
2. A worker process takes it by a guarded UPDATE (`work_on`), makes the copy, lets the crowd answer
   and closes it, which starts the analysis.
3. A simulation of a killed process is taken again (`left`) and goes on where it stopped, at most
   MAX_ATTEMPTS times.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext

from annotation.clock import database_now
from annotation.corpora.systems import topics_of
from annotation.fieldwork.trials.making import tried
from annotation.models import Batch, Corpus, Draft, Place, Simulation, Study
from annotation.people.access import sharing
from annotation.people.notifying import STOPPED, WorkEnd
from annotation.studies import batching
from annotation.studies.creating import RefusedSetting
from annotation.studies.drafts.kinds import Crowd, decoded, kind_of
from annotation.studies.drafts.launching import HasFaults, without_faults, written_study
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.workload import outline_of
from annotation.studies.instruments import BadInstrument, Fault

State = Simulation.State
SIMULATION_LIFETIME = timedelta(days=3)
MAX_PLACES_BY_KIND = {"judging": 300, "writing": 24}  # of a copy: minutes of a worker's time
STALE = timedelta(minutes=2)  # without a word its worker has gone
MAX_ATTEMPTS = 3
FAILED = "The simulation failed three times. Delete it and try again."
Clock = Callable[[], datetime]


@transaction.atomic
def ask(
    *,
    draft: Draft,
    user: User,
    competence: float,
    difference: float,
    now: datetime,
    workers: int | None = None,
) -> Simulation:
    """Return the simulation of a draft, a new one if there is none.

    Raises HasFaults for a draft that could not be launched.
    """
    current = Draft.objects.select_for_update(of=("self",)).get(pk=draft.pk)
    simulation = Simulation.objects.filter(draft=current).first()
    if simulation is not None:
        return simulation
    if current.study_id is None:
        without_faults(draft=current, user=user)
    return Simulation.objects.create(
        draft=current,
        revision=current.revision,
        document=current.document,
        user=user,
        workers=workers,
        competence=competence,
        difference=difference,
        made_at=now,
        touched_at=now,
        expires_at=now + SIMULATION_LIFETIME,
    )


def left(*, now: datetime) -> list[int]:
    """Return the simulations that no process works on."""
    return list(Simulation.objects.filter(_free(now)).values_list("pk", flat=True))


def end_of(pk: int) -> WorkEnd | None:
    """Return how a simulation ended; None while it continues."""
    simulation = Simulation.objects.filter(pk=pk).first()
    if simulation is None:
        return STOPPED
    if simulation.is_under_way:
        return None
    return WorkEnd(simulation.touched_at, failed=simulation.state == State.FAILED)


def _free(now: datetime) -> Q:
    return Q(state=State.WAITING) | Q(state=State.WORKING, touched_at__lt=now - STALE)


def work_on(*, pk: int, clock: Clock = database_now) -> None:
    """Let the crowd answer, unless it is being done, done or deleted."""
    simulation = _take(pk, clock())
    if simulation is None:
        return
    mine = Simulation.objects.filter(pk=pk, state=State.WORKING)
    try:
        study = _copy_of(simulation, clock())
    except HasFaults as error:
        mine.update(state=State.FAILED, sentence=str(error))
        return
    crowd = _crowd(simulation, study)
    kind = kind_of(study.kind)
    for _ in kind.simulate(study=study, crowd=crowd, now=clock()):
        if not mine.update(touched_at=clock()):
            return  # deleted meanwhile
    with transaction.atomic():
        if mine.update(state=State.DONE, touched_at=clock()):
            for batch in Batch.objects.open().filter(study=study):
                batching.close_batch(batch=batch, now=clock())


def _take(pk: int, now: datetime) -> Simulation | None:
    free = Simulation.objects.filter(_free(now), pk=pk)
    if free.filter(attempts__gte=MAX_ATTEMPTS).update(state=State.FAILED, sentence=FAILED):
        return None
    simulation = free.first()
    if simulation is None:
        return None
    same = free.filter(attempts=simulation.attempts)
    if not same.update(state=State.WORKING, touched_at=now, attempts=simulation.attempts + 1):
        return None
    return simulation


@transaction.atomic
def _copy_of(simulation: Simulation, now: datetime) -> Study:
    """Return the open study of a simulation; the first attempt makes it. Raises HasFaults."""
    locked = Simulation.objects.select_for_update(of=("self",)).get(pk=simulation.pk)
    if locked.study_id:
        return Study.every.get(pk=locked.study_id)
    document = decoded(locked.document)
    corpus = Corpus.objects.there().filter(slug=document.corpus).first()
    if corpus is None:
        raise HasFaults(
            [
                Fault(
                    "corpus",
                    gettext("Corpus {corpus!r} no longer exists.").format(corpus=document.corpus),
                )
            ]
        )
    document = _copied(document, corpus)
    study = written_study(document, user=None, new_version=False)
    sharing.move(study=study, team=locked.draft.team)
    batching.launch(study=study, now=now)
    Study.every.filter(pk=study.pk).update(purpose=Study.Purpose.SIMULATION)
    Simulation.objects.filter(pk=locked.pk).update(study=study)
    return Study.every.get(pk=study.pk)


def _copied(document: Document, corpus: Corpus) -> Document:
    """Return the document with as few topics as a crowd answers in minutes."""
    most, wanted = MAX_PLACES_BY_KIND[document.kind], document.design
    topics = wanted.topics or topics_of(corpus, wanted.systems, wanted.chosen_topics).count()
    copy = _of_topics(document, wanted.topics)
    with suppress(
        RefusedSetting, BadInstrument, *kind_of(document.kind).refusals
    ):  # said by `written_study`
        while topics > 1 and (places := outline_of(copy, corpus).places) > most:
            topics = max(1, min(topics - 1, topics * most // places))
            copy = _of_topics(document, topics)
    return copy


def _of_topics(document: Document, topics: int | None) -> Document:
    copy = tried(document, topics=topics, purpose=Study.Purpose.SIMULATION)
    title = f"{document.title[:180]} (simulated)"
    return msgspec.structs.replace(copy, title=title)


def _crowd(simulation: Simulation, study: Study) -> Crowd:
    """Return a crowd of as many people as the copy has places, unless fewer were asked for."""
    places = Place.objects.filter(task__batch__study=study).count()
    number = min(simulation.workers or places, places)
    return Crowd(
        names=tuple(f"{study.slug}-{n}" for n in range(1, number + 1)),
        competence=simulation.competence,
        difference=simulation.difference,
        seed=study.seed,
    )
