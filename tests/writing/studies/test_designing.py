"""A writing study from an instrument: its brief, its tasks, who gets which."""

import pytest

from tests.cast import NOW, alice, begun, bob, handed_in, writing_study

pytestmark = pytest.mark.django_db


def test_it_copies_the_instrument():
    study = writing_study()
    assert study.kind == "writing"
    assert [style["style"] for style in study.brief.styles] == ["bullet", "essay", "news"]
    assert study.brief.low_words < study.brief.target_words < study.brief.high_words
    assert {field["key"] for field in study.entry_form} >= {"worker_knowledge", "query_answerable"}
    labels = [field["label"] for field in study.entry_form]
    assert "Can this query be answered in 250 words?" in labels


def test_it_makes_a_task_of_each_topic_in_each_style():
    study = writing_study(topics=2, styles=("bullet", "news"))
    tasks = study.batches.get().tasks.all()
    assert {task.key for task in tasks} == {"t1:bullet", "t1:news", "t2:bullet", "t2:news"}
    assert {task.places.count() for task in tasks} == {1}


def test_it_gives_a_writer_each_topic_once():
    from annotation.fieldwork.work import assigning
    from annotation.fieldwork.work.refusals import NothingNew

    study = writing_study(topics=2, styles=("bullet", "news"), cap=4)
    topics = set()
    for _ in range(2):
        assignment = begun(study, alice())
        topics.add(assignment.task.writing_task.topic_id)
        handed_in(assignment, now=NOW)
    assert len(topics) == 2
    with pytest.raises(NothingNew):
        assigning.claim(study=study, worker=alice(), now=NOW)
    assert assigning.claim(study=study, worker=bob(), now=NOW)


def test_it_refuses_a_batch_without_topics():
    from writing.studies.designing import NothingToWrite, write_tasks

    study = writing_study()
    with pytest.raises(NothingToWrite):
        write_tasks(study=study, topics=[])
