"""Every qualification belongs to a team: those that several teams used are copied.

A team that gave a qualification keeps the workers to whom it gave it. A study that requires one goes
on admitting the same workers: it accepts the qualification of the other teams in which one of its
own researchers may run studies, and its team gets a copy of what the remaining teams gave.
"""

from collections import defaultdict
from typing import Any

import django.db.models.deletion
from django.db import migrations, models

MAY_RUN = ("owner", "researcher")


def give_teams(apps: Any, editor: Any) -> None:
    get, using = apps.get_model, editor.connection.alias
    Qualification = get("annotation", "Qualification")
    giving, requiring = _teams_by_name(get("annotation", "Study").objects.using(using))
    researchers = _researchers(get("annotation", "Membership").objects.using(using))
    for shared in Qualification.objects.using(using).order_by("pk"):
        held = get("annotation", "Qualified").objects.using(using).filter(qualification_id=shared.pk)
        holders = list(held.select_related("study").order_by("pk"))
        named = " ".join(shared.name.split())
        givers = dict.fromkeys(each.study.team_id for each in holders if each.study)
        teams = list(givers | dict.fromkeys([*giving[named], *requiring[named]]))
        if not teams:
            if not holders:
                shared.delete()
                continue
            teams = [get("annotation", "Team").objects.using(using).create().pk]
        of_team = {teams[0]: shared}
        shared.team_id = teams[0]
        shared.save()
        for team in teams[1:]:
            of_team[team] = Qualification.objects.using(using).create(
                team_id=team, name=shared.name, created_at=shared.created_at
            )
        copies: dict[tuple[int, int], Any] = {}
        accepted: dict[int, set[int]] = {}
        for team, studies in requiring[named].items():
            accepted[team] = {
                other for other in teams if other != team and researchers[other] & researchers[team]
            }
            for other in accepted[team]:
                of_team[other].required_by.add(*studies)
        for each in holders:
            wanted = [each.study.team_id] if each.study else teams
            wanted = [
                *wanted,
                *(team for team in requiring[named] if not accepted[team].intersection(wanted)),
            ]
            for team in wanted:
                copies.setdefault((team, each.worker_id), each)
        held.delete()
        get("annotation", "Qualified").objects.using(using).bulk_create(
            get("annotation", "Qualified")(
                qualification=of_team[team],
                worker_id=worker,
                study_id=each.study_id,
                given_by=each.given_by,
                given_at=each.given_at,
            )
            for (team, worker), each in copies.items()
        )
    editor.connection.check_constraints()  # PostgreSQL alters no table while checks are deferred


def _teams_by_name(studies: Any) -> tuple[Any, Any]:
    """Return by name the teams whose studies give it, and the studies that require it by team."""
    giving: dict[str, dict[int, None]] = defaultdict(dict)
    requiring: dict[str, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for pk, team, screening in studies.order_by("pk").values_list("pk", "team", "screening"):
        for key in ("gives", "requires"):
            name = " ".join(str((screening or {}).get(key) or "").split())
            if name and key == "gives":
                giving[name][team] = None
            elif name:
                requiring[name][team].append(pk)
    return giving, requiring


def _researchers(memberships: Any) -> dict[int, set[int]]:
    by_team: dict[int, set[int]] = defaultdict(set)
    for team, user in memberships.filter(role__in=MAY_RUN, user__is_active=True).values_list(
        "team", "user"
    ):
        by_team[team].add(user)
    return by_team


def take_teams(apps: Any, editor: Any) -> None:
    """Merge the qualifications of one name into the oldest of them."""
    using = editor.connection.alias
    qualifications = apps.get_model("annotation", "Qualification").objects.using(using)
    qualified = apps.get_model("annotation", "Qualified").objects.using(using)
    editor.execute("DELETE FROM annotation_qualification_required_by")  # the table goes next
    oldest: dict[str, int] = {}
    for pk, name in list(qualifications.order_by("pk").values_list("pk", "name")):
        kept = oldest.setdefault(name, pk)
        if kept == pk:
            continue
        theirs = list(qualified.filter(qualification_id=kept).values_list("worker", flat=True))
        held = qualified.filter(qualification_id=pk)
        held.exclude(worker_id__in=theirs).update(qualification_id=kept)
        held.delete()
        editor.execute(f"DELETE FROM annotation_qualification WHERE id = {pk}")
    editor.connection.check_constraints()


class Migration(migrations.Migration):
    dependencies = [("annotation", "0059_a_study_names_any_number_of_methods")]

    operations = [
        migrations.AddField(
            model_name="qualification",
            name="required_by",
            field=models.ManyToManyField(
                blank=True,
                editable=False,
                related_name="required_qualifications",
                to="annotation.study",
            ),
        ),
        migrations.AddField(
            model_name="qualification",
            name="team",
            field=models.ForeignKey(
                db_index=False,
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="qualifications",
                to="annotation.team",
            ),
        ),
        migrations.AlterField(
            model_name="qualification", name="name", field=models.CharField(max_length=80)
        ),
        migrations.RunPython(give_teams, take_teams),
        migrations.AlterField(
            model_name="qualification",
            name="team",
            field=models.ForeignKey(
                db_index=False,
                editable=False,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="qualifications",
                to="annotation.team",
            ),
        ),
        migrations.AddConstraint(
            model_name="qualification",
            constraint=models.UniqueConstraint(
                fields=("team", "name"), name="qualification_once_per_team"
            ),
        ),
    ]
