"""Pages sent together: as they are by their address, and none that a worker could not open."""

import re

import pytest

from annotation.models import Response, Study
from judging.answering import following_pages
from judging.instruments.files import load
from judging.items.drawing import draw_presentations
from judging.models import Role
from tests.cast import answer_all, begun, bob, draft_study, open_study, small_corpus, small_study
from tests.hooks import values
from tests.judging.answering.test_training import PRACTICE, say
from tests.judging.review.checked import checked, study_with

pytestmark = pytest.mark.django_db


def even(html: str) -> str:
    return " ".join(html.split())


def page_of(client, work, position: int) -> str:
    page = client.get(f"/w/{work.token}/judging/{position}/").content.decode()
    (main,) = re.findall(r"<main.*</main>", page, re.DOTALL)
    return even(main)


def batch(client, work, position: int = 1) -> tuple[dict[str, str], str]:
    """Return the next pages after a position by their address, and the address of more."""
    html = client.get(f"/w/{work.token}/judging/{position}/following/").content.decode()
    found = re.findall(r'<template data-address="([^"]+)">(.*?)</template>', html, re.DOTALL)
    (more,) = values(html, "data-more")
    return {address: even(page) for address, page in found}, more


def following(client, work, position: int = 1) -> dict[str, str]:
    """Return all pages after a position by their address."""
    pages, more = batch(client, work, position)
    if more:
        assert list(pages)[-1] == more.removesuffix("following/")
        pages |= following(client, work, int(more.split("/")[-3]))
    return pages


def address(work, position: int) -> str:
    return f"/w/{work.token}/judging/{position}/"


def methods(*, one_page: bool) -> Study:
    return open_study(
        draft_study(
            instruments=[load("crowdrag-pairwise"), load("crowdrag-pointwise")],
            corpus=small_corpus(responses=3),
            presentation=Study.ONE_PAGE if one_page else {},
        )
    )


STUDIES = {
    "pairs": lambda: small_study(instrument="crowdrag-pairwise", responses=4),
    "checks": lambda: study_with(checked()),
    "several methods": lambda: methods(one_page=False),
    "on one page": lambda: methods(one_page=True),
}


@pytest.mark.parametrize("kind", STUDIES)
def test_pages_sent_together_are_those_of_their_addresses(client, kind):
    work = begun(STUDIES[kind](), bob())
    positions = [page.position for page in draw_presentations(assignment=work)]
    answer_all(work)
    found = following(client, work)
    assert len(found) >= 2
    assert set(found) <= {address(work, position) for position in positions[1:]}
    for place, html in found.items():
        assert html == page_of(client, work, int(place.split("/")[-2]))


def test_later_pages_send_only_those_after_them(client):
    work = begun(small_study(responses=4), bob())
    assert list(following(client, work, 5)) == [address(work, 6)]
    assert following(client, work, 6) == {}
    assert following(client, work, 10**30) == {}


def test_queries_do_not_grow_with_the_pages(client, django_assert_max_num_queries):
    counts = []
    for responses in (3, 5):
        corpus = small_corpus(slug=f"of-{responses}", responses=responses)
        study = draft_study(slug=f"of-{responses}", corpus=corpus, instrument="crowdrag-pairwise")
        work = begun(open_study(study), bob())
        following(client, work)
        with django_assert_max_num_queries(8) as asked:
            assert len(batch(client, work)[0]) == {3: 2, 5: 9}[responses]
        counts.append(len(asked))
        answer_all(work)
        client.post(f"/w/{work.token}/judging/finish/")
    assert counts[0] == counts[1]


def test_of_long_pages_the_next_two_are_sent(client, monkeypatch):
    monkeypatch.setattr(following_pages, "MAX_LENGTH", 1)
    work = begun(small_study(responses=4), bob())
    pages, more = batch(client, work, 2)
    assert (list(pages), more) == ([address(work, 3), address(work, 4)], "")


@pytest.mark.parametrize(
    ("position", "last", "goes_on"), [(1, 6, True), (3, 8, True), (5, 10, False), (9, 10, False)]
)
def test_pages_are_sent_in_batches(client, monkeypatch, position, last, goes_on):
    monkeypatch.setattr(following_pages, "MAX_PAGES", 5)
    work = begun(small_study(responses=5), bob())
    pages, more = batch(client, work, position)
    assert list(pages) == [address(work, sent) for sent in range(position + 1, last + 1)]
    assert more == (f"{address(work, last)}following/" if goes_on else "")


def test_a_questionnaire_of_fifteen_pages_is_one_request(client):
    work = begun(small_study(responses=6), bob())
    pages, more = batch(client, work)
    assert (len(pages), more) == (14, "")


def test_none_is_sent_before_practice_is_done_and_no_practice_page_ever(client):
    work = begun(study_with(checked(training=[PRACTICE])), bob())
    first, *others = draw_presentations(assignment=work)
    assert first.item.role == Role.TRAINING
    assert following(client, work) == {}
    say(work, 1, "a")
    pages = following(client, work, 0)
    assert list(pages) == [address(work, other.position) for other in others]
    assert "longer" not in "".join(pages.values())


def test_the_browser_is_not_told_to_keep_practice_trials_or_open_pages_alone(client):
    work = begun(study_with(checked(training=[PRACTICE])), bob())
    assert values(page_of(client, work, 1), "data-kept") == []
    say(work, 1, "a")
    assert values(page_of(client, work, 2), "data-kept") == [""]
    assert values(page_of(client, work, 2), "data-following") == [f"{address(work, 2)}following/"]
    html = client.get(f"{address(work, 2)}?only=open").content.decode()
    assert values(html, "data-kept") == values(html, "data-following") == []
    Study.objects.update(purpose=Study.Purpose.TRIAL)
    assert values(page_of(client, work, 2), "data-kept") == []
    assert following(client, work) == {}


def test_the_last_page_has_none_after_it(client):
    work = begun(small_study(responses=3), bob())
    assert values(page_of(client, work, 3), "data-kept") == [""]
    assert values(page_of(client, work, 3), "data-following") == []


def test_withdrawn_text_is_sent_no_more(client):
    work = begun(small_study(responses=3), bob())
    text = Response.objects.get(key="t1b").text
    assert text in "".join(following(client, work, 0).values())
    Response.objects.filter(key="t1b").update(text="")
    pages = following(client, work, 0)
    assert text not in "".join(pages.values())
    assert sum(not values(html, "data-question") for html in pages.values()) == 2


def test_a_save_that_asks_is_told_how_many_pages_have_a_withdrawn_text(client):
    work = begun(small_study(responses=3), bob())
    draw_presentations(assignment=work)
    sent = {"tab": "t", "answers": [{"position": 1, "question": "better", "raw": "a"}]}
    told = []
    for asks in ({}, {"asks": True}, {"asks": True}):
        path = f"/w/{work.token}/judging/answers/"
        told.append(client.post(path, sent | asks, content_type="application/json").json())
        if asks:
            Response.objects.filter(key="t1b").update(text="")
    assert told == [{"saved": 1}, {"saved": 1, "withdrawn": 0}, {"saved": 1, "withdrawn": 2}]
    page = client.get(address(work, 1)).content.decode()
    assert values(page, "data-withdrawn") == ["2"]


def test_instructions_of_each_part_are_sent_once(client):
    work = begun(methods(one_page=False), bob())
    html = client.get(f"/w/{work.token}/judging/1/following/").content.decode()
    assert values(html, "data-swap").count("instructions") == 2
    assert {"1", "2"} <= set(values(html, "data-of"))


def test_the_highest_saved_number_tells_of_other_tabs(client):
    work = begun(small_study(responses=3), bob())
    draw_presentations(assignment=work)
    body = {"tab": "t", "answers": [{"position": 1, "question": "better", "raw": "a", "number": 7}]}
    path = f"/w/{work.token}/judging/answers/"
    assert client.post(path, body, content_type="application/json").status_code == 200
    for place in ("1/", "1/following/"):
        html = client.get(f"/w/{work.token}/judging/{place}").content.decode()
        assert values(html, "data-newest") == ["7"]
