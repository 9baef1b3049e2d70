"""No line of a log lets its reader act for a worker."""

import io
import logging

import pytest
import structlog
from django.test import Client

from config.logs import logging_config, masked
from tests.cast import begun, bob, small_study

TOKEN = "Zm9v-YmFy_abcdefgh1234"


@pytest.fixture
def lines():
    """Return a server's stderr so far."""
    made = dict(logging_config("INFO")["formatters"]["line"])
    written = io.StringIO()
    handler = logging.StreamHandler(written)
    handler.setFormatter(made.pop("()")(**made))
    logging.getLogger().addHandler(handler)
    yield written.getvalue
    logging.getLogger().removeHandler(handler)


@pytest.mark.parametrize(
    "line",
    [
        f"Not Found: /w/{TOKEN}/judging/finish/",
        f"GET http://localhost:8000/w/{TOKEN}/ HTTP/1.1",
        f"/login/?next=/w/{TOKEN}",
        f"next=%2Fw%2F{TOKEN}",
        f"<WSGIRequest: GET '/w/{TOKEN}/'>",
        f"/s/lamps/?PROLIFIC_PID={TOKEN}&STUDY_ID=1&SESSION_ID={TOKEN}",
        f"/s/lamps/?person={TOKEN}",
        f"/login/?next=%2Fs%2Flamps%2F%3Fperson%3D{TOKEN}%26page%3D2",
        f"GET /search/?q={TOKEN} HTTP/1.1",
        f"/studies/lamps/1/recruit/?code={TOKEN}",
        f"/forgotten/?email={TOKEN}@example.org",
    ],
)
def test_no_secret_is_left_in_a_line(line):
    assert TOKEN not in masked(line)
    assert "***" in masked(line)


@pytest.mark.parametrize(
    "line",
    ["/s/lamps/", "/static/w.css", "how/what/", "work/w", "/people/?page=2&sort=q", "seq=4 code=7"],
)
def test_other_lines_stay_as_they_are(line):
    assert masked(line) == line


@pytest.mark.django_db
def test_a_refused_request_is_logged_without_its_token(lines):
    work = begun(small_study(), bob())
    assert Client().get(f"/w/{work.token}/writing/").status_code == 404
    records = lines()
    assert "/w/***/writing/" in records
    assert work.token not in records


@pytest.mark.django_db
def test_an_error_of_the_server_is_logged_without_the_token(lines, monkeypatch):
    work = begun(small_study(), bob())

    def fail(**_):
        raise RuntimeError(f"while answering /w/{work.token}/judging/")

    monkeypatch.setattr("judging.answering.recording.open_positions", fail)
    browser = Client(raise_request_exception=False)
    assert browser.get(f"/w/{work.token}/judging/").status_code == 500
    records = lines()
    assert "Internal Server Error: /w/***/judging/" in records
    assert "RuntimeError" in records
    assert work.token not in records


def test_our_own_lines_are_masked(lines):
    structlog.get_logger("annotation").warning("late", path=f"/w/{TOKEN}/", at=[f"/w/{TOKEN}/"])
    logging.getLogger("celery").error("job of %s failed", f"/w/{TOKEN}/done/")
    records = lines()
    assert records.count("***") == 3
    assert TOKEN not in records
