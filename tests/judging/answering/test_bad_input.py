"""Bad input gets a 4xx with a sentence that a worker understands, and nothing is lost."""

import http.client
import io
import json
from urllib.parse import urlsplit

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.db import connection
from django.test import RequestFactory
from django.utils import timezone

from annotation.fieldwork.pages.refusal_middleware import MAX_DISCARDED_BYTES, RefusalMiddleware
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.link_refusals import LINK_REASONS
from annotation.models import Assignment
from annotation.refusals import Refusal
from annotation.studies.forms import FieldSpec
from judging.answering import recording
from judging.answering.recording import GivenAnswer
from judging.items.drawing import draw_presentations
from judging.models import Judgment, Presentation
from tests.cast import answer_all, begun, bob, charlie, small_study, tiny_instrument
from tests.hooks import element, numbers
from tests.judging.answering.refusals import JSON, refused

pytestmark = pytest.mark.django_db


@pytest.fixture
def at_work():
    """Bob has answered the first of three pairs."""
    assignment = begun(small_study(responses=3, time_limit_minutes=30), bob(), now=timezone.now())
    draw_presentations(assignment=assignment)
    recording.record(
        assignment=assignment,
        answers=[GivenAnswer(1, "better", "a")],
        now=timezone.now(),
        tab="one",
    )
    assignment.refresh_from_db()
    return assignment


class Browser:
    """What the page of an assignment sends."""

    def __init__(self, client, assignment):
        self.client, self.at = client, f"/w/{assignment.token}/judging/"

    def save(self, *answers, tab="one", comments=()):
        return self.send("answers/", {"tab": tab, "answers": answers, "comments": comments})

    def here(self, tab):
        return self.send("here/", {"tab": tab})

    def send(self, path, data):
        body = data if isinstance(data, bytes) else json.dumps(data)
        return self.client.post(self.at + path, body, **JSON)

    def finish(self, **form):
        return self.client.post(f"{self.at}finish/", form or {"comment": "None."})


@pytest.fixture
def bobs_browser(client, at_work):
    return Browser(client, at_work)


def answer(position=1, question="better", raw="b", **more):
    return {"position": position, "question": question, "raw": raw, **more}


@pytest.fixture(autouse=True)
def nothing_is_lost(request):
    """Whatever a test with `at_work` sends: the answer that was given before is still there."""
    yield
    if "at_work" in request.fixturenames:
        assert Judgment.objects.filter(raw="a").exists()


# -- Places that ran out ----------------------------------------------------------------------


def test_an_expired_link_whose_place_is_gone_says_so_and_keeps_the_answers(bobs_browser, at_work):
    late = at_work.expires_at
    assigning.expire_due(now=late)
    assigning.claim(study=at_work.study, worker=charlie(), now=late)
    refused(bobs_browser.save(answer()), 410, "NotLive", state="expired")
    sentence = refused(bobs_browser.here("one"), 410, "NotLive", state="expired")
    page = bobs_browser.client.get(f"/w/{at_work.token}/")
    assert page.status_code == 410
    assert element(page.content.decode(), "data-refusal").text == sentence
    assert Judgment.objects.get().raw == "a"


def test_an_expired_link_whose_place_is_free_goes_on(bobs_browser, at_work):
    assigning.expire_due(now=at_work.expires_at)
    assert bobs_browser.save(answer(2)).status_code == 200
    assert Judgment.objects.count() == 2


def test_work_before_the_consent_is_refused(client):
    assignment = assigning.claim(study=small_study(), worker=bob(), now=timezone.now())
    browser = Browser(client, assignment)
    refused(browser.save(answer()), 410, "NotLive", state="arrived")
    assert browser.finish().url == f"/w/{assignment.token}/"


# -- Tabs -------------------------------------------------------------------------------------


def test_a_second_tab_is_told_that_it_is_one(bobs_browser):
    bobs_browser.here("one")
    bobs_browser.here("two")
    refused(bobs_browser.save(answer(), tab="one"), 409, "OtherTab")
    assert bobs_browser.save(answer(2), tab="two").status_code == 200
    assert Judgment.objects.count() == 2


def test_a_tab_that_takes_over_may_save(bobs_browser):
    bobs_browser.here("two")
    bobs_browser.here("one")
    assert bobs_browser.save(answer()).status_code == 200
    Judgment.objects.update(raw="a")


def test_a_tab_with_a_binary_name_is_refused(client):
    browser = Browser(client, begun(small_study(), bob(), now=timezone.now()))
    refused(browser.here("a\x00b"), 422, "NotAnAnswer")


# -- Answers ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sent", "figures"),
    [
        (answer(raw="z"), []),
        (answer(raw=""), []),
        (answer(raw="\x00"), []),
        (answer(question="beauty"), []),
        (answer(slot="a"), []),
        (answer(position=4), [4]),
        (answer(position=0), [0]),
        (answer(position=-1), [-1]),
        (answer(position=2**40), []),
        (answer(position=10**400), []),
        (answer(comment="x" * 5001), [5000]),
    ],
)
def test_an_answer_that_is_none_is_told_so(bobs_browser, sent, figures):
    sentence = refused(bobs_browser.save(answer(2, raw="a"), sent), 422, "NotAnAnswer")
    assert numbers(sentence) == figures
    assert Judgment.objects.count() == 1  # nothing of the request was saved


def test_an_item_of_another_questionnaire_is_none_of_this_task(client):
    study = small_study(responses=3, items=1, cap=3)
    mine = begun(study, bob(), now=timezone.now())
    theirs = begun(study, charlie(), now=timezone.now())
    answer_all(mine)
    answer_all(theirs)
    browser = Browser(client, mine)
    assert numbers(refused(browser.save(answer(2)), 422, "NotAnAnswer")) == [2]
    assert client.get(f"{browser.at}2/", headers=JSON["headers"]).status_code == 422
    assert set(Judgment.objects.values_list("raw", flat=True)) == {"a"}


UNREADABLE = [
    b"",
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe",
    b'{"tab": "\xff"}',
    b'{"tab": "\\ud800"}',
    b"{}",
    b'{"tab": 1}',
]


@pytest.mark.parametrize("path", ["answers/", "here/"])
@pytest.mark.parametrize("body", UNREADABLE)
def test_a_request_that_cannot_be_read_is_told_so(bobs_browser, path, body):
    refused(bobs_browser.send(path, body), 422, "NotAnAnswer")


@pytest.mark.parametrize(
    "sent",
    [
        {"position": "1"},
        {"position": 1.5},
        {"position": None},
        {"raw": None},
        {"raw": 1},
        {"slot": []},
    ],
)
def test_an_answer_of_the_wrong_type_is_told_so(bobs_browser, sent):
    refused(bobs_browser.save(answer() | sent), 422, "NotAnAnswer")


def test_a_deeply_nested_request_is_told_so(bobs_browser):
    body = b'{"tab": "one", "more": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"
    assert 400 <= bobs_browser.send("answers/", body).status_code < 500


@pytest.mark.parametrize(
    "comment",
    [{"position": 9, "text": "Hm."}, {"position": 1, "text": "x" * 5001}],
)
def test_a_remark_that_cannot_be_kept_is_told_so(bobs_browser, comment):
    assert bobs_browser.save(comments=[comment]).status_code == 422


def test_a_repeated_request_is_no_error(bobs_browser):
    for _ in range(3):
        assert bobs_browser.save(answer(2, raw="n")).status_code == 200
    assert Judgment.objects.get(raw="n").changes == 0


# -- Size -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["answers/", "here/", "finish/"])
def test_a_body_of_ten_megabytes_is_told_so(bobs_browser, path):
    body = b'{"tab": "' + b"x" * 10_000_000 + b'"}'
    refused(bobs_browser.send(path, body), 413, "TooLarge")


@pytest.mark.storage
def test_a_body_of_ten_megabytes_is_told_so_over_a_real_connection(web_processes):
    assignment = begun(small_study(), bob(), now=timezone.now())
    answer_all(assignment)
    (host,) = web_processes(1)
    link = http.client.HTTPConnection(urlsplit(host.url).netloc, timeout=30)
    path = f"/w/{assignment.token}/judging/answers/"
    # All of it is read: a browser that is answered while it sends shows a broken connection.
    link.request("POST", path, b"x" * 10_000_000, {"Accept": "application/json"})
    response = link.getresponse()
    assert response.status == 413
    assert json.loads(response.read())["refusal"] == "TooLarge"
    link.close()
    assert Judgment.objects.count() == 1


@pytest.mark.parametrize(
    ("size", "taken"), [(2_000_000, 2_000_000), (10 << 30, MAX_DISCARDED_BYTES)]
)
def test_too_large_body_is_read_up_to_a_limit(size, taken):
    class Endless(io.RawIOBase):
        given = 0

        def read(self, n=-1):
            n = min(n, size - self.given)
            self.given += n
            return b"x" * n

    sent = Endless()
    environ = RequestFactory()._base_environ(
        REQUEST_METHOD="POST", CONTENT_LENGTH=str(size), CONTENT_TYPE="application/json"
    )
    request = WSGIRequest(environ | {"wsgi.input": sent})
    answer = RefusalMiddleware(lambda _: pytest.fail("It went on."))(request)
    assert (answer.status_code, sent.given) == (413, taken)


# -- Handing in -------------------------------------------------------------------------------


def test_open_questions_are_listed_and_the_exit_form_is_kept(client):
    anything = FieldSpec("comment", "text", "Anything else?")
    study = small_study(responses=3, instrument=tiny_instrument(exit_form=[anything]))
    assignment = begun(study, bob(), now=timezone.now())
    answer_all(assignment)
    Judgment.objects.filter(item=assignment.presentations.get(position=2).item).delete()
    response = Browser(client, assignment).finish(comment="I liked the lamps.")
    assert response.status_code == 422
    page = response.content.decode()
    assert f"/w/{assignment.token}/judging/2/" in page
    assert "I liked the lamps." in page
    assert Judgment.objects.count() == 2
    assignment.refresh_from_db()
    assert assignment.state == Assignment.State.ACTIVE


def test_a_questionnaire_that_nobody_looked_at_is_not_submitted(client):
    assignment = begun(small_study(responses=3), bob(), now=timezone.now())
    assert Browser(client, assignment).finish().status_code == 422
    assignment.refresh_from_db()
    assert assignment.state == Assignment.State.ACTIVE


def test_an_exit_form_that_was_left_empty_is_submitted(client):
    assignment = begun(small_study(), bob(), now=timezone.now())
    answer_all(assignment)
    response = client.post(f"/w/{assignment.token}/judging/finish/")
    assert response.status_code == 302


@pytest.fixture
def handed_in(at_work, bobs_browser):
    answer_all(at_work)
    assert bobs_browser.finish().url == f"/w/{at_work.token}/done/"
    return at_work


def test_a_second_submission_leads_to_the_end_again(bobs_browser, handed_in):
    first = Assignment.objects.values().get()
    assert bobs_browser.finish(comment="Once more.").status_code == 302
    assert Assignment.objects.values().get() == first


def test_the_back_button_after_the_submission_leads_to_the_end(bobs_browser, handed_in):
    for path in ("", "1/", "finish/"):
        response = bobs_browser.client.get(bobs_browser.at + path, follow=True)
        assert response.redirect_chain[-1][0] == f"/w/{handed_in.token}/done/"
        assert response.status_code == 200


def test_an_answer_after_the_submission_is_refused(bobs_browser, handed_in):
    refused(bobs_browser.save(answer()), 410, "NotLive", state="submitted")
    refused(bobs_browser.here("one"), 410, "NotLive", state="submitted")
    refused(
        bobs_browser.save(comments=[{"position": 1, "text": "Hm."}]),
        410,
        "NotLive",
        state="submitted",
    )
    assert set(Judgment.objects.values_list("raw", flat=True)) == {"a"}
    assert not Presentation.objects.exclude(comment="").exists()


def test_consent_after_the_submission_is_refused(bobs_browser, handed_in):
    response = bobs_browser.client.post(
        f"/w/{handed_in.token}/consent/", {"agree": "yes"}, headers=JSON["headers"]
    )
    refused(response, 410, "NotLive", state="submitted")


def test_submitted_work_cannot_be_returned(bobs_browser, handed_in):
    for method in (bobs_browser.client.get, bobs_browser.client.post):
        refused(
            method(f"/w/{handed_in.token}/return/", headers=JSON["headers"]),
            410,
            "NotLive",
            state="submitted",
        )


def test_returned_work_stays_returned(bobs_browser, at_work):
    bobs_browser.client.post(f"/w/{at_work.token}/return/")
    refused(bobs_browser.save(answer()), 410, "NotLive", state="returned")
    assert bobs_browser.finish().url == f"/w/{at_work.token}/"


# -- The sentences ----------------------------------------------------------------------------


def test_every_refusal_has_a_4xx_and_a_sentence():
    def all_of(kind):
        return [kind, *(each for child in kind.__subclasses__() for each in all_of(child))]

    for kind in all_of(Refusal):
        assert 400 <= kind.status < 500
        assert kind.sentence.endswith((".", "!"))
    for code, (status, _, sentence) in LINK_REASONS.items():
        # A link whose key is being fetched is asked for once more, in a minute.
        assert 400 <= status < 500 or (code, status) == ("NotCheckedYet", 503)
        assert sentence.endswith((".", "!"))


# -- The hot path -----------------------------------------------------------------------------


def test_showing_an_item_takes_few_queries(client, django_assert_max_num_queries):
    study = small_study(instrument="crowdrag-pairwise", responses=6)
    assignment = begun(study, bob(), now=timezone.now())
    answer_all(assignment)
    page = f"/w/{assignment.token}/judging/7/"
    # assignment, presentations, answers, slots with the topic, the decision, the next task; and
    # the questions, which the cache of PostgreSQL holds by then
    with django_assert_max_num_queries(7 if connection.vendor == "sqlite" else 6):
        assert client.get(page).status_code == 200


def test_saving_an_answer_takes_few_queries(bobs_browser, django_assert_max_num_queries):
    # assignment, savepoint, lock, questions, presentation, slots, worker's rater, upsert, release
    with django_assert_max_num_queries(9):
        assert bobs_browser.save(answer(2, raw="n")).status_code == 200
