"""Rita reviews a text: plays it, finds a paste, asks for a redo, accepts; in a real Chromium."""

import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1440, "height": 900}
Axe = Callable[[Any], list[str]]
Web = Callable[[int], list[WebProcess]]

TYPED = "Lamps come in many kinds, and people like some of them more than others. "
PASTED = "lamp t1 shines in colour 2"
ELSEWHERE = " As everybody knows, the colour of a lamp depends on its gas."
PASTED_AT = 60_000  # ms


class Hand:
    """Writes events as a browser would, each with its number."""

    def __init__(self, *, seq: int = 1, ms: int = 0) -> None:
        self.numbers: Iterator[int] = count(seq)
        self.ms = ms
        self.events: list[Any] = []

    def add(self, kind: Any, *, after: int = 0, **fields: Any) -> None:
        self.ms += after
        self.events.append(kind(seq=next(self.numbers), ms=self.ms, **fields))

    def type(self, text: str, *, at: int, every: int = 150) -> None:
        from annotation.eventlog import Edit

        for index, letter in enumerate(text):
            fields = {"at": at + index, "deleted": 0, "inserted": letter, "input": "insertText"}
            self.add(Edit, after=every, **fields)

    def bring(self, text: str, *, at: int, **fields: Any) -> None:
        from annotation.eventlog import Edit, Paste

        self.add(Paste, at=at, length=len(text), **fields)
        self.add(Edit, at=at, deleted=0, inserted=text, input="insertFromPaste")


def first_log() -> tuple[list[Any], str]:
    """A minute in which passages are read and text is typed; then two pastes."""
    from annotation.eventlog import Blur, Dwell, Focus, Start

    hand = Hand()
    hand.add(Start, length=0, version=1, agent="test")
    hand.add(Dwell, after=8_000, passage=1, duration=6_000)
    hand.type(TYPED, at=0)
    hand.add(Dwell, after=PASTED_AT - hand.ms, passage=1, duration=5_000)
    hand.bring(PASTED, at=len(TYPED), source="passage", passage=1)
    hand.add(Blur, after=3_000)
    hand.add(Focus, after=20_000)
    hand.bring(ELSEWHERE, at=len(TYPED + PASTED), source="outside")
    hand.type(" Enough.", at=len(TYPED + PASTED + ELSEWHERE))
    return hand.events, TYPED + PASTED + ELSEWHERE + " Enough."


def hand_in(work: Any, number: int, events: list[Any], text: str, now: Any) -> None:
    from annotation import assigning
    from annotation.collecting import collect
    from annotation.eventlog import encode
    from writing.models import Writing

    collect(assignment=work, number=number, events_json=encode(events), now=now, tab="one")
    Writing.objects.update_or_create(
        assignment=work, defaults={"acknowledged_at": now, "text": text, "verdict": "equal"}
    )
    work.refresh_from_db()
    assigning.submit(assignment=work, now=now)


@pytest.fixture
def work() -> Any:
    """Alice handed a text in that is in part from a passage and in part from elsewhere."""
    from tests.cast import MINUTE, NOW, alice, begun, rita, writing_study

    rita()
    work = begun(writing_study(), alice())
    hand_in(work, 1, *first_log(), now=NOW + 20 * MINUTE)
    return work


def log_in(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("User name").fill("rita")
    page.get_by_label("Password").fill("a long password")
    page.get_by_role("button", name="Log in").click()


def ready(page: Page) -> None:
    expect(page.locator("[data-replay][data-ready]")).to_be_visible()


def shown_text(page: Page) -> str:
    return page.locator("[data-text]").evaluate("box => box.textContent")


def test_rita_finds_a_paste_asks_for_a_redo_and_accepts(
    browser: Browser, web_processes: Web, work: Any, axe: Axe
) -> None:
    base = web_processes(1)[0].url
    page = browser.new_context(viewport=DESK).new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    log_in(page, f"{base}{work.study.get_absolute_url()}")
    page.get_by_role("link", name="Review (1 waiting)").click()
    assert axe(page) == []
    page.get_by_role("link", name="Begin with the first").click()
    ready(page)
    assert shown_text(page) == TYPED + PASTED + ELSEWHERE + " Enough."
    expect(page.locator(".evidence")).to_contain_text("Away from the editor")
    assert axe(page) == []

    plays_and_seeks(page)
    sees_the_paste(page)
    asks_for_a_redo(page)
    hands_in_again(work)
    accepts(page, base, work)
    assert faults == []


def plays_and_seeks(page: Page) -> None:
    page.keyboard.press("Home")
    assert shown_text(page) == ""
    page.keyboard.press("Space")
    expect(page.locator("[data-text]")).to_contain_text("Lamps come in", timeout=10_000)
    page.keyboard.press("Space")
    expect(page.locator("[data-play]")).to_have_text("Play")


def sees_the_paste(page: Page) -> None:
    """From the list of moments, in its colour, with the passage in view; and by its address."""
    page.get_by_role("link", name=f"{len(PASTED)} characters pasted from passage 1").click()
    piece = page.locator("mark[data-origin=passage]")
    expect(piece).to_have_text(PASTED)
    expect(piece).to_have_attribute("data-from", "1")
    expect(page.locator("[data-passage='1'][data-viewing]")).to_be_visible()
    expect(page.locator("mark[data-origin=foreign]")).to_have_count(0)
    expect(page).to_have_url(re.compile(f"#ms={PASTED_AT}$"))
    page.keyboard.press("b")
    page.reload()
    ready(page)
    page.keyboard.press("End")
    expect(page.locator("mark[data-origin=foreign]")).to_have_text(ELSEWHERE)


def asks_for_a_redo(page: Page) -> None:
    page.keyboard.press("d")
    expect(page.locator("[data-reason]")).to_be_focused()
    expect(page.locator("[data-reason-hint]")).to_contain_text("needs a reason")
    page.keyboard.type("Please say where the last sentence comes from.")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("status")).to_contain_text("Given back to be redone: alice")
    expect(page.get_by_role("heading", name="Nothing waits for you")).to_be_visible()


def hands_in_again(work: Any) -> None:
    from annotation.eventlog import Edit, Start
    from tests.cast import HOUR, NOW

    before, text = first_log()
    hand = Hand(seq=len(before) + 1, ms=before[-1].ms + 5_000)
    hand.add(Start, length=len(text), version=1, agent="test")
    start = len(TYPED + PASTED)
    gone = {"at": start, "deleted": len(ELSEWHERE), "inserted": ""}
    hand.add(Edit, after=2_000, input="deleteContentBackward", **gone)
    work.refresh_from_db()
    hand_in(work, 2, hand.events, TYPED + PASTED + " Enough.", now=NOW + HOUR)


def accepts(page: Page, base: str, work: Any) -> None:
    from annotation.models import Response

    page.goto(f"{base}{work.study.get_absolute_url()}review/")
    page.get_by_role("link", name="Begin with the first").click()
    ready(page)
    expect(page.get_by_text("Please say where the last sentence comes from.")).to_be_visible()
    assert shown_text(page) == TYPED + PASTED + " Enough."
    page.keyboard.press("a")
    expect(page.get_by_role("status")).to_contain_text("Accepted: alice")
    assert Response.objects.get().text == TYPED + PASTED + " Enough."


def test_on_a_phone_the_page_is_as_wide_as_it(
    browser: Browser, web_processes: Web, work: Any, axe: Axe
) -> None:
    base = web_processes(1)[0].url
    context = browser.new_context(viewport=PHONE, color_scheme="dark", reduced_motion="reduce")
    page = context.new_page()
    log_in(page, f"{base}{work.study.get_absolute_url()}review/{work.pk}/#ms=30000")
    ready(page)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width == PHONE["width"]
    assert axe(page) == []
