"""Empty answers are shown, judged and exported as such; withdrawn texts are not."""

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils import translation

from analysis.exports.source import ExportSource
from analysis.exports.texts import responses
from annotation.corpora.systems import responses_of
from annotation.fieldwork.work.refusals import Incomplete
from annotation.models import Assignment, Response
from judging.answering.recording import require_complete
from judging.calls.forgetting import forget_erased
from judging.items.segments import NO_ANSWER
from judging.machines.item_prompts import materials
from tests.cast import begun, bob, small_corpus, small_study
from tests.hooks import elements

pytestmark = pytest.mark.django_db


def study_with(**first):
    """Return a study of two texts, the first of which has these fields."""
    corpus = small_corpus(responses=2)
    Response.objects.filter(pk=corpus.responses.order_by("pk")[0].pk).update(**first)
    return small_study(corpus=corpus, instrument="crowdrag-pairwise")


def page_of(client, study):
    work = begun(study, bob())
    return client.get(reverse("judging:item", args=[work.token, 1])).content.decode()


EMPTY = {"text": "", "is_empty": True, "words": 0}
ERASED = {"text": "", "is_empty": False, "words": 0}


def test_page_marks_an_empty_answer_and_asks_about_it(client):
    study = study_with(**EMPTY)
    page = page_of(client, study)
    (note,) = elements(page, "data-empty-answer")
    assert note.attributes["role"] == "note"
    assert note.text.strip() == str(NO_ANSWER)
    with pytest.raises(Incomplete) as refused:
        require_complete(assignment=Assignment.objects.get(task__batch__study=study))
    assert refused.value.positions == [1]


def test_words_for_an_empty_answer_are_in_the_language_of_the_page():
    with translation.override("de"):
        assert translation.gettext(NO_ANSWER) != str(NO_ANSWER)


def test_llm_judge_reads_the_words_that_people_read():
    study = study_with(**EMPTY)
    (material,) = materials(list(study.items.all())).values()
    assert str(NO_ANSWER) in material.words.values()


def test_withdrawn_text_is_no_empty_answer(client):
    study = study_with(text="word", words=1)
    Response.objects.filter(pk=Response.objects.order_by("pk")[0].pk).update(**ERASED)
    assert not elements(page_of(client, study), "data-empty-answer")
    assert materials(list(study.items.all())) == {}


@pytest.mark.parametrize(("first", "count"), [(EMPTY, 2), (ERASED, 1)])
def test_empty_answers_are_material_of_studies_and_withdrawn_ones_are_not(first, count):
    corpus = small_corpus(responses=2)
    Response.objects.filter(pk=corpus.responses.order_by("pk")[0].pk).update(**first)
    assert responses_of(corpus).count() == count


def test_calls_about_an_empty_answer_are_kept():
    study_with(**EMPTY)
    assert forget_erased() == 0


@pytest.mark.parametrize(("first", "is_empty"), [(EMPTY, True), (ERASED, False)])
def test_export_tells_an_empty_answer_from_a_withdrawn_text(first, is_empty):
    study = study_with(text="word", words=1)
    Response.objects.filter(pk=Response.objects.order_by("pk")[0].pk).update(**first)
    rows = {row["text"]: row["is_empty"] for row in responses(ExportSource.of(study))}
    assert rows[""] is is_empty


def test_database_refuses_words_in_an_empty_answer():
    corpus = small_corpus(responses=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        corpus.responses.update(is_empty=True, words=3)
