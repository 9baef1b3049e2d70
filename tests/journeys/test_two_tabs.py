"""One item in two tabs: the tab that is looked at again shows the newest answers."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.test_judging_study import DESK, begin, choose, saved
from tests.journeys.test_late_requests import hide, question, show
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Web = Callable[[int], list[WebProcess]]


@pytest.fixture
def tabs(browser: Browser, web_processes: Web) -> tuple[Page, Page]:
    """Bob has answered a in the first tab and hidden it; the second tab shows the same item."""
    from tests.cast import small_study

    small_study(responses=3, recruitment="prolific", completion_code="C0FFEE")
    context = browser.new_context(viewport=DESK)
    first = context.new_page()
    begin(first, web_processes(1)[0].url, "bob")
    saved(first)
    choose(question(first), "a")
    saved(first)
    hide(first)
    second = context.new_page()
    second.goto(first.url)
    saved(second)
    return first, second


def remark(page: Page) -> Any:
    return page.locator("[data-remark]")


def write(page: Page, text: str) -> None:
    if not remark(page).is_visible():
        page.locator(".remark summary").click()
    remark(page).fill(text)
    remark(page).blur()


def checked(page: Page) -> Any:
    return question(page).locator("input:checked")


def stored() -> tuple[str, str]:
    from judging.models import Judgment, Presentation

    presentation = Presentation.objects.get(position=1)
    return Judgment.objects.get(item=presentation.item_id).raw, presentation.comment


def test_a_tab_that_is_shown_again_has_the_answers_of_the_other(tabs: tuple[Page, Page]) -> None:
    first, second = tabs
    choose(question(second), "b")
    write(second, "Both are short.")
    saved(second)
    expect(checked(first)).to_have_value("a")
    show(first)
    expect(checked(first)).to_have_value("b")
    expect(remark(first)).to_have_value("Both are short.")
    assert stored() == ("b", "Both are short.")


def test_a_tab_that_gets_the_focus_has_the_answers_of_the_other(tabs: tuple[Page, Page]) -> None:
    first, second = tabs
    choose(question(second), "b")
    saved(second)
    first.evaluate("delete document.hidden; window.dispatchEvent(new Event('focus'))")
    expect(checked(first)).to_have_value("b")


def test_a_tab_beside_the_other_follows_it(tabs: tuple[Page, Page]) -> None:
    first, second = tabs
    show(first)
    choose(question(second), "b")
    expect(checked(first)).to_have_value("b")


def test_what_is_typed_and_not_saved_stays_beside_a_newer_answer(tabs: tuple[Page, Page]) -> None:
    first, second = tabs
    first.route("**/answers/", lambda route: route.abort())
    show(first)
    write(first, "Typed in the first tab.")
    hide(first)
    choose(question(second), "b")
    saved(second)
    show(first)
    expect(checked(first)).to_have_value("b")
    expect(remark(first)).to_have_value("Typed in the first tab.")


def test_an_answer_that_is_newer_than_the_saved_one_stays(tabs: tuple[Page, Page]) -> None:
    first, second = tabs
    choose(question(second), "b")
    saved(second)
    first.route("**/answers/", lambda route: route.abort())
    show(first)
    expect(checked(first)).to_have_value("b")
    choose(question(first), "a")
    hide(first)
    with first.expect_response(first.url):
        show(first)
    first.wait_for_timeout(300)
    expect(checked(first)).to_have_value("a")


def test_the_dots_show_what_was_answered_in_the_other_tab(tabs: tuple[Page, Page]) -> None:
    first, second = tabs
    second.locator("[data-next]").click()
    expect(second.locator("[data-item='2']")).to_be_visible()
    choose(question(second), "b")
    saved(second)
    dot = first.locator("[data-dot='2']")
    expect(dot).to_have_attribute("data-state", "open")
    show(first)
    expect(dot).to_have_attribute("data-state", "done")
    expect(first.locator("[data-item='1']")).to_be_visible()
