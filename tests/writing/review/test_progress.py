"""How the texts of a study are doing, on its page: by style, in active time, words and verdicts."""

import pytest
from django.utils.html import strip_tags

from annotation.fieldwork.review import reviewing
from annotation.models import Assignment
from annotation.studies.active_time import earnings_of
from annotation.texts.words import count_words
from tests.cast import HOUR, MINUTE, NOW, rita, writing_study
from tests.hooks import element
from writing.models import Writing
from writing.process import measuring
from writing.review.progress import progress_of
from writing.studies.simulating import SimulatedWriter, simulate

pytestmark = pytest.mark.django_db


def study_with_texts(**settings):
    """Three texts for four places; the first is accepted."""
    study = writing_study(topics=2, styles=("essay", "bullet"), passages=8, pay=2, **settings)
    works = [
        simulate(study=study, writer=SimulatedWriter(f"w{n}"), arrived=NOW, words=20)
        for n in range(3)
    ]
    reviewing.decide(assignment=works[0], decision="accept", reviewer="rita", now=NOW + HOUR)
    return study, works


def test_nothing_is_known_of_a_study_that_nobody_wrote_for():
    study = writing_study(topics=2)
    progress = progress_of(study)
    (style,) = progress.styles
    assert (style.places, style.written, style.words, style.active_seconds) == (2, 0, None, None)
    assert (progress.texts, progress.words, progress.flagged) == (0, None, 0)
    assert earnings_of(study).wage is None


def test_works_are_counted_by_style_and_state():
    study, works = study_with_texts()
    Assignment.objects.filter(pk=works[1].pk).update(state="active", submitted_at=None)
    style_by_name = {style.name: style for style in progress_of(study).styles}
    assert sum(style.places for style in style_by_name.values()) == 4
    assert sum(style.accepted for style in style_by_name.values()) == 1
    assert sum(style.waiting for style in style_by_name.values()) == 1
    assert sum(style.at_work for style in style_by_name.values()) == 1
    assert sum(style.written for style in style_by_name.values()) == 2
    assert list(style_by_name) == ["Bullet points", "Essay"]


def test_medians_and_the_wage_are_of_the_active_time_that_was_measured():
    study, works = study_with_texts()
    assert progress_of(study).measured == 0
    assert earnings_of(study).wage is None
    assert earnings_of(study).untimed == 3
    minutes = []
    for work in works:
        record = measuring.measure(assignment=work, now=NOW + HOUR)
        minutes.append(record.values["active_minutes"][0])
    progress = progress_of(study)
    middle = sorted(minutes)[1]
    assert (progress.texts, progress.measured) == (3, 3)
    assert progress.active_seconds == pytest.approx(60 * middle)
    assert earnings_of(study).wage == pytest.approx(3 * 2 * 60 / sum(minutes))
    assert earnings_of(study).active == pytest.approx(middle)
    counts = sorted(count_words(text) for text in Writing.objects.values_list("text", flat=True))
    assert progress.words == counts[1]
    assert progress.in_range == 0


def test_verdicts_are_counted():
    study, works = study_with_texts()
    for work, verdict in zip(works, ["equal", "differs", "incomplete"], strict=True):
        Writing.objects.filter(assignment=work).update(verdict=verdict)
    progress = progress_of(study)
    assert (progress.equal, progress.differs, progress.incomplete) == (1, 1, 1)


def test_the_page_says_it_and_leads_to_the_queue(client):
    client.force_login(rita())
    study, works = study_with_texts()
    for work in works:
        measuring.measure(assignment=work, now=NOW + 30 * MINUTE)
    page = client.get(study.get_absolute_url()).content.decode()
    assert "0 of 3 have 200 to 300" in strip_tags(page)
    assert f"{study.get_absolute_url()}review/?list=all&amp;order=evidence" in page
    assert element(page, "data-figure", "wage")
    files = client.get(f"{study.get_absolute_url()}exports/").content.decode()
    assert f"{study.get_absolute_url()}review/logs/idfx/" in files
