"""Deletion of trials and simulations with their work and workers."""

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.dispatch import receiver

from annotation import signals, wiping
from annotation.models import Assignment, Corpus, Draft, Simulation, Study, Team, Trial, Worker

TRIAL_PLATFORMS = ("trial", "simulation")  # platforms of people whom no real study knows
SIMULATION_PREFIX = (
    "simulation-"  # what people of a simulated copy are called, and what its address begins with
)
ABANDONED_AFTER = timedelta(hours=1)


@transaction.atomic
def end(*, study: Study) -> bool:
    """Delete a trial or simulation with its work and workers; return whether it existed.

    Locks in the order of work (work.assigning), so that people at work finish first. Raises
    ValueError for a study.
    """
    rows = Study.every.filter(pk=study.pk)
    if rows.filter(purpose=Study.Purpose.STUDY).exists():
        raise ValueError(f"{study.slug} is a study, not a trial, so it wasn't deleted.")
    work = Assignment.objects.filter(study=study.pk)
    people = Worker.objects.filter(platform__in=TRIAL_PLATFORMS)
    list(people.filter(assignments__in=work).order_by("pk").select_for_update(of=("self",)))
    list(work.order_by("pk").select_for_update(of=("self",)).values_list("pk"))
    locked = rows.select_for_update().first()
    if locked is None:
        return False
    theirs = list(people.filter(assignments__in=work).values_list("pk", flat=True))
    locked.delete()
    people.filter(pk__in=theirs, assignments=None).delete()
    wiping.mark_erasure()
    return True


@transaction.atomic
def end_simulation(*, draft: Draft) -> bool:
    """Delete the simulation of a draft, also a running one; return whether there was one."""
    rows = Simulation.objects.select_for_update(of=("self",)).filter(draft=draft)
    simulation = rows.first()
    if simulation is None:
        return False
    if simulation.study_id:
        end(study=Study.every.get(pk=simulation.study_id))
    rows.delete()
    wiping.mark_erasure()
    return True


@receiver(signals.launched)
def end_trials(*, draft: Draft, **_: object) -> None:
    """End the trials of a draft at its launch, when their links would pass for its own."""
    for study in Study.every.filter(trial__draft=draft):
        end(study=study)


@receiver(signals.left_team)
def end_trials_of(*, team: Team, user: User, **_: object) -> None:
    """End the trials of a person who left the team whose drafts or corpus they show."""
    mine = Q(trial__draft__team=team) | Q(corpus__team=team)
    for study in Study.every.filter(mine, trial__user=user):
        end(study=study)


def end_due(*, now: datetime) -> int:
    """End expired trials and simulations; return how many."""
    trials = Trial.objects.filter(expires_at__lte=now).select_related("study")
    simulations = Simulation.objects.filter(expires_at__lte=now).select_related("draft")
    ended = [end(study=row.study) for row in trials]
    ended += [end_simulation(draft=row.draft) for row in simulations]
    # Made up while their simulation was deleted.
    left = Worker.objects.filter(
        platform__in=TRIAL_PLATFORMS, pseudonym__startswith=SIMULATION_PREFIX
    )
    with transaction.atomic():
        if left.filter(assignments=None, created_at__lt=now - ABANDONED_AFTER).delete()[0]:
            wiping.mark_erasure()
    return sum(ended)


@receiver(signals.deleting)
def end_all(*, of: Draft | Corpus, **_: object) -> None:
    """End the trials and simulations of a draft or corpus that is being deleted."""
    tried_studies = Study.every.exclude(purpose=Study.Purpose.STUDY)
    mine = Q(trial__draft=of) if isinstance(of, Draft) else Q(corpus=of)
    named = tried_studies.filter(mine)
    for study in named:
        end(study=study)
    if isinstance(of, Draft):
        end_simulation(draft=of)
