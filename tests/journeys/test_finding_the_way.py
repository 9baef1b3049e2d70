"""From the key / to a study and through its places, by keyboard and on a phone."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.cast import begun, bob, handed_in, rita, small_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_a_study_is_found_with_the_keyboard_and_its_places_fit_a_phone(
    page: Page, live_server: Any, axe: Callable[[Any], list[str]], client: Any
) -> None:
    study = small_study(quota=2)
    handed_in(begun(study, bob()))
    client.force_login(rita())
    cookie = client.cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    page.goto(live_server.url)
    expect(page.get_by_role("heading", name="Studies")).to_be_visible()
    page.keyboard.press("/")
    expect(page.locator("[data-search]")).to_be_focused()
    page.keyboard.type("lam")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Found for")).to_be_visible()
    assert axe(page) == []
    page.get_by_role("link", name="Lamps", exact=True).click()
    page.set_viewport_size({"width": 360, "height": 740})
    for place in ("Overview", "Design", "Recruit", "Work", "Results", "Export"):
        link = page.get_by_role("navigation", name="Places of the study").get_by_role("link")
        link.get_by_text(place, exact=True).click()
        expect(page.locator(".places [aria-current]")).to_have_text(place)
        expect(page.locator(".places [aria-current]")).to_be_in_viewport()
        assert page.evaluate(WIDE) <= 0, place
        assert axe(page) == [], place
