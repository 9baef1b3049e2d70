"""What a writer looks at, and when they leave: a real page, its drawer, filter and last step."""

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.writer import PHONE, begin, editor, lamps_study, log_of, ready, saved
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Playwright keeps the focus of every page; a window that really loses it says so like this.
LEAVE = "document.hasFocus = () => false; window.dispatchEvent(new Event('blur'))"
RETURN = "delete document.hasFocus; window.dispatchEvent(new Event('focus'))"
LOOK = 1_500  # ms


def look(page: Page) -> None:
    page.wait_for_timeout(LOOK)


def seen(events: list[Any]) -> float:
    """How long a passage was in view at most, in ms."""
    by_passage: dict[int, int] = {}
    for event in events:
        if event.type == "dwell":
            by_passage[event.passage] = by_passage.get(event.passage, 0) + event.duration
    return max(by_passage.values(), default=0)


def test_our_own_page_is_no_absence_and_a_closed_drawer_is_not_viewed(
    browser: Browser, web_processes: Any
) -> None:
    from writing.process.absences import absences

    study = lamps_study()
    base: WebProcess = web_processes(1)[0]
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    begin(page, f"{base.url}/s/lamps/")
    page.keyboard.type("Gas. ")
    look(page)  # the drawer is closed
    saved(page)
    assert seen(log_of(study)[1]) == 0
    page.locator("[data-passages-open]").tap()
    look(page)
    page.locator("[data-filter]").fill("gas")
    look(page)
    page.locator("[data-passages-close]").tap()
    look(page)
    page.locator("[data-finish]").tap()
    expect(page.locator("[data-last-text]")).to_be_visible()
    look(page)
    page.go_back()
    ready(page)
    page.reload()
    ready(page)
    page.keyboard.type("More. ")
    saved(page)
    events = log_of(study)[1]
    assert absences(events) == []
    assert [each.type for each in events if each.type in ("away", "hidden")] == []
    assert 0.8 * 2 * LOOK < seen(events) < 2.6 * LOOK  # both looks at the open drawer
    page.evaluate(LEAVE)
    look(page)
    page.evaluate(RETURN)
    page.keyboard.type("Back.")
    saved(page)
    (away,) = absences(log_of(study)[1])
    assert 0.9 * LOOK < away.until - away.ms < 2 * LOOK
    context.close()


def test_a_tab_that_lost_its_turn_views_nothing(browser: Browser, web_processes: Any) -> None:
    study = lamps_study()
    base: WebProcess = web_processes(1)[0]
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    older = context.new_page()
    begin(older, f"{base.url}/s/lamps/")
    older.keyboard.type("One. ")
    saved(older)
    newer = context.new_page()
    newer.goto(older.url)
    ready(newer)
    expect(editor(older)).not_to_be_editable()
    for _ in range(4):
        look(older)
    older.bring_to_front()
    older.get_by_role("button", name="Continue here").click()
    ready(older)
    older.locator("[data-opens=keyboard]").click()  # a dialog covers the passages
    expect(older.locator("dialog[open]")).to_be_visible()
    look(older)
    look(older)
    older.keyboard.press("Escape")
    older.locator("[data-finish]").click()
    expect(older.locator("[data-last-text]")).to_be_visible()
    events = log_of(study)[1]
    here = max(at for at, event in enumerate(events) if event.type == "start")
    views = [each.duration for each in events[here:] if each.type == "dwell"]
    assert max(views, default=0) < 2 * LOOK
    context.close()
