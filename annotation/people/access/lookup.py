"""Look-up of records that a person may see, in one query. Only reads."""

from collections.abc import Iterable
from typing import Any, TypeVar

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import F, FilteredRelation, Model, Q, QuerySet, Value
from django.http import HttpRequest
from django.shortcuts import get_object_or_404

from annotation.models import Corpus, Draft, Study
from annotation.models.access import Membership, Role, Team
from annotation.models.corpus import CorpusQuerySet
from annotation.models.studies import StudyQuerySet
from annotation.people.access.roles import RIGHTS, Act, check, check_simulated

Person = User | AnonymousUser
M = TypeVar("M", bound=Model)
Rows = TypeVar("Rows", bound="QuerySet[Any]")


def user_of(request: HttpRequest) -> User:
    """Return the person who is signed in, on pages that need it."""
    assert isinstance(request.user, User)
    return request.user


def seen_by(user: Person, rows: Rows) -> Rows:
    """Those rows of something with a team that a person may look at, each with their `role`.

    An administrator is an owner of everything.
    """
    if not user.is_authenticated or not user.is_active:
        return rows.none()
    if user.is_superuser:
        return rows.annotate(role=Value(Role.OWNER.value))
    path = "memberships" if rows.model is Team else "team__memberships"
    mine = FilteredRelation(path, condition=Q((f"{path}__user", user)))
    return rows.alias(mine=mine).filter(mine__isnull=False).annotate(role=F("mine__role"))


def one_for(user: Person, rows: "QuerySet[M]", *, may: Act, **named: Any) -> M:
    """Return the row of this name. Raises PermissionDenied; Http404 if the user cannot see it."""
    row = get_object_or_404(seen_by(user, rows), **named)
    check(row, may)
    return row


def teams_where(user: User, act: Act) -> "QuerySet[Membership, int]":
    """Return the primary keys of the teams in which somebody has a role with this right.

    Administrators see every team, but only their own memberships connect two teams.
    """
    roles = [role for role, rights in RIGHTS.items() if act in rights]
    mine = Membership.objects.filter(user=user, user__is_active=True, role__in=roles)
    return mine.values_list("team", flat=True)


def visible_studies(user: Person) -> StudyQuerySet:
    return seen_by(user, Study.objects.select_related("corpus"))


def visible_corpora(user: Person) -> CorpusQuerySet:
    return seen_by(user, Corpus.objects.there())


def study_for(
    user: Person, *, slug: str, version: int, may: Act, kind: Study.Kind | None = None
) -> Study:
    """Return a study with its corpus, optionally of one kind only.

    Simulated copies are found by address and are read-only. Raises as `one_for` does.
    """
    named: dict[str, Any] = {"slug": slug, "version": version}
    if kind is not None:
        named["kind"] = kind
    rows = Study.every.exclude(purpose=Study.Purpose.TRIAL).select_related("corpus")
    study = get_object_or_404(seen_by(user, rows), **named)
    if study.purpose == Study.Purpose.SIMULATION:
        _check_corpus(user, study)
        check_simulated(study, may)
    check(study, may)
    return study


def _check_corpus(user: Person, study: Study) -> None:
    """Raise Http404 where somebody sees a simulated copy of a draft, and not its corpus.

    The people of a launched study see its corpus in that study.
    """
    launched = Study.objects.launched().filter(team=study.team_id, corpus=study.corpus_id)
    if not launched.exists():
        get_object_or_404(seen_by(user, Corpus.objects.all()), pk=study.corpus_id)


def corpus_for(user: Person, *, slug: str, may: Act) -> Corpus:
    return one_for(user, Corpus.objects.there(), may=may, slug=slug)


def shared_by(teams: Iterable[int]) -> dict[int, Any]:
    """Return the study, draft or corpus of each team, by team id; three queries."""
    wanted = list(teams)
    thing_by_team: dict[int, Any] = {
        thing.team_id: thing for thing in Draft.objects.filter(team__in=wanted, study=None)
    }
    thing_by_team |= {thing.team_id: thing for thing in Corpus.objects.filter(team__in=wanted)}
    newest = Study.objects.filter(team__in=wanted).order_by("version")
    return thing_by_team | {thing.team_id: thing for thing in newest}


def team_for(user: Person, *, pk: int, may: Act) -> Team:
    return one_for(user, Team.objects.all(), may=may, pk=pk)
