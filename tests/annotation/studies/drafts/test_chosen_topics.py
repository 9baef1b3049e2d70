"""The topics that a researcher chose for a study of any kind: they take part, and no other."""

import re
from typing import Any

import msgspec
import pytest

from annotation.corpora.systems import topics_of
from annotation.fieldwork.trials.making import make_trial
from annotation.models import Corpus, Draft, Study, Task
from annotation.studies.drafts import document_files, making
from annotation.studies.drafts.faults import FaultContext, faults_of
from annotation.studies.drafts.kinds import decoded, kind_of
from annotation.studies.drafts.launching import launch
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.plan_results import digest_of_design
from annotation.studies.drafts.schema import Design, Onboarding
from judging.models import TaskItem
from tests.annotation.fieldwork.trials.rows import writing_document
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW, rita
from tests.hooks import numbers
from writing.models import WritingTask

pytestmark = pytest.mark.django_db
DOCUMENTS = {"judging": judging_document, "writing": writing_document}
KINDS = pytest.mark.parametrize("kind", DOCUMENTS)


def document_with(kind: str, *, keys: Any = None, topics: int | None = None, **said: Any) -> Any:
    """Of a corpus of three topics or more, t1, t2 and so on."""
    document = DOCUMENTS[kind]()
    corpus = Corpus.objects.get(slug=document.corpus)
    for number in range(corpus.topics.count() + 1, 4):
        copied(corpus, f"t{number}")
    design = Design(chosen_topics=keys, topics=topics, **said)
    return msgspec.structs.replace(document, design=design)


def copied(corpus: Corpus, key: str) -> None:
    """Create a topic with the texts of the first."""
    first = corpus.topics.order_by("pk").first()
    assert first
    topic = corpus.topics.create(key=key, query=f"about {key}")
    for response in first.responses.all():
        response.pk, response.topic, response.key = None, topic, f"{key}{response.key}"
        response.save(force_insert=True)


def about(study: Study) -> set[str]:
    """Return the topics of its tasks."""
    if study.kind == "writing":
        rows = WritingTask.objects.filter(task__batch__study=study)
        return set(rows.values_list("topic__key", flat=True))
    rows = TaskItem.objects.filter(task__batch__study=study)
    return set(rows.values_list("item__topic__key", flat=True))


def faulty(document: Any) -> dict[str, str]:
    return {fault.path: fault.sentence for fault in faults_of(document)}


def launched(document: Any) -> Study:
    return launch(draft=drafted(document), revision=0, user=None, now=NOW)


@KINDS
def test_a_launched_study_is_about_the_chosen_topics_alone(kind):
    document = document_with(kind, keys=["t1", "t3"])
    assert faulty(document) == {}
    outline = kind_of(kind).outline(document, Corpus.objects.get())
    study = launched(document)
    assert about(study) == {"t1", "t3"}
    assert set(study.corpus.topics.filter(pk__in=outline.topics).values_list("key", flat=True)) == {
        "t1",
        "t3",
    }
    assert Task.objects.filter(batch__study=study).count() == outline.tasks


@KINDS
def test_a_study_says_which_topics_were_chosen_without_its_draft(kind):
    document = document_with(kind, keys=["t1", "t3"])
    study = launched(document)
    Draft.objects.all().delete()
    design = making.document_of(Study.objects.get(pk=study.pk)).design
    assert (design.chosen_topics, design.topics) == (["t1", "t3"], None)
    whole = launched(msgspec.structs.replace(document, slug="whole", design=Design()))
    Draft.objects.all().delete()
    assert making.document_of(Study.objects.get(pk=whole.pk)).design.chosen_topics is None


@KINDS
def test_of_chosen_topics_some_can_be_drawn_by_chance(kind):
    document = document_with(kind, keys=["t1", "t3"], topics=1)
    corpus = Corpus.objects.get()
    drawn = {
        kind_of(kind).outline(with_seed(document, seed), corpus).topics for seed in range(1, 12)
    }
    pks = corpus.topics.filter(key__in=["t1", "t3"]).values_list("pk", flat=True)
    assert drawn == {(pk,) for pk in pks}


def with_seed(document: Any, seed: int) -> Any:
    design = msgspec.structs.replace(document.design, seed=seed)
    return msgspec.structs.replace(document, design=design)


@KINDS
def test_a_chosen_topic_that_is_gone_is_a_fault_at_its_field(kind):
    document = document_with(kind, keys=["t1", "gone", "t2"])
    faults = faulty(document)
    assert list(faults) == ["design/chosen_topics"]
    assert re.findall("'.*?'", faults["design/chosen_topics"]) == ["'gone'"]


@KINDS
def test_no_topic_at_all_and_more_than_are_chosen_are_faults(kind):
    document = document_with(kind, keys=[])
    assert faulty(document) == {"design/chosen_topics": "Select topics."}
    more = msgspec.structs.replace(document, design=Design(chosen_topics=["t1", "t2"], topics=3))
    assert numbers(faulty(more)["design/topics"]) == [2]


def test_a_chosen_topic_without_passages_cannot_be_written_about():
    document = document_with("writing", keys=["t1", "bare"])
    Corpus.objects.get().topics.create(key="bare", query="of nothing")
    faults = faulty(document)
    assert list(faults) == ["design/chosen_topics"]
    assert re.findall("'.*?'", faults["design/chosen_topics"]) == ["'bare'"]


def test_newcomers_write_about_some_of_the_chosen_topics():
    document = document_with("writing", keys=["t1", "t3"])
    document = msgspec.structs.replace(document, onboarding=Onboarding(topics=1))
    study = launched(document)
    assert about(study) == {"t1", "t3"}
    assert sorted(batch.onboarding for batch in study.batches.all()) == [False, True]
    both = msgspec.structs.replace(document, onboarding=Onboarding(topics=2))
    assert "onboarding/topics" in faulty(both)


@KINDS
def test_topics_that_are_added_later_are_those_that_were_not_chosen(kind):
    study = launched(document_with(kind, keys=["t1", "t3"]))
    (batch,) = study.batches.all()
    assert kind_of(kind).topics_left(study) == 1
    made = kind_of(kind).add_topics(batch=batch, topics=1, name="more")
    assert about(study) == {"t1", "t2", "t3"}
    assert made.design.get("chosen_topics") is None
    assert making.document_of(study).design.chosen_topics == ["t1", "t3"]


@KINDS
def test_a_trial_is_about_chosen_topics(kind):
    document = document_with(kind, keys=["t3"])
    trial = make_trial(draft=drafted(document), user=rita(), now=NOW)
    assert about(Study.every.get(pk=trial.study_id)) == {"t3"}


@KINDS
def test_the_choice_goes_out_and_comes_in_with_the_document(kind):
    document = document_with(kind, keys=["t1", "t3"])
    assert document_files.read(document_files.file_of(document), name="study.json") == document
    older = plain(document)
    del older["design"]["chosen_topics"]
    assert decoded(older).design.chosen_topics is None
    corpus = Corpus.objects.get()
    all_of_them = msgspec.structs.replace(document, design=Design())
    assert digest_of_design(document, corpus) != digest_of_design(all_of_them, corpus)


def test_the_chosen_topics_of_many_documents_take_one_query(django_assert_num_queries):
    documents = [document_with("judging", keys=["t1"])]
    documents.append(msgspec.structs.replace(documents[0], slug="other"))
    with django_assert_num_queries(3):
        FaultContext.of(documents)
    assert topics_of(Corpus.objects.get(), chosen=["t1", "none"]).count() == 1
