"""The end of a study that was only tried: it goes with all that hangs on it."""

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.dispatch import receiver

from annotation import signals, wiping
from annotation.models import Assignment, Corpus, Draft, Simulation, Study, Team, Trial, Worker

MADE_UP = ("trial", "simulation")  # platforms of people whom no real study knows
NAMED = (
    "simulation-"  # what people of a simulated copy are called, and what its address begins with
)
WHILE = timedelta(hours=1)


class NotATrial(ValueError):
    """A study that people work in was about to be deleted."""

    def __init__(self, study: Study) -> None:
        super().__init__(f"{study.slug} is a study, no trial of one: it is not deleted.")


@transaction.atomic
def end(*, study: Study) -> bool:
    """Delete a trial or a simulation with its work and its workers; whether it was still there.

    Whoever is at work in it is waited for, in the order in which work locks (work.assigning).
    Raises NotATrial.
    """
    found = Study.every.filter(pk=study.pk)
    if found.filter(purpose=Study.Purpose.STUDY).exists():
        raise NotATrial(study)
    work = Assignment.objects.filter(study=study.pk)
    people = Worker.objects.filter(platform__in=MADE_UP)
    list(people.filter(assignments__in=work).order_by("pk").select_for_update(of=("self",)))
    list(work.order_by("pk").select_for_update(of=("self",)).values_list("pk"))
    locked = found.select_for_update().first()
    if locked is None:
        return False
    theirs = list(people.filter(assignments__in=work).values_list("pk", flat=True))
    locked.delete()
    people.filter(pk__in=theirs, assignments=None).delete()
    wiping.mark_erasure()
    return True


@transaction.atomic
def end_simulation(*, draft: Draft) -> bool:
    """Delete the simulated copy of a draft, also while it is answered; whether there was one."""
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
    """End all that people try of a draft: at its launch their links would pass for its own."""
    for study in Study.every.filter(trial__draft=draft):
        end(study=study)


@receiver(signals.left_team)
def end_trials_of(*, team: Team, user: User, **_: object) -> None:
    """End what somebody tries of the drafts, or with the corpus, of a team that they left: a
    trial shows what it was made from."""
    mine = Q(trial__draft__team=team) | Q(corpus__team=team)
    for study in Study.every.filter(mine, trial__user=user):
        end(study=study)


def end_due(*, now: datetime) -> int:
    """End the trials and simulations whose time is over; return how many."""
    trials = Trial.objects.filter(expires_at__lte=now).select_related("study")
    simulations = Simulation.objects.filter(expires_at__lte=now).select_related("draft")
    ended = [end(study=each.study) for each in trials]
    ended += [end_simulation(draft=each.draft) for each in simulations]
    # Made up while their simulation was deleted.
    left = Worker.objects.filter(platform__in=MADE_UP, pseudonym__startswith=NAMED)
    with transaction.atomic():
        if left.filter(assignments=None, created_at__lt=now - WHILE).delete()[0]:
            wiping.mark_erasure()
    return sum(ended)


@receiver(signals.deleting)
def end_all(*, of: Draft | Corpus, **_: object) -> None:
    """End what was tried of a draft, or with a corpus, that is to go."""
    there = Study.every.exclude(purpose=Study.Purpose.STUDY)
    mine = Q(trial__draft=of) if isinstance(of, Draft) else Q(corpus=of)
    named = there.filter(mine)
    for study in named:
        end(study=study)
    if isinstance(of, Draft):
        end_simulation(draft=of)
