"""Names of raters are those of a team: what was shared before stays shared, and no name is lost."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import IntegrityError, transaction

from annotation import access
from judging.models import Judgment, Rater
from judging.raters.registering import BadRater, change_kind, known_to, register
from tests import earlier
from tests.cast import NOW, bob, rita, small_corpus, small_study, submitted

pytestmark = pytest.mark.django_db
migration = import_module("judging.migrations.0022_raters_are_of_a_team")


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
    with pytest.raises(BadRater, match="under another name"):
        register(name="Anna", kind="expert", user=user, team=one.team)
    with pytest.raises(BadRater, match="is known as gpt"):
        gpt(one.team, name="again")
    with pytest.raises(IntegrityError), transaction.atomic():
        Rater.objects.create(kind="expert", name="Ann", pseudonym="x", team=one.team)


def test_who_is_of_no_team_is_known_where_they_answered(one, other):
    shared = answered(gpt(), one)
    submitted(one, bob())
    assert gpt(one.team) == shared
    assert gpt(other.team) != shared
    assert set(known_to(one.team).values_list("name", flat=True)) == {"gpt", "worker bob"}
    with pytest.raises(BadRater, match="is a worker"):
        register(name="worker bob", kind="expert", team=one.team)


def test_raters_find_their_team(one, other):
    of_one = answered(register(name="Ann", kind="expert"), one)
    shared = answered(gpt(), one, other)
    added = register(name="Berta", kind="expert")
    access.record(user=rita(), act="added an expert", what=added.pseudonym, of=other)
    unknown = register(name="Carla", kind="expert")
    submitted(one, bob())
    before = list(Judgment.objects.order_by("pk").values())
    migration.find_teams(apps, None)
    teams = dict(Rater.objects.values_list("name", "team"))
    assert teams == {
        of_one.name: one.team.pk, shared.name: None, added.name: other.team.pk,
        unknown.name: None, "worker bob": one.team.pk,
    }  # fmt: skip
    assert list(Judgment.objects.order_by("pk").values()) == before


def test_on_the_way_back_each_name_is_there_once(one, other):
    user = rita()
    for team in (None, one.team, other.team):
        gpt(team)
        register(name="x" * 100, kind="expert", user=user, team=team)
    register(name="gpt (2)", kind="model", model="m", team=other.team)
    migration.name_once(apps, None)
    raters = Rater.objects.order_by("pk")
    names = list(raters.values_list("name", flat=True))
    assert names[:5:2] == ["gpt", "gpt (3)", "gpt (4)"]
    assert names[1:6:2] == ["x" * 100, "x" * 96 + " (2)", "x" * 96 + " (3)"]
    assert names[6] == "gpt (2)"
    models = raters.filter(model="gpt-4o")
    assert list(models.values_list("settings", flat=True)) == ["cold", "cold (2)", "cold (3)"]
    assert raters.exclude(user=None).count() == 1
    migration.name_once(apps, None)
    assert list(raters.values_list("name", flat=True)) == names


def test_a_worker_is_an_expert_in_the_studies_of_one_team(one, other):
    """The pools of another team, and its analyses, stay as they are."""
    for study in (one, other):
        submitted(study, bob())
    raters = {each.team_id: each for each in Rater.objects.filter(worker=bob())}
    change_kind(rater=raters[one.team_id], kind="expert")
    kinds = dict(Judgment.objects.values_list("item__study__slug", "rater__kind").distinct())
    assert kinds == {"one": "expert", "other": "crowd"}


def test_pseudonyms_of_the_workers_of_other_teams_are_not_told(one, other):
    submitted(one, bob())
    with pytest.raises(BadRater, match="somebody else"):
        register(name="bob", kind="expert", team=one.team)
    assert register(name="bob", kind="expert", team=other.team)
    with pytest.raises(BadRater, match="somebody else"):
        register(name="w-0123456789ab", kind="expert", team=other.team)


@pytest.mark.parametrize("storage", ["postgres", "sqlite"])
def test_workers_whom_teams_shared_are_raters_of_each(storage, request):
    found = earlier.said(storage, request)["tests.judging.raters.shared_workers"]
    assert (found["teams"], found["own"], found["others"]) == (True, True, True)
    assert (found["without"], found["pseudonyms"], found["raters"]) == (0, 1, 1)
    assert found["answers"] > 1
