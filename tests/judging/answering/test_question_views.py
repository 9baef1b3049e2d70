"""The remembered HTML of questions: the same as fresh HTML, and without words of workers."""

from dataclasses import replace

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from judging.answering import question_views
from judging.answering.fragments import HOLE
from judging.answering.page_layout import pages_of
from judging.answering.pages import page_questions
from judging.answering.recording import questions_of
from judging.answering.saved_answers import SavedAnswer
from judging.instruments.schema import QuestionSpec, ScaleSpec
from judging.items.drawing import draw_presentations
from tests.cast import PREFERENCE, begun, bob, small_study, tiny_instrument

pytestmark = pytest.mark.django_db
WORDS = ScaleSpec("words", "text")
POINTS = ScaleSpec("points", "range", min=1, max=5, low_label="bad", high_label="good")


@pytest.fixture
def views():
    """Return a function that makes the views of a page with these answers by key and slot."""
    instrument = tiny_instrument(
        scales=[PREFERENCE, WORDS, POINTS],
        questions=[
            QuestionSpec("better", "better", "preference", "Which?", justification=True),
            QuestionSpec("why", "better", "words", "Why?"),
            QuestionSpec("good", "better", "points", "How good?", arity="slot"),
        ],
    )
    assignment = begun(small_study(instrument=instrument, responses=2), bob())
    page = pages_of(draw_presentations(assignment=assignment), study=assignment.study)[0]
    questions = questions_of(assignment.study_id)
    pks = {key: question.pk for some in questions.values() for key, question in some.items()}

    def of(answers):
        given = {
            (page.first.item_id, pks[key], slot): answer for (key, slot), answer in answers.items()
        }
        return page_questions(page=page, questions=questions, given=given)

    question_views._remembered.cache_clear()
    return of


def fresh(view):
    """Return the HTML as the template makes it with the attributes of its only field."""
    (place,) = [field.place for field in view.fields]
    return render_to_string("judging/_question.html", {"view": view, "hole": place})


def test_remembered_questions_are_those_of_the_template(views):
    answers = [
        {},
        {("better", ""): SavedAnswer("a", "", 7)},
        {
            ("better", ""): SavedAnswer("b", "It's <b>shorter</b>", 8),
            ("why", ""): SavedAnswer("So & so", "", 9),
        },
        {("better", ""): SavedAnswer("b", "", 10)},
        {("better", ""): SavedAnswer("a", "", 11)},
    ]
    for given in answers:
        for view in views(given)[:2]:
            assert view.html == fresh(view)


def test_fields_of_several_slots_get_their_own_numbers(views):
    given = {("good", "a"): SavedAnswer("3", "", 41), ("good", "b"): SavedAnswer("3", "", 42)}
    *_, made = views(given)
    for view in (made, replace(made)):  # the second is remembered
        parts = view.html.split("data-field ")[1:]
        numbers = {field.slot: field.number for field in view.fields}
        assert len(parts) == 2
        for part in parts:
            slot = part.split('data-slot="')[1][0]
            assert f'data-number="{numbers[slot]}"' in part.split(">")[0]


def test_answers_to_choose_from_are_remembered_and_words_are_not(views):
    remembered = question_views._remembered.cache_info
    for number in (1, 2):
        for view in views({("better", ""): SavedAnswer("a", "", number)}):
            assert f'data-number="{number if view.mark == "better" else 0}"' in view.html
    assert (remembered().misses, remembered().hits) == (3, 3)
    better, why, _ = views(
        {("better", ""): SavedAnswer("a", "my reason", 3), ("why", ""): SavedAnswer("mine", "", 4)}
    )
    assert "my reason" in better.html
    assert "mine" in why.html
    assert remembered().currsize == 3


def test_a_question_is_remembered_once_a_language(views):
    better, *_ = views({})
    pages = []
    for language in ("en-gb", "de", "en-gb"):
        with translation.override(language):
            pages.append(better.html)
    assert pages[0] == pages[2] != pages[1]


def test_another_version_of_a_question_is_not_the_remembered_one(views):
    first, *_ = views({})
    assert "Which?" in first.html
    question = type(first.question).objects.get(pk=first.question.pk)
    question.text = "Which one?"
    assert "Which one?" in replace(first, question=question).html


def test_a_text_cannot_have_a_hole(views):
    first, *_ = views({})
    question = type(first.question).objects.get(pk=first.question.pk)
    question.text = HOLE + ""
    question.criterion.definition = f"The hole {HOLE}"
    html = replace(first, question=question).html
    assert html.count("data-number=") == 1
