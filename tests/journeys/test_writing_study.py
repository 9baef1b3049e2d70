"""Writers in a real Chromium where it gets hard: two tabs, two devices, input methods, a phone.

What is shown in the end: the interaction log rebuilds the text to the letter.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, expect

from tests.journeys.writer import (
    DESK,
    PHONE,
    begin,
    editor,
    finish,
    lamps_study,
    log_of,
    need_not_wait,
    ready,
    saved,
)
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Axe = Callable[[Any], list[str]]
Web = Callable[[int], list[WebProcess]]


@pytest.fixture
def study() -> Any:
    return lamps_study()


@pytest.fixture
def context(browser: Browser) -> Any:
    context = browser.new_context(viewport=DESK, permissions=["clipboard-read", "clipboard-write"])
    yield context
    context.close()


def test_the_older_of_two_tabs_stops_and_can_go_on(
    context: BrowserContext, web_processes: Web, study: Any
) -> None:
    base = web_processes(1)[0].url
    older = context.new_page()
    begin(older, f"{base}/s/lamps/")
    older.keyboard.type("One. ")
    saved(older)
    newer = context.new_page()
    newer.goto(older.url)
    expect(editor(newer)).to_have_value("One. ")
    ready(newer)
    expect(older.get_by_role("button", name="Continue here")).to_be_visible()
    expect(editor(older)).not_to_be_editable()
    newer.keyboard.press("Control+End")
    newer.keyboard.type("Two. ")
    saved(newer)
    older.bring_to_front()
    older.get_by_role("button", name="Continue here").click()
    expect(editor(older)).to_have_value("One. Two. ")
    ready(older)
    older.keyboard.press("Control+End")
    older.keyboard.type("Three.")
    saved(older)
    finish(older)
    writing, _, rebuilt = log_of(study)
    assert rebuilt == writing.text == "One. Two. Three."
    assert writing.verdict == "equal"


def test_text_overtaken_by_another_device_is_offered(
    browser: Browser, context: BrowserContext, web_processes: Web, study: Any
) -> None:
    base = web_processes(1)[0].url
    desk = context.new_page()
    begin(desk, f"{base}/s/lamps/")
    desk.keyboard.type("Begun at the desk. ")
    saved(desk)
    context.set_offline(True)
    desk.keyboard.type("Lost on the train?")
    expect(desk.locator("[data-save-state='waiting']")).to_be_visible(timeout=90_000)
    other = browser.new_context(viewport=PHONE)
    phone = other.new_page()
    need_not_wait(phone)
    phone.goto(desk.url)
    expect(editor(phone)).to_have_value("Begun at the desk. ")
    ready(phone)
    phone.keyboard.press("Control+End")
    phone.keyboard.type("Gone on with the phone. ")
    saved(phone)
    other.close()
    context.set_offline(False)
    desk.get_by_role("button", name="Continue here").click(timeout=90_000)
    expect(desk.locator("[data-stranded-text]")).to_have_text(
        "Begun at the desk. Lost on the train?"
    )
    expect(editor(desk)).to_have_value("Begun at the desk. Gone on with the phone. ")
    desk.locator("[data-stranded-use]").click()
    expect(editor(desk)).to_have_value("Begun at the desk. Lost on the train?")
    desk.keyboard.press("Control+z")
    expect(editor(desk)).to_have_value("Begun at the desk. Gone on with the phone. ")
    saved(desk)
    finish(desk)
    writing, _, rebuilt = log_of(study)
    assert rebuilt == writing.text == "Begun at the desk. Gone on with the phone. "
    assert writing.verdict == "equal"


def test_input_methods_dragging_and_corrections_are_exact(
    context: BrowserContext, web_processes: Web, study: Any
) -> None:
    base = web_processes(1)[0].url
    page = context.new_page()
    begin(page, f"{base}/s/lamps/")
    text = editor(page)
    devtools = context.new_cdp_session(page)
    for composed in ("n", "に", "にh", "にほ", "にほn", "にほん"):
        end = len(composed)
        devtools.send(
            "Input.imeSetComposition",
            {"text": composed, "selectionStart": end, "selectionEnd": end},
        )
    devtools.send("Input.insertText", {"text": "日本"})
    page.keyboard.type(" e")
    page.keyboard.insert_text("\u0301 👩‍👩‍👧 teh end ")
    text.evaluate("field => field.setSelectionRange(17, 20)")
    page.evaluate("document.execCommand('insertText', false, 'the')")
    page.keyboard.press("Control+End")
    passage = page.locator("[data-passage='2'] [data-passage-text]")
    passage.click(click_count=3)
    passage.drag_to(text, target_position={"x": 300, "y": 20})
    expect(text).to_have_value(re.compile("Gas was dear"))
    for _ in range(6):
        page.keyboard.press("Control+z")
    for _ in range(6):
        page.keyboard.press("Control+y")
    page.keyboard.press("Control+Backspace")
    # An extension that changes the text without an input.
    with page.expect_request(lambda request: '"snapshot"' in (request.post_data or "")):
        text.evaluate("field => { field.value = field.value.replace('end', 'END'); }")
    page.keyboard.type("!")
    saved(page)
    written = text.input_value()
    finish(page)
    writing, events, rebuilt = log_of(study)
    assert rebuilt == written == writing.text
    assert writing.verdict == "equal"
    assert [event.passage for event in events if event.type == "drop"] == [2]
    assert len([event for event in events if event.type == "snapshot"]) == 1


def test_a_phone_has_the_passages_in_a_drawer(
    browser: Browser, web_processes: Web, study: Any, axe: Axe
) -> None:
    base = web_processes(1)[0].url
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    begin(page, f"{base}/s/lamps/", axe)
    assert axe(page) == []
    editor(page).tap()
    page.keyboard.type("Gas was first")
    page.get_by_role("button", name=re.compile("^Passages")).tap()
    expect(page.locator("#passages")).to_be_visible()
    assert axe(page) == []
    page.locator("[data-cite='1']").tap()
    expect(page.locator("#passages")).to_be_hidden()
    expect(editor(page)).to_have_value("Gas was first [1]")
    saved(page)
    finish(page, axe)
    writing, _, rebuilt = log_of(study)
    assert rebuilt == writing.text == "Gas was first [1]"
    context.close()
