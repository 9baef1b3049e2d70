"""A worker who judges for two teams is a rater of each, so that one team does not make the worker
an expert in the studies of another."""

from collections import defaultdict
from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


def give_teams(apps: Any, editor: Any) -> None:
    """Each team gets a rater of its own, with the answers to its studies."""
    using = editor.connection.alias
    Rater = apps.get_model("judging", "Rater")
    judgments = apps.get_model("judging", "Judgment").objects.using(using)
    teams: dict[int, dict[int, None]] = defaultdict(dict)
    answered = judgments.filter(rater__worker__isnull=False).order_by("rater", "item__study__team")
    for rater, team in answered.values_list("rater", "item__study__team").distinct():
        teams[rater][team] = None
    workers = Rater.objects.using(using).filter(worker__isnull=False)
    worked = apps.get_model("annotation", "Assignment").objects.using(using)
    for rater in workers.order_by("pk"):
        theirs = list(teams[rater.pk]) or list(
            worked.filter(worker_id=rater.worker_id, study__kind="judging")
            .order_by("study__team")
            .values_list("study__team", flat=True)
            .distinct()
        )
        if not theirs:
            rater.delete()  # it is made again with the worker's first answer
            continue
        first, *others = theirs
        Rater.objects.using(using).filter(pk=rater.pk).update(team_id=first)
        for team in others:
            copy = Rater.objects.using(using).create(
                team_id=team,
                kind=rater.kind,
                name=rater.name,
                pseudonym=rater.pseudonym,
                worker_id=rater.worker_id,
            )
            items = apps.get_model("judging", "Item").objects.using(using)
            of_team = items.filter(study__team=team).values("pk")
            judgments.filter(rater_id=rater.pk, item__in=of_team).update(rater_id=copy.pk)
    editor.connection.check_constraints()  # PostgreSQL alters no table while checks are deferred


def take_teams(apps: Any, editor: Any) -> None:
    """The first rater of a worker has all answers again."""
    using = editor.connection.alias
    raters = apps.get_model("judging", "Rater").objects.using(using)
    judgments = apps.get_model("judging", "Judgment").objects.using(using)
    kept: dict[int, int] = {}
    workers = raters.filter(worker__isnull=False).order_by("pk")
    for pk, worker in list(workers.values_list("pk", "worker")):
        first = kept.setdefault(worker, pk)
        if first != pk:
            judgments.filter(rater_id=pk).update(rater_id=first)
            editor.execute(f"DELETE FROM judging_rater WHERE id = {pk}")
    raters.filter(worker__isnull=False).update(team_id=None)
    editor.connection.check_constraints()


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0060_qualifications_have_a_team"),
        ("judging", "0025_edited_entries_are_new_entries"),
    ]

    operations = [
        migrations.RemoveConstraint(model_name="rater", name="workers_are_of_no_team"),
        migrations.AlterField(
            model_name="rater",
            name="worker",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="raters",
                to="annotation.worker",
            ),
        ),
        migrations.RunPython(give_teams, take_teams),
        migrations.AddConstraint(
            model_name="rater",
            constraint=models.CheckConstraint(
                condition=Q(worker=None) | Q(team__isnull=False), name="workers_are_of_a_team"
            ),
        ),
        migrations.AddConstraint(
            model_name="rater",
            constraint=models.UniqueConstraint(
                fields=("worker", "team"), name="rater_worker_once_a_team"
            ),
        ),
    ]
