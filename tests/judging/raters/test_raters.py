"""Who may be a rater: what the database refuses."""

import pytest
from django.db import IntegrityError, transaction

from annotation.models import Team
from judging.models import Rater, rater_of
from tests.cast import bob, rita

pytestmark = [pytest.mark.django_db, pytest.mark.storage]


def a_team():
    return Team.objects.create()


def make(**fields):
    with transaction.atomic():
        return Rater.objects.create(**({"name": "r", "pseudonym": "r"} | fields))


def test_a_worker_is_a_rater_of_the_crowd_under_their_pseudonym():
    rater = rater_of(bob(), team=Team.objects.create().pk)
    assert (rater.kind, rater.pseudonym) == ("crowd", "bob")


def test_an_expert_is_a_worker_or_a_user_or_only_named():
    assert make(kind="expert")
    assert make(kind="expert", name="s", pseudonym="s", user=rita())
    assert make(kind="expert", name="t", pseudonym="t", worker=bob(), team=Team.objects.create())


def test_a_model_is_known_by_model_prompt_and_settings():
    make(kind="model", model="gpt", prompt_version="1", settings="temperature=0")
    make(kind="model", model="gpt", prompt_version="2", name="s", pseudonym="s")


@pytest.mark.parametrize(
    ("constraint", "fields"),
    [
        (
            "rater_is_one_person",
            {"kind": "expert", "worker": bob, "user": rita, "team": a_team},
        ),
        ("model_raters_have_a_model", {"kind": "model"}),
        (
            "model_raters_have_a_model",
            {"kind": "model", "model": "gpt", "worker": bob, "team": a_team},
        ),
        ("model_raters_have_a_model", {"kind": "model", "model": "gpt", "user": rita}),
        ("model_raters_have_a_model", {"kind": "expert", "model": "gpt"}),
        ("model_raters_have_a_model", {"kind": "expert", "settings": "temperature=0"}),
        ("workers_are_of_a_team", {"kind": "crowd", "worker": bob}),
        ("rater_is_no_pool", {"kind": "expert", "name": "models"}),
        ("rater_is_no_pool", {"kind": "crowd", "name": "imported-crowd"}),
        ("rater_is_no_pool", {"kind": "expert", "pseudonym": "people"}),
    ],
)
def test_the_database_refuses(constraint, fields):
    fields = {name: each() if callable(each) else each for name, each in fields.items()}
    with pytest.raises(IntegrityError, match=constraint):
        make(**fields)


def test_the_same_model_with_the_same_prompt_and_settings_is_one_rater():
    make(kind="model", model="gpt")
    with pytest.raises(IntegrityError):
        make(kind="model", model="gpt", name="s", pseudonym="s")
