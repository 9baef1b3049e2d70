"""Texts shorter than was asked for, or sooner than expected, are marked wherever work is listed."""

from datetime import timedelta

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from analysis.pages.entities.assignments import _marked as asked_for_marked
from analysis.pages.entities.assignments import works_of
from analysis.pages.entities.flags import Standard, marks_of
from analysis.pages.review import queued_work
from annotation.models import Study
from tests.cast import NOW, alice, begun, bob, rita, writing_study
from tests.hooks import element, numbers
from writing.editor import drafting
from writing.models import Brief, Writing
from writing.review import progress, terms

BRIEF = Brief(low_words=200, high_words=300)


def rules(words, seconds, least=300):
    return terms.rules(
        words=words,
        began=NOW,
        submitted=NOW + timedelta(seconds=seconds),
        brief=BRIEF,
        least=least,
    )


def test_a_text_is_marked_below_the_least_words_and_the_least_time_and_not_from_them_on():
    assert rules(199, 299) == ("short", "fast")
    assert rules(200, 300) == ()
    assert rules(4_000, 300) == ()  # longer than asked for is no mark
    assert rules(250, 299, least=0) == ()


def test_work_without_times_gets_no_flag_about_time():
    assert rules(250, 0) == ()
    assert terms.rules(words=250, began=None, submitted=NOW, brief=BRIEF, least=300) == ()


@given(words=st.integers(0, 400), seconds=st.integers(0, 1000), least=st.integers(0, 1000))
def test_more_words_and_more_time_never_add_a_mark(words, seconds, least):
    found = set(rules(words, seconds, least))
    assert set(rules(words + 1, seconds, least)) <= found
    if seconds:
        assert set(rules(words, seconds + 1, least)) <= found


def handed_in(study, person, text, *, minutes):
    work = begun(study, person, now=NOW)
    drafting.acknowledge(assignment=work, now=NOW, answers={})
    at = NOW + timedelta(minutes=minutes)
    drafting.submit(assignment=work, text=text, last_number=0, now=at, exit_answers={}, lost=True)
    work.refresh_from_db()
    return work


@pytest.fixture
def study(db):
    study = writing_study(topics=2)
    Study.objects.filter(pk=study.pk).update(entry_form=[], exit_form=[], minimum_seconds=300)
    return Study.objects.get(pk=study.pk)


@pytest.fixture
def short(study):
    return handed_in(study, alice(), "Lamps shine [0]. " * 10, minutes=2)


@pytest.fixture
def enough(study):
    return handed_in(study, bob(), "Lamps shine [0]. " * 110, minutes=20)


def test_the_words_that_were_handed_in_are_kept_without_citations(short):
    assert Writing.objects.get(assignment=short).words == 20


def test_queue_list_overview_and_pages_mark_the_same_work(study, short, enough, client):
    by_pk = {work.pk: work.marks for work in queued_work.every(study)}
    assert by_pk[short.pk][:2] == ("short", "fast")
    assert not {"short", "fast"} & set(by_pk[enough.pk])
    held = {pk for pk, marks in by_pk.items() if marks}
    listed = set(
        works_of(study).filter(asked_for_marked(study, "yes")).values_list("pk", flat=True)
    )
    assert listed == held
    assert progress.progress_of(study).flagged == len(held)
    said = marks_of(works_of(study).get(pk=short.pk), Standard.of(study))
    assert [numbers(sentence) for sentence in said[:2]] == [[20, 200, 300], [2, 5]]
    client.force_login(rita())
    page = client.get(reverse("review_work", args=[study.slug, study.version, short.pk]))
    assert {20, 200, 300} <= set(element(page.text, "class", "facts-line").numbers)
    for sentence in said[:2]:
        assert sentence in page.text
    panel = client.get(reverse("review_panel", args=[study.slug, study.version, short.pk]))
    for sentence in said[:2]:
        assert sentence in panel.text
    kept = client.get(reverse("review_work", args=[study.slug, study.version, enough.pk])).text
    assert not any(sentence in kept for sentence in said[:2])


def test_the_queue_names_and_finds_short_texts(study, short, enough, client):
    client.force_login(rita())
    page = client.get(reverse("review", args=[study.slug, study.version]), {"mark": "short"})
    assert [row["work"].pk for row in page.context["rows"]] == [short.pk]
    assert "selected" in element(page.text, "value", "short").attributes
