"""The title and description of a study at Prolific: filled in, in its few tags, editable."""

import re
from decimal import Decimal

import pytest

from annotation.fieldwork.platforms.fake_prolific import pages
from annotation.fieldwork.recruiting import adverts
from annotation.fieldwork.recruiting.adverts import Advert, checked, proposed
from annotation.fieldwork.recruiting.prolific import offers
from judging.instruments import files
from tests.annotation.fieldwork.recruiting.prolific.fakes import Fake
from tests.cast import small_study
from tests.refusals import refused

pytestmark = pytest.mark.django_db
SCREENING = {"questions": [{"key": "a"}, {"key": "b"}], "reward": "0.20", "pass_mark": 1}


def described(study):
    return str(proposed(study).description)


@pytest.mark.parametrize(
    ("name", "language"),
    [("ab-comparison", "en"), ("ab-comparison", "de"), ("answer-quality", "en")],
)
def test_the_proposed_description_has_no_placeholder_and_no_markdown(name, language):
    study = small_study(recruitment="prolific", pay=Decimal("3.25"), minutes=17)
    study.instructions, study.language = files.load(name, language).instructions, language
    html = described(study)
    assert not re.search(r"[{}#]|\*\*|\|", html)
    assert "17" in html
    assert "3.25" in html or "3,25" in html
    assert set(re.findall(r"</?([a-z0-9]+)", html)) <= adverts.TAGS


def test_the_proposal_says_what_screening_pays():
    paid = small_study(recruitment="prolific", pay="3.00", screening=SCREENING)
    assert "2 short questions" in described(paid)
    assert "0.20 USD" in described(paid)
    paid.screening = SCREENING | {"reward": "0"}
    assert "without pay" in described(paid)
    paid.screening = {}
    assert "question" not in described(paid)


def test_it_is_on_the_terms_of_the_batch_that_is_offered():
    study = small_study(recruitment="prolific", pay="3.00")
    study.batches.update(pay="4.50", minutes=33)
    payload = offers.payload_of(offers.current_offer(study))
    assert "4.50 USD" in payload["description"]
    assert "33 minutes" in payload["description"]


def test_headings_become_bold_and_nothing_in_it_acts():
    text = "## Hello\n\n<script>x</script> [a](https://example.org) **b** *i*\n\n- one"
    html = str(Advert("t", text).description)
    assert "<p><b>Hello</b></p>" in html
    assert "<b>b</b> <i>i</i>" in html
    assert "<script" not in html
    assert "href" not in html
    assert "<li>one</li>" in html


@pytest.mark.parametrize(
    ("title", "text", "code"),
    [
        ("", "Text", "NoAdvertText"),
        ("  ", "Text", "NoAdvertText"),
        ("Title", "", "NoAdvertText"),
        ("Title", "<!-- -->".replace("<!-- -->", " "), "NoAdvertText"),
        ("x" * 256, "Text", "TitleTooLong"),
        ("Title", "word " * 1000, "DescriptionTooLong"),
        ("Title", "Number of pairs: {items}", "UnfilledPlaceholder"),
        ("For {pay}", "Text", "UnfilledPlaceholder"),
    ],
)
def test_what_prolific_would_refuse_is_refused_with_a_reason(title, text, code):
    with refused(code):
        checked(title=title, text=text)


def test_instructions_that_are_too_long_leave_the_facts():
    study = small_study(recruitment="prolific", pay="3.00")
    study.instructions = "Read carefully. " * 400
    html = described(study)
    assert len(html) <= adverts.MAX_DESCRIPTION
    assert "3.00 USD" in html


def test_the_trial_prolific_shows_the_description():
    fake = Fake()
    fake.published(description="<p>Read <b>both</b></p><script>x()</script>")
    text = fake.http.get("/").text
    assert "Read <b>both</b>" in text
    assert "<script>" not in text
    assert pages.TAGS == adverts.TAGS
