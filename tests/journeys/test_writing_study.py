"""A writer in a real Chromium: real keys, pastes, undo, a lost network, a reload, the submission.

What is shown in the end: the interaction log rebuilds the text to the letter.
"""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1440, "height": 900}
Axe = Callable[[Any], list[str]]
Web = Callable[[int], list[WebProcess]]
LAMPS = "The first lamps of the city were lit by gas, and men walked the streets to light them."


@pytest.fixture
def study() -> Any:
    """One topic with four passages, to be written about in one style, by plain link."""
    from annotation.batching import open_batch
    from tests.cast import NOW, small_corpus
    from writing import designing
    from writing.instruments import load

    corpus = small_corpus()
    topic = corpus.topics.get()
    for rank, text in enumerate([LAMPS, "Oil came first.", "Gas was dear.", "Then came wires."], 1):
        topic.passages.create(key=f"p{rank}", rank=rank, title=f"Lamps {rank}", text=text)
    study = designing.create_study(
        slug="lamps",
        title="Lamps",
        corpus=corpus,
        instrument=load("crowdrag-writing"),
        seed=1,
        contact="Rita, University of Lamps.",
        completion_code="C0FFEE",
    )
    batch = designing.write_tasks(study=study, topics=[topic], styles=["essay"])
    open_batch(batch=batch, now=NOW)
    return study


def begin(page: Page, base: str, axe: Axe | None = None) -> None:
    """From the link over consent, instructions and the entry form to the editor."""
    page.goto(f"{base}/s/lamps/")
    page.get_by_role("button", name="Start").click()
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("link", name="Begin").click()
    for field in page.locator("fieldset:has(input[type=radio])").all():
        field.locator(".choice").first.click()
    assert axe is None or axe(page) == []
    page.locator("[name=acknowledged]").check()
    page.get_by_role("button", name="Start writing").click()
    expect(editor(page)).to_be_editable()


def editor(page: Page) -> Any:
    return page.locator("[data-text]")


def saved(page: Page) -> None:
    expect(page.locator("[data-save-state='saved']")).to_be_visible(timeout=20_000)


def put_in_clipboard(page: Page, text: str) -> None:
    """As another program would."""
    page.evaluate("text => navigator.clipboard.writeText(text)", text)


def copy_from_passage(page: Page, number: int) -> None:
    page.locator(f"[data-passage='{number}'] [data-passage-text]").click(click_count=3)
    page.keyboard.press("Control+c")


def finish(page: Page, axe: Axe | None = None) -> None:
    page.locator("[data-finish]").click()
    expect(page.locator("[data-last-text]")).to_be_visible(timeout=20_000)
    for field in page.locator("fieldset:has(input[type=radio])").all():
        field.locator(".choice").first.click()
    assert axe is None or axe(page) == []
    page.locator("[data-submit]").click()
    expect(page.locator("[data-completion-code]")).to_have_text("C0FFEE")


def log_of(study: Any) -> tuple[Any, list[Any], str]:
    """The writing, its events, and the text that they rebuild."""
    from annotation.collecting import events_of
    from writing.models import Writing
    from writing.replay import rebuilt

    writing = Writing.objects.select_related("assignment").get(assignment__study=study)
    events = events_of(writing.assignment)
    return writing, events, rebuilt(events)


@pytest.fixture
def context(browser: Browser) -> Any:
    context = browser.new_context(viewport=DESK, permissions=["clipboard-read", "clipboard-write"])
    yield context
    context.close()


def test_a_writer_loses_nothing_and_the_log_rebuilds_the_text(
    context: BrowserContext, web_processes: Web, study: Any, axe: Axe
) -> None:
    base = web_processes(1)[0].url
    page = context.new_page()
    begin(page, base, axe)
    assert axe(page) == []
    text = editor(page)

    page.keyboard.type("Ganz früher gab es Öl 🪔, thne gas")
    for _ in range(8):
        page.keyboard.press("Backspace")
    page.keyboard.type("then gas")
    page.locator("[data-cite='2']").click()
    expect(text).to_be_focused()
    page.keyboard.type(".\n")
    copy_from_passage(page, 0)
    text.focus()
    page.keyboard.press("Control+v")
    put_in_clipboard(page, "\r\nA line from\r\nelsewhere 👩‍👩‍👧")
    page.keyboard.press("Control+v")
    page.keyboard.type(" and more")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+Shift+z")
    page.keyboard.press("Shift+Home")
    page.keyboard.press("Control+x")
    page.keyboard.press("Control+v")
    page.keyboard.type(" [9]")
    expect(page.locator("[data-faults]")).to_contain_text("[9]")
    for _ in range(4):
        page.keyboard.press("Backspace")
    expect(page.locator("[data-faults]")).to_be_hidden()
    expect(page.locator("[data-passage='2'] [data-cited]")).to_be_visible()
    page.locator("[data-filter]").fill("gas")
    expect(page.locator("[data-matches]")).to_have_text("2 of 4 match")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(text).to_be_focused()
    saved(page)

    context.set_offline(True)
    page.keyboard.press("Control+End")
    page.keyboard.type(" Written without a network.")
    expect(page.locator("[data-save-state='waiting']")).to_be_visible(timeout=20_000)
    page.wait_for_timeout(800)  # until the browser keeps it: half a second
    before = text.input_value()
    context.set_offline(False)
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    expect(text).to_be_editable()
    assert text.input_value() == before
    page.keyboard.press("Control+End")
    page.keyboard.type(" After the reload.")
    saved(page)
    written = text.input_value()
    assert written.startswith("Ganz früher gab es Öl 🪔, then gas[2].\n" + LAMPS)
    assert written.endswith("Written without a network. After the reload.")
    finish(page, axe)

    writing, events, rebuilt = log_of(study)
    assert rebuilt == written == writing.text
    assert writing.verdict == "equal"
    pastes = [(each.source, each.passage) for each in events if each.type == "paste"]
    assert pastes == [("passage", 0), ("outside", None), ("own", None)]
    inputs = {each.input for each in events if each.type == "edit"}
    assert inputs >= {"insertText", "insertCitation", "historyUndo", "historyRedo", "deleteByCut"}
    assert not any(each.type == "snapshot" for each in events)
    assert len([each for each in events if each.type == "start"]) == 2


def test_the_older_of_two_tabs_stops_and_can_go_on(
    context: BrowserContext, web_processes: Web, study: Any
) -> None:
    base = web_processes(1)[0].url
    older = context.new_page()
    begin(older, base)
    older.keyboard.type("One. ")
    saved(older)
    newer = context.new_page()
    newer.goto(older.url)
    expect(editor(newer)).to_have_value("One. ")
    expect(editor(newer)).to_be_editable()
    expect(older.get_by_role("button", name="Continue here")).to_be_visible()
    expect(editor(older)).not_to_be_editable()
    newer.keyboard.press("Control+End")
    newer.keyboard.type("Two. ")
    saved(newer)
    older.bring_to_front()
    older.get_by_role("button", name="Continue here").click()
    expect(editor(older)).to_have_value("One. Two. ")
    expect(editor(older)).to_be_editable()
    older.keyboard.press("Control+End")
    older.keyboard.type("Three.")
    saved(older)
    finish(older)
    writing, _, rebuilt = log_of(study)
    assert rebuilt == writing.text == "One. Two. Three."
    assert writing.verdict == "equal"


def test_what_another_device_went_past_is_offered(
    browser: Browser, context: BrowserContext, web_processes: Web, study: Any
) -> None:
    base = web_processes(1)[0].url
    desk = context.new_page()
    begin(desk, base)
    desk.keyboard.type("Begun at the desk. ")
    saved(desk)
    context.set_offline(True)
    desk.keyboard.type("Lost on the train?")
    expect(desk.locator("[data-save-state='waiting']")).to_be_visible(timeout=20_000)
    other = browser.new_context(viewport=PHONE)
    phone = other.new_page()
    phone.goto(desk.url)
    expect(editor(phone)).to_have_value("Begun at the desk. ")
    expect(editor(phone)).to_be_editable()
    phone.keyboard.press("Control+End")
    phone.keyboard.type("Gone on with the phone. ")
    saved(phone)
    other.close()
    context.set_offline(False)
    desk.get_by_role("button", name="Continue here").click(timeout=20_000)
    expect(desk.locator("[data-stranded-text]")).to_have_text(
        "Begun at the desk. Lost on the train?"
    )
    expect(editor(desk)).to_have_value("Begun at the desk. Gone on with the phone. ")
    desk.get_by_role("button", name="Use this text instead").click()
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
    begin(page, base)
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
    text.evaluate("field => { field.value = field.value.replace('end', 'END'); }")
    page.wait_for_timeout(2500)
    page.keyboard.type("!")
    saved(page)
    written = text.input_value()
    finish(page)
    writing, events, rebuilt = log_of(study)
    assert rebuilt == written == writing.text
    assert writing.verdict == "equal"
    assert [each.passage for each in events if each.type == "drop"] == [2]
    assert len([each for each in events if each.type == "snapshot"]) == 1


def test_a_phone_has_the_passages_in_a_drawer(
    browser: Browser, web_processes: Web, study: Any, axe: Axe
) -> None:
    base = web_processes(1)[0].url
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    page = context.new_page()
    begin(page, base, axe)
    assert axe(page) == []
    editor(page).tap()
    page.keyboard.type("Gas was first")
    page.get_by_role("button", name=re.compile("^Passages")).tap()
    expect(page.locator("#passages")).to_be_visible()
    assert axe(page) == []
    page.locator("[data-cite='1']").tap()
    expect(page.locator("#passages")).to_be_hidden()
    expect(editor(page)).to_have_value("Gas was first[1]")
    saved(page)
    finish(page, axe)
    writing, _, rebuilt = log_of(study)
    assert rebuilt == writing.text == "Gas was first[1]"
    context.close()
