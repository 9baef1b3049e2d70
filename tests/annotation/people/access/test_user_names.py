"""Nobody gets a user name that could be taken for another person's."""

import pytest
from django.contrib.auth.models import User

from annotation.console.login import JoinForm

pytestmark = pytest.mark.django_db


def errors_of(name: str) -> list[str]:
    password = "a quite long password"
    form = JoinForm({"username": name, "password1": password, "password2": password})
    form.is_valid()
    return [error.code or "" for error in form.errors.as_data().get("username", [])]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("r\u0456ta", "alphabet"),  # a Cyrillic letter among Latin ones
        ("\u0440\u0456\u0442\u0430", "alphabet"),  # all of them Cyrillic
        ("\u03c1ita", "alphabet"),  # a Greek one
        ("\uff52\uff49\uff54\uff41", "unique"),  # wide letters, which Django makes narrow
        ("r\u0131ta", "lookalike"),
        ("rit\u00e1", "lookalike"),
        ("rita1o", "lookalike"),
    ],
)
def test_a_name_that_looks_like_another_is_refused(name, code):
    User.objects.create_user("rita")
    User.objects.create_user("ritalO")
    assert errors_of(name) == [code]


@pytest.mark.parametrize("name", ["ritas", "J\u00fcrgen", "anna.b-c_d@example.org", "r2d2"])
def test_other_names_are_taken(name):
    User.objects.create_user("rita")
    assert errors_of(name) == []
