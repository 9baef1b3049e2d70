"""Every bundled instrument is answered from link to code in a real Chromium.

At a desk by keyboard alone, on a phone by touch alone.
"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from annotation.models import Assignment
from judging.instruments.files import available
from judging.models import Judgment, Presentation
from tests.cast import draft_study, open_study
from tests.journeys.test_judging_study import DESK, PHONE, begin, finish, saved
from tests.judging.instruments.test_every_instrument import corpus
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Web = Callable[[int], list[WebProcess]]
ITEMS = 1  # how one goes from one to the next is told elsewhere
MANY = 40  # steps with Tab that reach any part of a page


def arrived(name: str, web_processes: Web, page: Page) -> None:
    """Bob is at the first item of a small study."""
    how: Any = {"recruitment": "prolific", "completion_code": "C0FFEE"}
    open_study(draft_study(instrument=name, corpus=corpus(), **how), items=ITEMS)
    begin(page, web_processes(1)[0].url, "bob")


def fields(page: Page) -> list[Locator]:
    return page.locator("[data-field]:not([data-optional])").all()


def free(field: Locator) -> Locator:
    return field.locator("[data-answer]:not(:disabled)").first


def complete(page: Page, position: int) -> None:
    """Expect that all questions of the page are answered and saved."""
    expect(page.locator("[data-questions]")).to_have_attribute("data-complete", "")
    expect(page.locator(f"[data-dot='{position}']")).to_have_attribute("data-state", "done")
    saved(page)


def handed_in(questions: int) -> None:
    assert Assignment.objects.get().state == Assignment.State.SUBMITTED
    assert Judgment.objects.count() == questions


@pytest.mark.parametrize("name", available())
def test_it_is_answered_by_keyboard(browser: Browser, web_processes: Web, name: str) -> None:
    page = browser.new_context(viewport=DESK).new_page()
    arrived(name, web_processes, page)
    answers = 0
    for position in range(1, Presentation.objects.count() + 1):
        expect(page.locator(f"[data-item='{position}']")).to_be_visible()
        page.wait_for_load_state()
        for field in fields(page):
            expect(field).to_have_attribute("data-current", "")
            page.keyboard.press(free(field).get_attribute("data-key") or "")
            expect(field.locator("[data-answer]:checked")).to_have_count(1)
            answers += 1
        complete(page, position)
        to_the_link_on(page)
        page.keyboard.press("Enter")
    expect(page.locator("[data-finish]")).to_be_visible()
    finish(page)
    handed_in(answers)


def to_the_link_on(page: Page) -> None:
    """After the last answer it has the focus, unless a question that may be left out is there."""
    for _ in range(MANY):
        if page.locator("[data-next]:focus").count():
            return
        page.keyboard.press("Tab")
    raise AssertionError("Tab does not reach the link to the next item.")


@pytest.mark.parametrize("name", available())
def test_it_is_answered_by_finger(browser: Browser, web_processes: Web, name: str) -> None:
    page = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True).new_page()
    arrived(name, web_processes, page)
    answers = 0
    for position in range(1, Presentation.objects.count() + 1):
        expect(page.locator(f"[data-item='{position}']")).to_be_visible()
        page.wait_for_load_state()
        expect(page.locator("[data-opens='keyboard']")).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for field in fields(page):
            free(field).locator("xpath=..").tap()
            expect(field.locator("[data-answer]:checked")).to_have_count(1)
            answers += 1
        complete(page, position)
        page.locator("[data-next]").tap()
    expect(page.locator("[data-finish]")).to_be_visible()
    finish(page)
    handed_in(answers)
