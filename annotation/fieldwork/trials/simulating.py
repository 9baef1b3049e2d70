"""A copy of a draft that a simulated crowd answers, to see what its analysis will show.

1. `ask` notes it; asked twice it is one.
2. A worker takes it by a guarded UPDATE (`work_on`), makes the copy, lets the crowd go through it
   and closes it. The closing asks for the analysis, as that of any study.
3. What a killed worker left behind is taken again (`left`), and goes on where that one stopped;
   after a few attempts it says that it failed.
"""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

import msgspec
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext

from annotation.corpora.systems import topics_of
from annotation.fieldwork.trials.making import tried
from annotation.models import Batch, Corpus, Draft, Place, Simulation, Study
from annotation.people.access import sharing
from annotation.studies import batching
from annotation.studies.drafts.kinds import Crowd, decoded, kind_of
from annotation.studies.drafts.launching import HasFaults, without_faults, written_study
from annotation.studies.drafts.outlines import outline_of
from annotation.studies.drafts.schema import Document
from annotation.studies.instruments import BadInstrument, Fault
from annotation.studies.planning import RefusedSetting

State = Simulation.State
KEPT = timedelta(days=3)
MOST_PLACES = {"judging": 300, "writing": 24}  # of a copy: minutes of a worker's time
STALE = timedelta(minutes=2)  # without a word its worker has gone
MOST_ATTEMPTS = 3
FAILED = "The simulation stopped three times before it was done. Delete it and try it once more."
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
    """Note that a crowd is to answer what a draft says; the one that is there already, if any.

    Raises HasFaults for a draft that is not launched and could not be.
    """
    current = Draft.objects.select_for_update(of=("self",)).get(pk=draft.pk)
    known = Simulation.objects.filter(draft=current).first()
    if known is not None:
        return known
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
        expires_at=now + KEPT,
    )


def left(*, now: datetime) -> list[int]:
    """Those that no worker is at, since a message was lost or its worker killed."""
    return list(Simulation.objects.filter(_free(now)).values_list("pk", flat=True))


def _free(now: datetime) -> Q:
    return Q(state=State.WAITING) | Q(state=State.WORKING, touched_at__lt=now - STALE)


def work_on(*, pk: int, clock: Clock = timezone.now) -> None:
    """Let the crowd answer; nothing if somebody is at it, it is done, or it was deleted."""
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
    if free.filter(attempts__gte=MOST_ATTEMPTS).update(state=State.FAILED, sentence=FAILED):
        return None
    seen = free.first()
    if seen is None:
        return None
    same = free.filter(attempts=seen.attempts)
    if not same.update(state=State.WORKING, touched_at=now, attempts=seen.attempts + 1):
        return None
    return seen


@transaction.atomic
def _copy_of(simulation: Simulation, now: datetime) -> Study:
    """The study of it, open; made by the first attempt. Raises HasFaults."""
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
                    gettext("There is no corpus {corpus!r} (any more).").format(
                        corpus=document.corpus
                    ),
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
    """The document with no more topics than a crowd answers in minutes, and its name marked."""
    most, wanted = MOST_PLACES[document.kind], document.design
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
    """As many people as the copy has places, unless fewer were asked for. Where one may do several
    tasks the first of them do, and the others find nothing left."""
    places = Place.objects.filter(task__batch__study=study).count()
    number = min(simulation.workers or places, places)
    return Crowd(
        names=tuple(f"{study.slug}-{n}" for n in range(1, number + 1)),
        competence=simulation.competence,
        difference=simulation.difference,
        seed=study.seed,
    )
