"""A person and a model answer the same retrieval items; *Judges* compares them."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from judging.calls.fake.running import FakeEndpoint
from judging.models import Judgment
from tests.cast import draft_study, open_study, rita, small_corpus
from tests.journeys.test_judging_study import DESK, PHONE, begin, finish, saved
from tests.services.web import WebProcess
from tests.services.worker import CeleryWorker

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Axe = Callable[[Any], list[str]]
Web = Callable[[int], list[WebProcess]]
GRADES = "321"  # the keys that Bob presses


@pytest.fixture
def study() -> Any:
    """Three passages of one topic, for one person from Prolific."""
    rita()
    corpus = small_corpus()
    for rank in (1, 2, 3):
        text = f"Lamps give light. Passage {rank} tells of oil."
        corpus.topics.get().passages.create(key=f"p{rank}", rank=rank, title="Lamps", text=text)
    return open_study(
        draft_study(
            instrument="retrieval-relevance", corpus=corpus, recruitment="prolific",
            completion_code="C0FFEE",
        ),
        quota=1,
    )  # fmt: skip


def judge(page: Page) -> None:
    """Bob grades each passage with a key."""
    for position, key in enumerate(GRADES, start=1):
        expect(page.locator(f"[data-item='{position}']")).to_be_visible()
        page.wait_for_load_state()
        page.keyboard.press(key)
        saved(page)
        page.locator("[data-next]").click()
    finish(page)


def log_in(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("Username").fill("rita")
    page.get_by_label("Password").fill("a long password")
    page.get_by_role("button", name="Sign in").click()


def set_up(page: Page, url: str) -> None:
    """Rita lets a model judge, after she has seen what it is told of a real passage."""
    page.get_by_role("link", name="LLM judges").click()
    page.get_by_role("link", name="Set up judge").click()
    page.locator("#name").fill("Reader")
    page.locator("#model").fill("good")
    page.locator("#base_url").fill(url)
    page.locator("button[name=do][value=preview]").click()
    expect(page.locator("pre.written").nth(1)).to_contain_text("tells of oil")
    page.locator("button[name=do][value=save]").click()
    page.locator("button[name=do][value=run]").click()


def test_a_person_and_a_model_answer_the_same_passages(
    browser: Browser, web_processes: Web, celery_worker: CeleryWorker, study: Any, axe: Axe
) -> None:
    base = web_processes(1)[0].url
    bob = browser.new_context(viewport=PHONE).new_page()
    begin(bob, base, "bob")
    judge(bob)
    celery_worker.wait_until_idle()

    page = browser.new_context(viewport=DESK).new_page()
    log_in(page, f"{base}{study.get_absolute_url()}")
    with FakeEndpoint() as fake:
        set_up(page, fake.url)
        expect(page.locator("[data-answered]")).to_contain_text("3", timeout=300_000)
        expect(page.get_by_text("done", exact=True)).to_be_visible()
    judgments = Judgment.objects.filter(question__key="relevance").order_by("item__key")
    by_model = judgments.filter(assignment=None)
    by_bob = judgments.exclude(assignment=None)
    assert list(by_bob.values_list("item")) == list(by_model.values_list("item"))
    assert sorted(by_bob.values_list("score", flat=True)) == [0, 1, 2]

    page.goto(f"{base}{study.get_absolute_url()}judges/")
    page.get_by_role("button", name="Analyse judges").click()
    judges = page.get_by_role("link", name="Judges", exact=True).last
    expect(judges).to_be_visible(timeout=300_000)  # by itself, when it is done
    page.goto(f"{base}{study.get_absolute_url()}judges/")
    row = page.get_by_role("row", name="Reader").first
    expect(row).to_be_visible()
    expect(row).to_contain_text("3 items")
    assert axe(page) == []
    page.get_by_role("link", name="Summary", exact=True).click()
    switch = page.locator("[name=with_machines]")
    expect(switch).not_to_be_checked()
