"""Pages and API of LLM authors: set up, forecast, run, read, deleted."""

import pytest
from django.urls import reverse

from analysis.exports.exporting import write_bundle
from analysis.inputs import text_frames
from analysis.inputs.frozen_work import FrozenWork
from annotation.fieldwork.review import reviewing
from annotation.models import AuditEntry, Response, ReviewDecision
from judging.authors import setting_up
from judging.authors.files import style_figures
from judging.authors.preparing import brief_of
from judging.authors.wording import READY
from judging.models import AuthorRound
from tests.analysis.exports.exported import jsonl, table
from tests.cast import HOUR, NOW, alice, rita, writing_study
from tests.config.askers import client_of
from tests.hooks import element, elements, numbers
from tests.judging.authors.cast import AWAY, author, run
from tests.writing.review.test_review_pages import written

pytestmark = pytest.mark.django_db
SECRET = "sk-never-shown-again"


@pytest.fixture
def study():
    """Alice's text is accepted."""
    study = writing_study(topics=2)
    work = written(study, alice())
    accept = ReviewDecision.Decision.ACCEPT
    reviewing.decide(assignment=work, decision=accept, reviewer="rita", now=NOW + HOUR)
    return study


@pytest.fixture
def console(study):
    client = client_of(rita())

    def ask(address_name, *more, **sent):
        address = reverse(address_name, args=[study.slug, study.version, *more])
        return client.post(address, sent, follow=True) if sent else client.get(address)

    ask.client = client
    return ask


def typed(**changes):
    return {
        "name": "cold", "model": "good", "base_url": AWAY, "protocol": "chat", "at_most": 4,
        "prompt": READY.key, "system": READY.system, "user": READY.user, "max_tokens": 500,
        "temperature": 0, "styles": ["essay"],
    } | changes  # fmt: skip


def test_an_author_is_forecast_before_it_is_set_up_and_before_it_runs(console, study):
    page = console("author_new", **typed(do="preview", price_in=2, price_out=8, key=SECRET))
    assert page.status_code == 200
    assert numbers(element(page.text, "data-forecast").text)[0] == 2
    assert study.corpus.topics.first().query in page.text
    assert not AuthorRound.objects.exists()
    console("author_new", **typed(do="save", price_in=2, price_out=8, key=SECRET))
    one = AuthorRound.objects.get()
    page = console("author", one.pk).text
    assert numbers(element(page, "data-forecast").text)[0] == 2
    assert element(page, "data-work").attributes["data-work"] == "ready"
    for name, *more in [("authors",), ("author", one.pk)]:
        assert SECRET not in console(name, *more).text
    assert SECRET not in str(list(AuditEntry.objects.values()))


def test_a_wrong_prompt_is_refused_with_what_was_typed(console):
    page = console("author_new", **typed(user="{nothing}"))
    assert page.status_code == 422
    assert "{nothing}" in page.text
    assert not AuthorRound.objects.exists()


def test_an_author_is_run_read_and_listed(console, study, endpoint):
    one = run(author(study, endpoint.url))
    page = console("author", one.pk).text
    assert element(page, "data-texts").numbers == [2]
    assert elements(page, "data-forecast") == []
    assert element(console("authors").text, "data-author").attributes["data-author"] == "cold"
    assert console("author", one.pk).status_code == 200
    texts = console.client.get(reverse("response_list", args=[study.slug, study.version]))
    assert one.model in texts.text
    console("author_act", one.pk, do="delete")
    one.refresh_from_db()
    assert one.state == AuthorRound.State.WITHDRAWN
    console("author_act", one.pk, do="bring_back")
    one.refresh_from_db()
    assert one.state == AuthorRound.State.PAUSED


def test_one_study_has_the_texts_of_people_and_models(study, endpoint, tmp_path):
    before = FrozenWork.now(study)
    one = run(author(study, endpoint.url))
    assert set(text_frames.texts(study)["origin"]) == {"human", "llm"}
    after = FrozenWork.now(study)
    assert (before.texts, len(after.texts)) == ([], 2)
    assert before.standing != after.standing
    assert list(text_frames.texts(study, None, before)["origin"]) == ["human"]
    assert len(text_frames.texts(study, None, after)) == 3
    batch = study.batches.get()
    assert len(text_frames.texts(study, batch)) == 3
    write_bundle(study=study, out=tmp_path)
    rows = jsonl(tmp_path / "responses.jsonl.gz")
    assert sorted(row["origin"] for row in rows) == ["human", "llm", "llm"]
    calls = table(tmp_path / "model_texts.csv")
    assert {row["response"] for row in calls} == {
        row["response"] for row in rows if row["origin"] == "llm"
    }
    assert {(row["author"], row["model"], row["prompt"]) for row in calls} == {
        ("cold", "good", str(one.prompt))
    }
    setting_up.delete(round=one, by=None)
    assert list(text_frames.texts(study)["origin"]) == ["human"]
    assert Response.objects.count() == 3
    assert len(text_frames.texts(study, None, after)) == 3  # of a run that has read them


def test_an_author_is_created_run_and_deleted_over_the_api(console, study):
    sent = {"name": "cold", "model": "good", "base_url": AWAY, "styles": ["essay"], "run": False}
    made = console.client.post(
        reverse("api_authors", args=[study.slug, 1]), sent, content_type="application/json"
    )
    assert made.status_code == 201
    row = made.json()
    assert (row["state"], row["styles"], row["unprepared"], row["cost"]) == (
        "ready",
        ["essay"],
        2,
        None,
    )
    one = reverse("api_author", args=[study.slug, 1, row["id"]])
    assert console.client.get(one).json() == row
    assert console.client.get(reverse("api_authors", args=[study.slug, 1])).json() == [row]
    for do, status in [("pause", 409), ("run", 200), ("delete", 409), ("pause", 200)]:
        answer = console.client.post(one, {"do": do}, content_type="application/json")
        assert (do, answer.status_code) == (do, status)
    again = console.client.post(
        reverse("api_authors", args=[study.slug, 1]), sent, content_type="application/json"
    )
    assert again.status_code == 400


def test_the_page_counts_texts_within_the_length_by_style(console, study):
    one = author(study)
    texts = []
    for number, words in enumerate((10, 249, 250, 300, 301), start=1):
        topic = study.corpus.topics.create(key=f"new{number}", query="Why?")
        text = Response.objects.create(
            corpus=study.corpus, topic=topic, key=f"text{number}", style="essay", origin="llm",
            text="So.", words=words,
        )  # fmt: skip
        texts.append(text)
        one.calls.create(
            team_id=study.team_id, topic=topic, style="essay", request={}, response=text, most_in=1
        )
    brief = brief_of(study)
    fits = sum(brief.low_words <= text.words <= brief.high_words for text in texts)
    (figures,) = style_figures(one, brief)
    assert (figures.texts, figures.in_range) == (5, fits)
    assert figures.share == pytest.approx(20 * fits)
    shown = element(console("author", one.pk).text, "data-style-words").text
    assert numbers(shown)[:3] == [round(20 * fits), fits, 5]


def test_the_api_sets_what_the_page_sets(console, study):
    sent = {
        "name": "warm",
        "model": "good",
        "base_url": AWAY,
        "run": False,
        "protocol": "responses",
    }
    sent |= {"seed": 7, "temperature": None, "repeats": True, "max_tokens": 90}
    address = reverse("api_authors", args=[study.slug, 1])
    assert console.client.post(address, sent, content_type="application/json").status_code == 201
    made = AuthorRound.objects.get(name="warm")
    assert (made.protocol, made.repeats) == ("responses", True)
    assert made.settings == {"seed": 7, "max_tokens": 90}
    for wrong in ({"protocol": "fax"}, {"seed": -1}):
        answer = console.client.post(address, sent | wrong, content_type="application/json")
        assert answer.status_code == 400
