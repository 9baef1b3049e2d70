"""The order of questions: as in the method, or random per participant and stored."""

import itertools
import re

import pytest
from django.urls import reverse

from analysis.exports.source import ExportSource
from analysis.exports.votes_and_labels import votes
from annotation.fieldwork.work.preview_assignments import imagined_work
from annotation.models import Study
from annotation.studies.drafts.columns import columns_of
from annotation.studies.drafts.schema import Design, Document
from judging.instruments.schema import QuestionSpec
from judging.items.drawing import draw_presentations, looked_at
from judging.models import Presentation
from tests.cast import (
    NOW,
    begun,
    bob,
    charlie,
    draft_study,
    open_study,
    submitted,
    tiny_instrument,
    worker,
)

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
KEYS = ["one", "two", "three", "four"]


def study_of(order=Study.QuestionOrder.DRAWN):
    questions = [QuestionSpec(key, "better", "preference", f"Is it {key}?") for key in KEYS]
    method = tiny_instrument(questions=questions)
    return open_study(draft_study(instrument=method, responses=3, question_order=order), quota=9)


def shown(client, work, position=1):
    """Return the keys of the questions as the page has them."""
    html = client.get(reverse("judging:item", args=[work.token, position])).content.decode()
    return re.findall('data-question-block="([^"]+)"', html)


def test_a_drawn_order_is_the_same_on_all_pages_and_when_they_are_opened_again(client):
    work = begun(study_of(), bob())
    order = shown(client, work)
    assert sorted(order) == sorted(KEYS)
    assert [shown(client, work, page) for page in (1, 2, 3)] == [order] * 3
    stored = Presentation.objects.filter(assignment=work).values_list("question_order", flat=True)
    assert list(stored) == [order] * 3
    again = [page.question_order for page in draw_presentations(assignment=work)]
    assert again == [order] * 3


def test_workers_have_different_orders():
    study = study_of()
    works = [begun(study, worker(f"worker-{number}")) for number in range(6)]
    orders = {tuple(draw_presentations(assignment=work)[0].question_order) for work in works}
    assert len(orders) > 1
    assert orders <= set(itertools.permutations(KEYS))


def test_a_fixed_order_is_that_of_the_method(client):
    work = begun(study_of(Study.QuestionOrder.FIXED), bob())
    assert shown(client, work) == KEYS
    assert [page.question_order for page in Presentation.objects.all()] == [[], [], []]


def test_votes_name_the_place_of_their_question():
    study = study_of()
    works = [submitted(study, person) for person in (bob(), charlie())]
    order_of = {
        work.worker.pseudonym: draw_presentations(assignment=work)[0].question_order
        for work in works
    }
    rows = list(votes(ExportSource.of(study)))
    assert len(rows) == 2 * 3 * len(KEYS)
    for row in rows:
        assert order_of[row["worker"]][row["question_position"] - 1] == row["question"]


def test_votes_of_a_fixed_order_have_its_places():
    study = study_of(Study.QuestionOrder.FIXED)
    submitted(study, bob())
    rows = votes(ExportSource.of(study))
    assert {row["question"]: row["question_position"] for row in rows} == {
        key: place for place, key in enumerate(KEYS, start=1)
    }


def test_the_setting_is_a_column_of_the_study():
    document = Document(kind="judging", design=Design(question_order="drawn"))
    assert columns_of(document)["question_order"] == Study.QuestionOrder.DRAWN


def test_a_preview_shows_a_drawn_order_and_stores_none():
    task = study_of().batches.get().tasks.get()
    pages = looked_at(assignment=imagined_work(task, now=NOW))
    orders = [page.question_order for page in pages]
    assert sorted(orders[0]) == sorted(KEYS)
    assert orders == [orders[0]] * 3
    assert not Presentation.objects.exists()
