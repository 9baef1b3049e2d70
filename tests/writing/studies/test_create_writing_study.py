"""`create_writing_study`: previewed before anything is written."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.models import Study, Task
from annotation.studies.drafts.making import document_of
from tests.cast import small_corpus

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def lamps():
    """Three topics, two of which have a passage to write from."""
    corpus = small_corpus(topics=3, responses=0)
    for topic in corpus.topics.all()[:2]:
        topic.passages.create(key="p1", rank=1, text="Lamps shine.")


def create(**options):
    output = StringIO()
    call_command("create_writing_study", "letters", stdout=output, corpus="lamps", **options)
    return output.getvalue()


def test_it_shows_what_it_would_be_and_writes_nothing():
    output = create(pay="5")
    assert "2 topics x 3 styles x 1 writer = 6 texts of about 250 words" in output
    assert "12.00 an hour" in output
    assert not Study.objects.exists()


def test_it_launches_with_a_link_for_writers():
    output = create(launch=True, contact="Rita, University of Lamps.", topics=1, styles=["news"])
    assert "/s/letters/" in output
    assert Task.objects.get().writing_task.style == "news"


def test_it_takes_the_topics_that_are_named_and_shows_the_best_passages():
    create(write=True, topic="t2", passages=1)
    study = Study.objects.get()
    written = Task.objects.filter(batch__study=study)
    assert set(written.values_list("writing_task__topic__key", flat=True)) == {"t2"}
    assert study.brief.passages == 1
    assert document_of(study).design.chosen_topics == ["t2"]


def test_it_draws_the_topics_of_the_onboarding_and_opens_both_batches():
    output = create(
        launch=True, contact="Rita, University of Lamps.", onboarding_topics=1, onboarding_writers=4
    )
    assert "onboarding: 1 topic x 4 writers = 4 texts" in output
    assert "1 topic x 3 styles x 1 writer = 3 texts" in output
    first, main = Study.objects.get().batches.all()
    assert (first.onboarding, main.onboarding, first.state, main.state) == (
        True,
        False,
        "open",
        "open",
    )
    assert first.tasks.get().quota == 4
    topics = [{task.writing_task.topic_id for task in each.tasks.all()} for each in (first, main)]
    assert not topics[0] & topics[1]
    assert Study.objects.get().onboarding_tasks == 1


def test_a_draft_is_launched_with_what_was_edited_and_newcomers_come_first():
    create(write=True, contact="Rita, University of Lamps.", onboarding_topics=1)
    draft = Study.objects.get()
    draft.instructions = "Write briefly."
    draft.save()
    output = StringIO()
    call_command("create_writing_study", "letters", stdout=output, launch=True)
    study = Study.objects.get()
    assert (study.launched_at is None, study.instructions) == (False, "Write briefly.")
    assert {batch.state for batch in study.batches.all()} == {"open"}
    assert "/s/letters/" in output.getvalue()


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        ({"onboarding_topics": 2}, r"--onboarding-topics\b.*\b2\b.*\b2\b"),
        ({"onboarding_topics": 1, "topics": 2}, r"\b1\b.*\b1\b"),
        (
            {"onboarding_topics": 1, "onboarding_accepted": 2},
            r"--onboarding-accepted\b.*\b2\b.*\b1\b",
        ),
        ({"onboarding_topics": -1}, r"--onboarding-topics\b.*-1\b"),
        ({"onboarding_topics": 1, "onboarding_writers": 0}, r"--onboarding-writers\b.*\b0\b"),
        ({"launch": True}, "contact"),
        ({"topics": 3}, r"\b2\b"),
        ({"topic": ["t1", "t9"]}, "'t9'"),
        ({"passages": 0}, r"--passages\b.*\b1\b"),
        ({"styles": ["poem"]}, r"--styles\b.*\bpoem\b.*\bbullet, essay, news"),
        ({"pay": "much"}, "--pay .*'much'"),
    ],
)
def test_it_refuses_with_a_sentence_and_writes_nothing(options, shown):
    with pytest.raises(CommandError, match=shown):
        create(**({"write": True} | options))
    assert not Study.objects.exists()
