"""What a writer looks at, and when they leave: a real page, its drawer, filter and last step."""

import time
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


class Span:
    """Measure how long a block took, in ms: the upper bound of what happened in it."""

    def __enter__(self) -> "Span":
        self.began, self.ms = time.monotonic(), 0.0
        return self

    def __exit__(self, *_: object) -> None:
        self.ms = (time.monotonic() - self.began) * 1000


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
    with Span() as is_open:
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
    assert [event.type for event in events if event.type in ("away", "hidden")] == []
    assert 0.8 * 2 * LOOK < seen(events) < is_open.ms + 0.6 * LOOK  # both looks at the open drawer
    with Span() as is_away:
        page.evaluate(LEAVE)
        look(page)
        page.evaluate(RETURN)
        page.keyboard.type("Back.")
    saved(page)
    (away,) = absences(log_of(study)[1])
    assert 0.9 * LOOK < away.until - away.ms < is_away.ms + 0.5 * LOOK
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
    with Span() as turn:
        older.get_by_role("button", name="Continue here").click()
        ready(older)
        older.locator("[data-opens=keyboard]").click()  # a dialog covers the passages
        expect(older.locator("dialog[open]")).to_be_visible()
        for _ in range(4):
            look(older)
        older.keyboard.press("Escape")
        older.locator("[data-finish]").click()
        expect(older.locator("[data-last-text]")).to_be_visible()
    events = log_of(study)[1]
    here = max(at for at, event in enumerate(events) if event.type == "start")
    views = [event.duration for event in events[here:] if event.type == "dwell"]
    assert max(views, default=0) < turn.ms - 3 * LOOK
    context.close()


def test_another_device_hears_of_the_takeover_while_nobody_types(
    browser: Browser, web_processes: Any
) -> None:
    lamps_study()
    base: WebProcess = web_processes(1)[0]
    desk = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    begin(desk, f"{base.url}/s/lamps/")
    desk.keyboard.type("One. ")
    saved(desk)
    phone = browser.new_context(viewport=PHONE).new_page()
    phone.goto(desk.url)
    ready(phone)
    expect(desk.get_by_role("button", name="Continue here")).to_be_visible(timeout=90_000)
    expect(editor(desk)).not_to_be_editable()
    desk.context.close()
    phone.context.close()


def test_a_passage_is_copied_by_keyboard_and_pasted(browser: Browser, web_processes: Any) -> None:
    study = lamps_study()
    base: WebProcess = web_processes(1)[0]
    allowed = ["clipboard-read", "clipboard-write"]
    context = browser.new_context(viewport={"width": 1440, "height": 900}, permissions=allowed)
    page = context.new_page()
    begin(page, f"{base.url}/s/lamps/")
    page.keyboard.press("Alt+p")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("c")
    expect(page.locator("[data-announcer]")).to_have_text("Passage 1 copied")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+v")
    expect(editor(page)).to_have_value("Oil came first.")
    saved(page)
    events = log_of(study)[1]
    assert [
        (event.source, event.passage) for event in events if event.type in ("copy", "paste")
    ] == [
        ("passage", 1),
        ("passage", 1),
    ]
    context.close()


def test_the_word_meter_is_seen_in_forced_colours(browser: Browser, web_processes: Any) -> None:
    lamps_study()
    base: WebProcess = web_processes(1)[0]
    context = browser.new_context(viewport={"width": 1440, "height": 900}, forced_colors="active")
    page = context.new_page()
    begin(page, f"{base.url}/s/lamps/")
    colour = "each => getComputedStyle(each).backgroundColor"
    canvas = page.locator("[data-words]").evaluate(
        "() => { const probe = document.createElement('i'); probe.style.color = 'Canvas';"
        " document.body.append(probe); return getComputedStyle(probe).color; }"
    )
    for words, place in (("gas ", "below"), ("gas " * 240, "in"), ("gas " * 400, "above")):
        editor(page).fill(words)
        expect(page.locator(f"[data-words][data-place={place}]")).to_be_visible()
        page.wait_for_timeout(400)  # it changes slowly
        assert page.locator(".words-fill").evaluate(colour) not in (canvas, "rgba(0, 0, 0, 0)")
    range_edge = page.locator(".words-range").evaluate("e => getComputedStyle(e).borderInlineStart")
    assert range_edge.startswith("2px solid")
    context.close()


def test_everything_to_touch_is_large_enough(browser: Browser, web_processes: Any) -> None:
    """44 pixels each way, on a phone."""
    lamps_study()
    base: WebProcess = web_processes(1)[0]
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    begin(page, f"{base.url}/s/lamps/")
    page.keyboard.type("Gas [99].")
    expect(page.locator("[data-faults] button")).to_be_visible()
    small = """() => [...document.querySelectorAll("button, a[href]:not(.skip), input, summary")]
      .filter((each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
      .map((each) => [each.className || each.outerHTML.slice(0, 60), each.getBoundingClientRect()])
      .filter(([, { width, height }]) => width && (width < 43.5 || height < 43.5))
      .map(([name, { width, height }]) => `${name} ${width}x${height}`)"""
    assert page.evaluate(small) == []
    page.locator("[data-passages-open]").tap()
    assert page.evaluate(small) == []
    context.close()
