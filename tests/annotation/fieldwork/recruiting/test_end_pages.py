"""What people read whose work ended early: what they earn, and whom they can write to."""

from datetime import UTC, datetime

import pytest
from django.template import Context, Template

from annotation.fieldwork.platforms.fake_prolific import pages
from annotation.fieldwork.platforms.fake_prolific.api import FakeRequest
from annotation.fieldwork.platforms.outcomes import Outcome
from annotation.fieldwork.work import ending
from tests.annotation.fieldwork.recruiting.prolific.fakes import Fake
from tests.cast import NOW, begun, small_study, worker

pytestmark = pytest.mark.django_db


def ended(client, outcome, **settings):
    study = small_study(pay="3.00", **settings)
    work = begun(study, worker("bob"))
    ending.end(assignment=work, outcome=outcome, now=NOW)
    return client.get(f"/w/{work.token}/done/").text


@pytest.mark.parametrize("recruitment", ["prolific", "link"])
def test_the_screened_out_are_told_what_they_earn(client, recruitment):
    text = ended(
        client, Outcome.SCREENED_OUT, recruitment=recruitment, screening={"reward": "0.20"}
    )
    assert 'data-paid="yes"' in text
    assert "0.20 USD" in text


def test_the_screened_out_are_told_that_nothing_is_paid(client):
    text = ended(client, Outcome.SCREENED_OUT, recruitment="prolific", screening={"reward": "0"})
    assert 'data-paid="no"' in text
    assert "0.00" not in text


@pytest.mark.parametrize("recruitment", ["prolific", "link"])
def test_a_failed_check_says_what_is_paid_and_whom_to_write_to(client, recruitment):
    text = ended(client, Outcome.FAILED_CHECK, recruitment=recruitment)
    assert 'data-paid="no"' in text
    assert f'data-ask="{"prolific" if recruitment == "prolific" else "receipt"}"' in text


def test_a_code_after_a_time_out_is_taken_on_the_page_as_by_the_control_address():
    fake = Fake()
    study = fake.published()
    for way in ("page", "control"):
        took = fake.http.post("/take/", data={"study": study, "person": "Alice"})
        if way == "control":
            took = fake.http.post("/take/", data={"study": study, "person": "Bob"})
        submission = list(fake.world.submissions)[-1]
        fake.control(f"submissions/{submission}/time-out/")
        if way == "page":
            cookie = took.headers["Set-Cookie"].split(";")[0]
            request = FakeRequest(
                "GET", "/submissions/complete", {"cc": "DONE"}, {"Cookie": cookie}
            )
            assert pages.answer(fake.api, request).status == 200
        else:
            fake.control(f"submissions/{submission}/complete/", code="DONE")
        there = fake.world.submission(submission)
        assert (there.status, there.entered_code) == ("TIMED-OUT", "DONE")


def test_a_moment_names_its_zone_for_the_browser_and_a_day_has_none():
    template = Template('{% load moments %}{{ at|moment:"j M Y, H:i" }}')
    at = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
    shown = template.render(Context({"at": at}))
    assert shown == '<time datetime="2026-03-02T09:00:00+00:00">2 Mar 2026, 09:00</time>'
    assert template.render(Context({"at": None})) == ""
    day = Template('{% load moments %}{{ at|moment:"j M Y" }}')
    assert day.render(Context({"at": at.date()})) == "2 Mar 2026"
