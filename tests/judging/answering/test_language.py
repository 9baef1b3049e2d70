"""A worker reads the language of the study, whatever the browser asks for."""

import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation

from tests.cast import begun, bob, draft_study, rita, small_study, submitted
from tests.hooks import values
from tests.judging.answering.refusals import JSON
from tests.refusals import refused_setting

pytestmark = pytest.mark.django_db
ENGLISH, GERMAN = {"accept-language": "en"}, {"accept-language": "de-AT,de;q=0.9"}


def test_all_pages_speak_the_language_of_the_study(client):
    study = small_study(language="de", quota=2)
    token = begun(study, bob()).token
    for path, words in {
        study.public_path: "Möchten Sie teilnehmen?",
        f"/w/{token}/instructions/": "Anfangen",
        f"/w/{token}/judging/1/": "Suchanfrage",
        f"/w/{token}/judging/finish/": "Einige Fragen sind noch offen",
        f"/w/{token}/return/": "Studie verlassen?",
        f"/w/{token}/withdraw/": "Ihre Einwilligung widerrufen?",
    }.items():
        page = client.get(path, headers=ENGLISH).content.decode()
        assert words in page
        assert '<html lang="de">' in page


@pytest.mark.parametrize(
    ("recruitment", "words"), [("prolific", "return"), ("link", "leave"), ("invitation", "leave")]
)
def test_only_prolific_workers_return_tasks(client, recruitment, words):
    token = begun(small_study(recruitment=recruitment), bob()).token
    pages = [client.get(f"/w/{token}/{name}/").text for name in ("instructions", "return")]
    assert [set(values(page, "data-leaves-by")) for page in pages] == [{words}, {words}]
    client.post(f"/w/{token}/return/")
    assert values(client.get(f"/w/{token}/done/").text, "data-leaves-by") == [words]


def test_pages_of_an_english_study_stay_english_in_a_german_browser(client):
    token = begun(small_study(), bob()).token
    page = client.get(f"/w/{token}/judging/1/", headers=GERMAN).content.decode()
    assert "Search query" in page
    assert '<html lang="en">' in page
    assert 'id="words"' not in page  # scripts speak English by themselves


def test_page_before_a_study_is_known_follows_the_browser(client):
    for path in ("/w/nobody-has-this/", "/s/nothing/", "/w/nobody/no/page/"):
        assert '<html lang="de">' in client.get(path, headers=GERMAN).content.decode()
        assert '<html lang="en-gb">' in client.get(path, headers=ENGLISH).content.decode()


def test_researcher_reads_english_in_a_german_browser(client):
    assert '<html lang="en-gb">' in client.get("/set-up/", headers=GERMAN).content.decode()


def test_console_speaks_one_language_whatever_the_study_and_the_browser_speak(client):
    """Not half of it German because workers read the same words, or the study is German."""
    client.force_login(rita())
    study = small_study(language="de", quota=2)
    work = submitted(study, bob())
    place = [study.slug, study.version]
    for address in (
        reverse("studies"),
        study.get_absolute_url(),
        reverse("recruit", args=place),
        reverse("review", args=place),
        reverse("assignment_page", args=[*place, work.pk]),
        "/studies/nothing/1/",
    ):
        german, english = (
            re.sub('name="csrf[^>]*', "", page.content.decode())
            for page in (
                client.get(address, headers=GERMAN),
                client.get(address, headers=ENGLISH),
            )
        )
        assert '<html lang="en-gb">' in german
        assert german == english


def test_refused_answers_are_explained_in_german(client):
    token = begun(small_study(language="de"), bob()).token
    answer = {"position": 9, "question": "overall", "raw": "a", "number": 1}
    sent = {"tab": "one", "answers": [answer]}
    assert client.post(f"/w/{token}/judging/here/", {"tab": "one"}, **JSON).status_code == 200
    refused = client.post(f"/w/{token}/judging/answers/", sent, **JSON)
    assert refused.json() == {
        "refusal": "NotAnAnswer",
        "sentence": "In dieser Aufgabe gibt es keine Seite 9.",
    }


def test_work_that_is_over_is_refused_in_german(client):
    token = submitted(small_study(language="de"), bob()).token
    refused = client.post(f"/w/{token}/judging/here/", {"tab": "one"}, **JSON)
    assert refused.json()["sentence"].startswith("Sie haben diese Aufgabe schon abgegeben")


def test_scripts_get_their_words_as_data(client):
    token = begun(small_study(language="de"), bob()).token
    page = client.get(f"/w/{token}/judging/1/").content.decode()
    table = page.partition('<script id="words" type="application/json">')[2].partition("</script>")[
        0
    ]
    assert json.loads(table)["Saved"] == "Gespeichert"
    assert json.loads(table)["word"] == ["Wort", "Wörter"]
    assert len(table) < 5000


def test_figures_are_written_as_germans_write_them(client):
    study = small_study(language="de", pay="2.50", currency="EUR")
    page = client.get(study.public_path).content.decode()
    assert "2,50 EUR" in page
    assert "10,00 EUR pro Stunde" in page


def test_language_costs_no_query(client):
    counts = []
    english = small_study()
    german = small_study(language="de", slug="lampen", corpus=english.corpus)
    for study in (english, german):
        token = begun(study, bob()).token
        client.get(f"/w/{token}/judging/1/")  # draws the order
        with CaptureQueriesContext(
            connection,
        ) as caught:
            assert client.get(f"/w/{token}/judging/1/").status_code == 200
        counts.append(len(caught))
    assert counts[0] == counts[1]


def test_request_leaves_its_language_behind(client):
    token = begun(small_study(language="de"), bob()).token
    client.get(f"/w/{token}/judging/1/")
    assert translation.get_language() == "en-gb"


def test_language_that_there_is_not_is_refused():
    with refused_setting("language"):
        draft_study(language="xx")
