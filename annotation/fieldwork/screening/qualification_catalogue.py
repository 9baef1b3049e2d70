"""All qualifications that somebody's studies give or require. Only reads."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Count, Q

from annotation.fieldwork.work.admission import requirement_of
from annotation.models import Qualification, Qualified, Study


@dataclass
class QualificationSummary:
    """A qualification by name, and the number of workers who have it (`people`).

    `given` has the studies that give it with the number of workers, `elsewhere` counts workers of
    other teams whose qualification is accepted, `asking` has the studies that require it with
    whether they would admit any worker.
    """

    name: str
    people: int = 0
    elsewhere: int = 0
    given: list[tuple[Study, int]] = field(default_factory=list)
    asking: list[tuple[Study, bool]] = field(default_factory=list)


def known_in(studies: Iterable[Study]) -> list[QualificationSummary]:
    """Return the qualifications of these studies by name, in three queries."""
    mine = list(studies)
    teams, pks = (
        {study.team_id for study in mine},
        {study.pk for study in mine},
    )
    accepted: dict[tuple[str, int], set[int]] = defaultdict(set)  # the teams that a study accepts
    links = Qualification.objects.filter(required_by__in=pks)
    for name, accepting, team in links.values_list("name", "required_by", "team"):
        accepted[name, accepting].add(team)
    others = Q(qualification__required_by__in=pks)
    rows = Qualified.objects.filter(
        pk__in=Qualified.objects.filter(Q(qualification__team__in=teams) | others).values("pk")
    )
    by_study: dict[tuple[str, int | None], int] = defaultdict(int)
    by_team: dict[tuple[str, int], int] = defaultdict(int)
    counts = rows.values_list("qualification__name", "qualification__team", "study")
    for name, team, giver, n in counts.annotate(n=Count("pk")).order_by():
        by_study[name, giver] += n
        by_team[name, team] += n
    summaries: dict[str, QualificationSummary] = {}
    for study in mine:
        if name := requirement_of(study):
            teams_of = {study.team_id, *accepted[name, study.pk]}
            able = any(by_team[name, team] for team in teams_of)
            _in(summaries, name).asking.append((study, able))
        earned = str(study.screening.get("gives", "")).strip()
        by_it = {name for name, giver in by_study if giver == study.pk}
        for name in sorted({*by_it, *([earned] if earned else [])}):
            _in(summaries, name).given.append((study, by_study[name, study.pk]))
    for (name, giver), n in list(by_study.items()):
        if giver not in pks:
            _in(summaries, name).elsewhere += n
    people = rows.values_list("qualification__name").order_by()
    for name, n in people.annotate(n=Count("worker", distinct=True)):
        _in(summaries, name).people = n
    return sorted(summaries.values(), key=lambda summary: summary.name.casefold())


def _in(known: dict[str, QualificationSummary], name: str) -> QualificationSummary:
    return known.setdefault(name, QualificationSummary(name))
