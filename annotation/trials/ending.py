"""The end of a study that was only tried: it goes with all that hangs on it."""

from datetime import datetime

from django.db import transaction

from annotation.models import Assignment, Corpus, Draft, Study, Trial, Worker

MADE_UP = ("trial", "simulation")  # platforms of people whom no real study knows


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
    return True


def end_due(*, now: datetime) -> int:
    """End the trials whose day is over; return how many."""
    due = Trial.objects.filter(expires_at__lte=now).select_related("study")
    return sum(end(study=each.study) for each in due)


def end_all(*, of: Draft | Corpus) -> None:
    """End what was tried of a draft, or with a corpus, that is to go."""
    there = Study.every.exclude(purpose=Study.Purpose.STUDY)
    named = there.filter(trial__draft=of) if isinstance(of, Draft) else there.filter(corpus=of)
    for study in named:
        end(study=study)
