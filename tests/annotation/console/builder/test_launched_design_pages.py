"""What workers of a launched study see, for its researchers."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotation.models import Assignment, Consent, Worker
from judging.models import Presentation
from tests.cast import bob, draft_study, rita, small_study, submitted, writing_study

FORMULAS = re.compile(r"<script type=\"module\"[^>]*data-katex[^>]*></script>")
pytestmark = pytest.mark.django_db
KINDS = {"judging": small_study, "writing": writing_study}


def page(study, screen):
    client = Client()
    client.force_login(rita())
    return client.get(reverse("study_page", args=[study.slug, study.version, screen]))


@pytest.mark.parametrize(
    ("kind", "screen"),
    [
        ("judging", "consent"),
        ("judging", "instructions"),
        ("judging", "page"),
        ("judging", "finish"),
        ("writing", "entry"),
        ("writing", "page"),
        ("writing", "finish"),
    ],
)
def test_a_page_of_a_study_is_that_of_its_first_task_and_leaves_nothing(kind, screen):
    study = KINDS[kind]()
    answer = page(study, screen)
    assert answer.status_code == 200
    assert "<script" not in FORMULAS.sub("", answer.text)
    assert "Opening" not in answer.text  # no script would ever say that it is open
    for left in (Assignment, Worker, Consent, Presentation):
        assert not left._base_manager.exists()


def test_a_judge_s_page_shows_texts_of_the_study_itself():
    study = small_study()
    assert "about lamp 1" in page(study, "page").text


def test_a_study_whose_places_are_all_taken_is_shown_all_the_same():
    study = small_study()
    submitted(study, bob())
    assert study.batches.get().state == "closed"
    assert "about lamp 1" in page(study, "page").text


def test_a_study_that_asks_first_who_may_begin_shows_its_pages():
    question = {"key": "age", "label": "Are you old?", "options": [{"code": "y", "label": "Yes"}]}
    study = small_study(screening={"questions": [question]})
    assert page(study, "page").status_code == 200


def test_a_study_without_tasks_shows_a_small_one():
    assert page(draft_study(), "page").status_code == 200


@pytest.mark.parametrize(("kind", "most"), [("judging", 10), ("writing", 9)])
def test_it_takes_few_queries(kind, most, django_assert_max_num_queries):
    study = KINDS[kind]()
    client = Client()
    client.force_login(rita())
    with django_assert_max_num_queries(most):
        client.get(reverse("study_page", args=[study.slug, study.version, "page"]))
