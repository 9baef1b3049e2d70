"""A judging study from two arriving workers to grades on the results page, in a real Chromium."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.services.web import WebProcess
from tests.services.worker import CeleryWorker

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1440, "height": 900}
Axe = Callable[[Any], list[str]]
Web = Callable[[int], list[WebProcess]]


@pytest.fixture
def study() -> Any:
    """Three pairs of one topic, seven questions, for two workers from Prolific."""
    from tests.cast import rita, small_study

    rita()
    return small_study(
        instrument="crowdrag-pairwise",
        responses=3,
        quota=2,
        recruitment="prolific",
        completion_code="C0FFEE",
    )


def link(base: str, person: str) -> str:
    from tests.cast import prolific_link

    return base + prolific_link(person)


def begin(page: Page, base: str, person: str) -> None:
    """From the platform's link over consent and instructions to the first item."""
    page.goto(link(base, person))
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("link", name="Start").click()
    expect(page.locator("[data-item='1']")).to_be_visible()
    page.wait_for_load_state()  # the page is seen before its scripts have run


def saved(page: Page) -> None:
    expect(page.locator("[data-save-state='saved']")).to_be_visible(timeout=90_000)


def chosen(page: Page) -> dict[str, str]:
    """Return the answers that the page shows: question -> code."""
    return {
        radio.get_attribute("name") or "": radio.get_attribute("value") or ""
        for radio in page.locator("[data-answer]:checked").all()
    }


def choose(question: Locator, code: str) -> None:
    question.locator(f"label:has(input[value='{code}'])").click()


def finish(page: Page) -> None:
    page.locator("[data-submit]").click()
    expect(page.locator("[data-completion-code]")).to_have_text("C0FFEE")
    expect(page.locator("[data-return]")).to_have_attribute("href", re.compile(r"\?cc=C0FFEE$"))


def judge_by_keyboard(page: Page) -> None:
    """Digits answer, Enter on Next goes on; no mouse."""
    for position in (1, 2, 3):
        expect(page.locator(f"[data-item='{position}']")).to_be_visible()
        page.wait_for_load_state()
        for digit in "1213211"[: page.locator("[data-field]").count()]:
            page.keyboard.press("2" if digit == "3" and position == 3 else digit)
        expect(page.locator("[data-answer]:checked")).to_have_count(7)
        expect(page.locator("[data-next]")).to_be_focused()
        page.keyboard.press("Enter")
    expect(page.locator("[data-finish]")).to_be_visible()


def answers_of(person: str) -> dict[tuple[int, str], str]:
    """Return the stored answers: (position, question) -> raw answer."""
    from annotation.fieldwork.work.ownership import proof_of
    from judging.models import Judgment, Presentation
    from tests.cast import prolific_id

    submission = prolific_id(f"first of {person}")
    session = proof_of(platform="prolific", submission=submission, browser="").session
    shown = Presentation.objects.filter(assignment__session_hash=session)
    positions = dict(shown.values_list("item", "position"))
    rows = Judgment.objects.filter(assignment__session_hash=session)
    return {
        (positions[item], question): raw
        for item, question, raw in rows.values_list("item", "question__key", "raw")
    }


def test_two_workers_judge_and_the_grades_are_on_the_results_page(
    browser: Browser, web_processes: Web, celery_worker: CeleryWorker, study: Any, axe: Axe
) -> None:
    base = web_processes(1)[0].url
    bob = browser.new_context(viewport=DESK).new_page()
    begin(bob, base, "bob")
    assert axe(bob) == []
    judge_by_keyboard(bob)
    assert axe(bob) == []
    finish(bob)
    assert len(answers_of("bob")) == 21

    dora_clicked = judge_through_a_lost_network(browser, base, axe)
    assert answers_of("dora") == dora_clicked

    study.refresh_from_db()
    assert [batch.state for batch in study.batches.all()] == ["closed"]
    celery_worker.wait_until_idle()
    rita = browser.new_context(viewport=DESK).new_page()
    rita.goto(f"{base}{study.get_absolute_url()}results/")
    rita.get_by_label("Username").fill("rita")
    rita.get_by_label("Password").fill("a long password")
    rita.get_by_role("button", name="Sign in").click()
    rita.get_by_role("link", name="Answers", exact=True).click()
    expect(rita.get_by_role("heading", name="Grades", exact=True)).to_be_visible()
    expect(rita.locator("#topics .ranked > li")).to_have_count(3)
    assert axe(rita) == []
    rita.get_by_role("link", name="Participants", exact=True).click()
    rita.locator("[data-needed] a").click()  # opens what is folded
    expect(rita.locator("#not-computed")).to_be_visible()
    assert axe(rita) == []


def judge_through_a_lost_network(
    browser: Browser, base: str, axe: Axe
) -> dict[tuple[int, str], str]:
    """Dora, on a phone, loses the network in the middle, goes on, reloads, and misses nothing."""
    context = browser.new_context(viewport=PHONE)
    page = context.new_page()
    begin(page, base, "dora")
    assert axe(page) == []
    clicked: dict[tuple[int, str], str] = {}

    def answer(position: int, numbers: range) -> None:
        expect(page.locator(f"[data-item='{position}']")).to_be_visible()
        questions = page.locator("[data-question-block]")
        for number in numbers:
            question = questions.nth(number)
            code = "ab"[(position + number) % 2]
            choose(question, code)
            key = question.get_attribute("data-question-block") or ""
            clicked[position, key] = code

    answer(1, range(7))
    saved(page)
    page.locator("[data-next]").click()
    answer(2, range(3))
    saved(page)
    context.set_offline(True)
    answer(2, range(3, 6))
    expect(page.locator("[data-save-state='waiting']")).to_be_visible()
    assert len(answers_of("dora")) == 10, "what was answered offline cannot be there yet"
    context.set_offline(False)
    page.reload()
    saved(page)
    assert len(chosen(page)) == 6
    assert answers_of("dora") == clicked
    answer(2, range(6, 7))
    page.locator("[data-next]").click()
    answer(3, range(7))
    saved(page)
    page.locator("[data-next]").click()
    finish(page)
    page.go_back()
    page.reload()
    expect(page.locator("[data-completion-code]")).to_have_text("C0FFEE")
    return clicked
