"""What workers stumbled over in a real Chromium: the caret, citations of nothing, keys, waiting."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys import writer
from tests.journeys.test_judging_study import DESK, PHONE, begin, chosen, saved
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Axe = Callable[[Any], list[str]]
Web = Callable[[int], list[WebProcess]]


@pytest.fixture
def writing_page(browser: Browser, web_processes: Web) -> Page:
    """Somebody has written a sentence that is saved."""
    writer.lamps_study()
    page = browser.new_context(viewport=DESK).new_page()
    writer.begin(page, f"{web_processes(1)[0].url}/s/lamps/")
    page.keyboard.type("Lamps were lit. Then came wires.")
    writer.saved(page)
    return page


def judging_page(
    browser: Browser, web_processes: Web, viewport: Any, *, is_alone: bool = False
) -> Page:
    """Bob looks at the first of three pairs; `is_alone`: without those that follow in memory."""
    from tests.cast import small_study

    small_study(
        instrument="crowdrag-pairwise", responses=3, recruitment="prolific", completion_code="C0"
    )
    page = browser.new_context(viewport=viewport).new_page()
    if is_alone:
        page.route("**/following/", lambda route: route.abort())
    begin(page, web_processes(1)[0].url, "bob")
    saved(page)
    return page


def reload(page: Page) -> None:
    page.reload()
    writer.ready(page)


def test_after_a_reload_a_citation_goes_where_the_caret_was(writing_page: Page) -> None:
    page = writing_page
    reload(page)
    page.locator("[data-cite='0']").click()
    expect(writer.editor(page)).to_have_value("Lamps were lit. Then came wires. [0]")
    writer.saved(page)
    page.keyboard.press("Control+Home")
    for _ in "Lamps were lit":
        page.keyboard.press("ArrowRight")
    reload(page)
    page.locator("[data-cite='1']").click()
    expect(writer.editor(page)).to_have_value("Lamps were lit [1]. Then came wires. [0]")


def test_on_another_device_a_citation_goes_to_the_end_of_the_text(
    writing_page: Page, browser: Browser
) -> None:
    other = browser.new_context(viewport=PHONE).new_page()
    other.goto(writing_page.url)
    expect(writer.editor(other)).to_be_editable()
    other.locator("[data-passages-open]").click()
    other.locator("[data-cite='2']").click()
    expect(writer.editor(other)).to_have_value("Lamps were lit. Then came wires. [2]")


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_the_last_look_names_citations_of_nothing(
    writing_page: Page, viewport: Any, axe: Axe
) -> None:
    page = writing_page
    page.keyboard.type(" Gas [17], oil [0] and [3, 99].")
    writer.saved(page)
    page.set_viewport_size(viewport)
    page.locator("[data-finish]").click()
    faults = page.locator("[data-last-faults]")
    expect(faults).to_contain_text("[17] [3, 99]")
    expect(page.locator("[data-last-words]")).to_have_text("9 words")
    assert axe(page) == []
    faults.get_by_role("link").click()
    writer.ready(page)
    writer.editor(page).fill("Gas [0].")
    writer.saved(page)
    page.locator("[data-finish]").click()
    expect(page.locator("[data-last-words]")).to_have_text("1 word")
    expect(faults).to_be_hidden()


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_the_last_look_says_that_a_text_is_short_and_takes_it(
    writing_page: Page, viewport: Any, axe: Axe
) -> None:
    page = writing_page
    page.set_viewport_size(viewport)
    page.locator("[data-finish]").click()
    short = page.locator("[data-last-short]")
    expect(short).to_contain_text(re.compile(r"\b6\b.*\b200\b.*\b300\b"))
    expect(short.get_by_role("link", name="Continue writing")).to_be_visible()
    page.locator("[data-submit]").click()
    expect(page.locator("[data-missing]")).to_be_visible()
    assert axe(page) == []
    fields, errors = page.locator("fieldset:has(.field-error)"), page.locator(".field-error")
    expect(fields.first.locator("input").first).to_be_focused()  # far below the sentence
    expect(errors.first).to_be_in_viewport()
    for left in range(fields.count() - 1, -1, -1):
        fields.first.locator(".choice").first.click()
        expect(errors).to_have_count(left)  # what is answered is missing no more
    expect(page.locator("[data-missing]")).to_have_count(0)
    expect(short).to_be_visible()
    page.locator("[data-submit]").click()
    expect(page.locator("[data-completion-code]")).to_have_text("C0FFEE")


def test_a_side_keeps_its_key_in_every_question(browser: Browser, web_processes: Web) -> None:
    page = judging_page(browser, web_processes, DESK)
    for _ in range(7):
        page.keyboard.press("3")
    assert set(chosen(page).values()) == {"b"}
    assert len(chosen(page)) == 7
    last = page.locator("[data-question-block]").last
    assert last.locator(".option-key").all_text_contents() == ["1", "3"]


def test_when_all_is_answered_the_way_on_comes_into_sight_on_a_phone(
    browser: Browser, web_processes: Web
) -> None:
    page = judging_page(browser, web_processes, PHONE)
    page.locator("[data-switch] a", has_text="Questions").click()
    fields = page.locator("[data-field]")
    for n in range(fields.count()):
        expect(page.locator("[data-next]")).not_to_be_in_viewport()
        fields.nth(n).locator(".option").first.click()
    expect(page.locator("[data-next]")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_opened_comment_field_is_in_view(
    browser: Browser, web_processes: Web, viewport: Any
) -> None:
    page = judging_page(browser, web_processes, viewport)
    page.get_by_text("Add comment").click()
    expect(page.locator("[data-remark]")).to_be_in_viewport(ratio=1)


def expect_wish(page: Page, link: str) -> None:
    """Expect that the state of saving names the link that opens after reconnecting."""
    expect(page.locator("[data-save-state='waiting']")).to_be_visible()
    name = (page.locator(link).text_content() or "").strip()
    expect(page.locator("[data-save-words]")).to_contain_text(f"“{name}”")


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_next_without_a_connection_says_what_it_waits_for(
    browser: Browser, web_processes: Web, viewport: Any, axe: Axe
) -> None:
    page = judging_page(browser, web_processes, viewport, is_alone=True)
    page.context.set_offline(True)
    page.locator("label.option").first.click()
    words = page.locator("[data-save-words]")
    expect(page.locator("[data-save-state='waiting']")).to_be_visible()
    page.locator("[data-next]").click()
    expect_wish(page, "[data-next]")
    # The queue tries again meanwhile, and says the same: with the answer, or first with the wish to
    # save in this tab, if the connection went before the server had heard of it.
    with page.expect_event("requestfailed", lambda one: one.url.endswith(("/answers/", "/here/"))):
        pass
    expect_wish(page, "[data-next]")
    assert axe(page) == []
    page.context.set_offline(False)
    expect(page.locator("[data-item='2']")).to_be_visible(timeout=90_000)
    saved(page)
    expect(words).to_have_text("Saved")


def test_next_says_so_too_while_the_page_that_is_fetched_ahead_waits_for_the_connection(
    browser: Browser, web_processes: Web
) -> None:
    page = judging_page(browser, web_processes, DESK, is_alone=True)
    page.route("**/here/", lambda route: route.abort())
    page.reload()
    expect(page.locator("[data-save-state='waiting']")).to_be_visible()
    page.context.set_offline(True)
    page.unroute("**/here/")
    page.evaluate("new Promise((done) => setTimeout(done, 1300))")  # until it is fetched ahead
    page.locator("[data-next]").click()
    words = page.locator("[data-save-words]")
    expect_wish(page, "[data-next]")
    page.context.set_offline(False)
    expect(page.locator("[data-item='2']")).to_be_visible()
    expect(words).to_have_text("Saved")


def test_finish_without_a_connection_says_what_it_waits_for(writing_page: Page) -> None:
    page = writing_page
    page.context.set_offline(True)
    page.keyboard.type(" More.")
    page.locator("[data-finish]").click()
    expect_wish(page, "[data-finish]")
    page.context.set_offline(False)
    expect(page.locator("[data-last-text]")).to_contain_text("More.", timeout=90_000)
