"""Raters: the crowd, experts and models."""

from typing import Any

from django.contrib.auth.models import User
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

from annotation.models import Team, Worker

PEOPLE = "people"  # the pool of raters that is read where no other is asked for
OTHER_CROWD = "imported-crowd"
POOLS = (PEOPLE, "crowd", "experts", "models", OTHER_CROWD)  # names that no single rater has


def once(name: str, *fields: str, among: Q | None = None) -> list[models.UniqueConstraint]:
    """Return constraints: unique in a team, and without one (NULLs differ in a database)."""
    among = among or Q()
    return [
        models.UniqueConstraint(
            fields=["team", *fields], condition=among & Q(team__isnull=False), name=f"{name}_a_team"
        ),
        models.UniqueConstraint(
            fields=[*fields], condition=among & Q(team=None), name=f"{name}_without_team"
        ),
    ]


class Rater(models.Model):
    """A worker of the crowd, an expert, or a model.

    One of the crowd without a worker has worked elsewhere, and has imported labels only.
    An expert is a worker, a user, or a name with imported labels; a model is one rater for each
    prompt and settings. Files and analyses name a rater by the pseudonym; an expert's name is for
    researchers only.

    A rater belongs to one team: another team may have one of the same name, and a worker of two
    teams is a rater of each, perhaps an expert in one alone. Only experts and models that several
    teams shared before raters had teams belong to none.
    """

    class Kind(models.TextChoices):
        CROWD = "crowd", gettext_lazy("Crowd")
        EXPERT = "expert", gettext_lazy("Expert")
        MODEL = "model", gettext_lazy("Model")

    kind = models.CharField(max_length=10, choices=Kind)
    team = models.ForeignKey(
        Team, models.CASCADE, null=True, blank=True, related_name="raters", db_index=False
    )
    name = models.CharField(max_length=100)
    pseudonym = models.CharField(max_length=100)
    worker = models.ForeignKey(Worker, models.CASCADE, null=True, blank=True, related_name="raters")
    user = models.ForeignKey(User, models.PROTECT, null=True, blank=True, related_name="raters")
    model = models.CharField(max_length=100, blank=True, help_text="such as gpt-4o-2024-08-06")
    prompt_version = models.CharField(max_length=100, blank=True)
    settings = models.CharField(max_length=300, blank=True, help_text="such as temperature=0")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(worker=None) | Q(user=None), name="rater_is_one_person"
            ),
            models.CheckConstraint(
                condition=(Q(kind="model", worker=None, user=None) & ~Q(model=""))
                | (~Q(kind="model") & Q(model="", prompt_version="", settings="")),
                name="model_raters_have_a_model",
            ),
            *once("rater_name_once", "name"),
            *once("rater_pseudonym_once", "pseudonym"),
            *once("rater_user_once", "user"),
            *once("model_rater_once", "model", "prompt_version", "settings", among=Q(kind="model")),
            models.CheckConstraint(
                condition=Q(worker=None) | Q(team__isnull=False), name="workers_are_of_a_team"
            ),
            models.UniqueConstraint(fields=["worker", "team"], name="rater_worker_once_a_team"),
            models.CheckConstraint(
                condition=~Q(pseudonym__in=POOLS) & ~Q(name__in=POOLS),
                name="rater_is_no_pool",
            ),
        ]

    def __str__(self) -> str:
        return self.name


def rater_of(worker: Worker, *, team: int) -> Rater:
    """Return the worker's rater in a team, created on first use."""
    defaults = _of_worker(worker)
    return Rater.objects.get_or_create(worker=worker, team_id=team, defaults=defaults)[0]


def new_rater(worker: Worker, *, team: int) -> Rater:
    """Return the same unsaved."""
    return Rater(worker=worker, team_id=team, **_of_worker(worker))


def _of_worker(worker: Worker) -> dict[str, Any]:
    return {
        "kind": Rater.Kind.CROWD,
        "name": f"worker {worker.pseudonym}",
        "pseudonym": worker.pseudonym,
    }
