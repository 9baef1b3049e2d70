"""What the place Recruit does with a batch can be typed; nothing is done that was not said."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import AuditEntry, Batch, Place, Study
from tests.cast import small_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study() -> Study:
    return small_study(quota=2)


def typed(*words: str) -> str:
    out = StringIO()
    call_command("batch", *words, stdout=out)
    return out.getvalue()


def test_an_act_is_said_first_and_done_with_yes(study: Study) -> None:
    places = Place.objects.count()
    says = typed(study.slug, "1", "extend", "--votes", "2")
    assert Place.objects.count() == places
    assert typed(study.slug, "1", "extend", "--votes", "2", "--yes").startswith(
        says.partition("Nothing")[0]
    )
    assert Place.objects.count() == 2 * places
    assert AuditEntry.objects.filter(act="extended a batch").count() == 1


def test_a_batch_is_paused_resumed_and_closed(study: Study) -> None:
    for act, state in (("pause", "paused"), ("resume", "open"), ("close", "closed")):
        assert f"is {state}." in typed(study.slug, "1", act, "--yes")
        assert Batch.objects.get().state == state
    assert "1 main: closed" in typed(study.slug)
    assert "Actions: repeat, topics" in typed(study.slug, "1")


@pytest.mark.parametrize(("words", "shown"), [
    (["nowhere"], "'nowhere'"),
    (["study", "7", "pause"], r"\b7\b"),
    (["study", "1", "open", "--yes"], "Batch"),
    (["study", "1", "extend", "--votes", "none"], "Votes"),
    (["study", "1", "pause", "--votes", "2"], r"^pause .*--votes\b"),
])  # fmt: skip
def test_what_cannot_be_done_is_said(study: Study, words: list[str], shown: str) -> None:
    with pytest.raises(CommandError, match=shown):
        typed(*[study.slug if word == "study" else word for word in words])
    assert Batch.objects.get().state == "open"
