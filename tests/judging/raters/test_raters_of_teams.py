"""Raters and their names belong to one team."""

import pytest
from django.db import IntegrityError, transaction

from judging.models import Judgment, Rater
from judging.raters.registering import BadRater, change_kind, known_to, register
from tests import older_database
from tests.cast import NOW, bob, rita, small_corpus, small_study, submitted
from tests.coded_errors import raises

pytestmark = pytest.mark.django_db


@pytest.fixture
def one():
    return small_study(slug="one", corpus=small_corpus(slug="one"))


@pytest.fixture
def other():
    return small_study(slug="other", corpus=small_corpus(slug="other"))


def answered(rater, *studies):
    for study in studies:
        Judgment.objects.create(
            rater=rater, item=study.items.first(), question=study.questions.first(), raw="n",
            value="n", first_at=NOW, answered_at=NOW,
        )  # fmt: skip
    return rater


def gpt(team=None, name="gpt"):
    return register(name=name, kind="model", model="gpt-4o", settings="cold", team=team)


def test_a_name_is_taken_in_one_team_alone(one, other):
    user = rita()
    mine, theirs = (
        register(name="Ann", kind="expert", user=user, team=each.team) for each in (one, other)
    )
    assert mine != theirs
    assert mine.pseudonym != theirs.pseudonym
    assert register(name="Ann", kind="expert", team=one.team) == mine
    assert gpt(one.team) != gpt(other.team, name="other name")
    with raises(BadRater, "known_user"):
        register(name="Anna", kind="expert", user=user, team=one.team)
    with raises(BadRater, "known_model"):
        gpt(one.team, name="again")
    with pytest.raises(IntegrityError), transaction.atomic():
        Rater.objects.create(kind="expert", name="Ann", pseudonym="x", team=one.team)


def test_who_is_of_no_team_is_known_where_they_answered(one, other):
    shared = answered(gpt(), one)
    submitted(one, bob())
    assert gpt(one.team) == shared
    assert gpt(other.team) != shared
    assert set(known_to(one.team).values_list("name", flat=True)) == {"gpt", "worker bob"}
    with raises(BadRater, "is_worker"):
        register(name="worker bob", kind="expert", team=one.team)


def test_a_worker_is_an_expert_in_the_studies_of_one_team(one, other):
    """The pools of another team, and its analyses, stay as they are."""
    for study in (one, other):
        submitted(study, bob())
    raters = {rater.team_id: rater for rater in Rater.objects.filter(worker=bob())}
    change_kind(rater=raters[one.team_id], kind="expert")
    kinds = dict(Judgment.objects.values_list("item__study__slug", "rater__kind").distinct())
    assert kinds == {"one": "expert", "other": "crowd"}


def test_pseudonyms_of_the_workers_of_other_teams_are_not_told(one, other):
    submitted(one, bob())
    with raises(BadRater, "name_taken"):
        register(name="bob", kind="expert", team=one.team)
    assert register(name="bob", kind="expert", team=other.team)
    with raises(BadRater, "name_taken"):
        register(name="w-0123456789ab", kind="expert", team=other.team)


@pytest.mark.parametrize("storage", ["postgres", "sqlite"])
def test_workers_whom_teams_shared_are_raters_of_each(storage, request):
    result = older_database.findings(storage, request, "tests.judging.raters.shared_workers")
    assert (result["own"], result["teams"]) == ([True, True], 2)
    assert (result["without"], result["pseudonyms"]) == (0, 1)
    assert (result["raters"], result["answers"]) == (1, 2)
