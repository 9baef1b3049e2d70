"""Workers who passed questions over are led to each of them, and from the last one to the end."""

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.test_judging_study import DESK, PHONE, Web, begin, choose, finish, saved
from tests.journeys.test_judging_study import study as study  # the fixture

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def on_page(page: Page, position: int) -> None:
    expect(page.locator(f"[data-item='{position}']")).to_be_visible()
    page.wait_for_load_state()


def answer(page: Page, numbers: list[int]) -> None:
    for number in numbers:
        choose(page.locator("[data-question-block]").nth(number), "a")
    saved(page)


def go_on(page: Page, name: str) -> None:
    page.get_by_role("link", name=name, exact=True).click()


def with_questions_passed_over(browser: Browser, base: str, size: Any, person: str) -> Page:
    """Return the end, with two open questions on the first page and the whole second page open."""
    page = browser.new_context(viewport=size).new_page()
    begin(page, base, person)
    answer(page, [0, 1, 3, 4, 5])
    go_on(page, "Next")
    on_page(page, 2)
    go_on(page, "Next")
    on_page(page, 3)
    answer(page, list(range(7)))
    go_on(page, "Finish")
    expect(page.locator("[data-finish] [data-open]")).to_be_visible()
    return page


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_finish_page_links_to_each_skipped_question_and_then_to_the_end(
    browser: Browser, web_processes: Web, study: Any, axe: Any, size: Any
) -> None:
    base = web_processes(1)[0].url
    page = with_questions_passed_over(browser, base, size, "bob")
    assert axe(page) == []
    opened = page.locator("[data-open]")
    expect(opened.locator("[data-open-questions] a")).to_have_count(2)
    expect(opened.get_by_text("all questions")).to_be_visible()

    opened.locator("[data-open-questions] a").nth(1).click()  # each is one press away
    on_page(page, 1)
    marked = page.locator("[data-question-block][data-current]")
    expect(marked).to_have_attribute("id", page.url.partition("#")[2])
    expect(marked).to_be_in_viewport(ratio=1)
    answer(page, [2, 6])
    go_on(page, "Next unanswered page")
    on_page(page, 2)
    expect(page.locator("[data-heading]")).to_be_focused()  # all of it is new
    answer(page, list(range(7)))
    go_on(page, "Finish")  # not over the third page
    expect(page.get_by_role("heading", name="Last step")).to_be_visible()
    finish(page)


def test_a_page_passed_over_twice_is_named_again_and_the_link_to_the_work_leads_there(
    browser: Browser, web_processes: Web, study: Any
) -> None:
    base = web_processes(1)[0].url
    page = with_questions_passed_over(browser, base, PHONE, "dora")
    page.get_by_role("link", name="Page 2", exact=True).click()
    on_page(page, 2)
    answer(page, list(range(6)))
    go_on(page, "Finish")
    expect(page.locator("[data-open-questions]")).to_have_count(2)
    page.goto(re.sub(r"finish/.*", "", page.url))
    on_page(page, 1)
    expect(page.locator("[data-question-block][data-current]")).to_be_in_viewport(ratio=1)
    answer(page, [2, 6])
    go_on(page, "Next unanswered page")
    on_page(page, 2)
    expect(page.locator("[data-question-block][data-current]")).to_be_in_viewport(ratio=1)
    # Whoever leafs through the pages instead finds the end beside *Next* as soon as all is done.
    page.goto(page.url.partition("?")[0])
    on_page(page, 2)
    expect(page.locator("[data-to-end]")).to_be_hidden()
    answer(page, [6])
    page.locator("[data-to-end]").click()
    expect(page.get_by_role("heading", name="Last step")).to_be_visible()
