"""A long questionnaire is sent in parts, and all of it is there before the network dies."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from tests.journeys.test_judging_study import DESK, begin, saved
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Web = Callable[[int], list[WebProcess]]
ITEMS = 28  # pairs of eight responses


def test_all_pages_arrive_while_the_first_is_read(browser: Browser, web_processes: Web) -> None:
    from tests.cast import small_study

    small_study(items=ITEMS, responses=8, recruitment="prolific", completion_code="C0FFEE")
    page = browser.new_context(viewport=DESK).new_page()
    with page.expect_response("**/21/following/"):  # after that of the first page
        begin(page, web_processes(1)[0].url, "bob")
    saved(page)
    page.context.set_offline(True)
    for position in range(2, ITEMS + 1):
        page.locator("[data-next]").click()
        expect(page.locator(f"[data-item='{position}']")).to_be_visible()
