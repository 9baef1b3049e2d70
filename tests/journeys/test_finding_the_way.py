"""From the key / to a study and through its places, by keyboard and on a phone."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from annotation.console.builder import method_rows
from tests.annotation.studies.drafts.drafted import drafted
from tests.cast import begun, bob, handed_in, rita, small_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDE = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def test_a_study_is_found_with_the_keyboard_and_its_places_fit_a_phone(
    page: Page, live_server: Any, axe: Callable[[Any], list[str]], client: Any
) -> None:
    study = small_study(quota=2)
    handed_in(begun(study, bob()))
    _log_in(page, live_server, client)
    page.goto(live_server.url)
    expect(page.get_by_role("heading", name="Studies")).to_be_visible()
    page.keyboard.press("/")
    expect(page.locator("[data-search]")).to_be_focused()
    page.keyboard.type("lam")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Results for")).to_be_visible()
    assert axe(page) == []
    page.get_by_role("link", name="Lamps", exact=True).click()
    page.set_viewport_size({"width": 360, "height": 740})
    for place in ("Overview", "Design", "Recruit", "Review", "Results", "Export"):
        link = page.locator(".places").get_by_role("link")
        link.get_by_text(place, exact=True).click()
        expect(page.locator(".places [aria-current]")).to_have_text(place)
        expect(page.locator(".places [aria-current]")).to_be_in_viewport()
        assert page.evaluate(WIDE) <= 0, place
        assert axe(page) == [], place


@pytest.mark.parametrize("width", [360, 1440])
def test_the_account_menu_is_on_every_page_and_works_with_the_keyboard(
    page: Page, live_server: Any, axe: Callable[[Any], list[str]], client: Any, width: int
) -> None:
    _log_in(page, live_server, client)
    page.set_viewport_size({"width": width, "height": 740})
    page.goto(f"{live_server.url}/corpora/")
    menu = page.locator("details.console-user")
    opener = menu.locator("summary")
    expect(opener).to_be_in_viewport()
    opener.focus()
    page.keyboard.press("Enter")
    expect(menu.get_by_role("button", name="Sign out")).to_be_in_viewport()
    assert axe(page) == []
    assert page.evaluate(WIDE) <= 0
    page.keyboard.press("Escape")
    expect(menu.get_by_role("button", name="Sign out")).to_be_hidden()
    expect(opener).to_be_focused()
    opener.click()
    page.get_by_role("heading", name="Corpora").click()
    expect(menu.get_by_role("button", name="Sign out")).to_be_hidden()
    opener.click()
    menu.get_by_role("link", name="Account").click()
    expect(page.get_by_role("heading", name="Your account")).to_be_visible()


def test_the_sections_of_a_draft_take_a_line_on_a_phone(
    page: Page, live_server: Any, axe: Callable[[Any], list[str]], client: Any
) -> None:
    draft = drafted(user=_log_in(page, live_server, client))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_server.url}/drafts/{draft.pk}/quality/")
    sections = page.locator(".rail-row nav").first
    expect(sections.locator("[aria-current]")).to_have_text("Quality")
    expect(sections.locator("[aria-current]")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="Quality")).to_be_in_viewport()
    assert page.locator(".rail-row").bounding_box()["height"] <= 50
    help_button = page.locator("[data-about-opener]")
    help_button.click()
    expect(page.locator("#about")).to_be_in_viewport()
    assert axe(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("#about")).to_be_hidden()
    menu = page.locator("details.menu:not(.console-user)")
    menu.locator("summary").click()
    expect(menu.get_by_role("link", name="Download")).to_be_in_viewport()
    assert axe(page) == []
    assert page.evaluate(WIDE) <= 0
    sections.get_by_role("link", name="Recruitment and pay").click()
    expect(sections.locator("[aria-current]")).to_be_in_viewport()


def _log_in(page: Page, live_server: Any, client: Any) -> User:
    researcher = rita()
    client.force_login(researcher)
    cookie = client.cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    return researcher


@pytest.mark.parametrize("width", [360, 1440])
def test_a_method_is_chosen_by_keyboard_and_by_its_button(
    page: Page,
    live_server: Any,
    client: Any,
    axe: Any,
    monkeypatch: pytest.MonkeyPatch,
    width: int,
) -> None:
    monkeypatch.setattr(method_rows, "MAX_SECONDS", 3600)  # costs that come later renew the page
    small_study()  # its corpus is what work and cost are for
    _log_in(page, live_server, client)
    page.set_viewport_size({"width": width, "height": 900})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_response(lambda answer: "/page/" in answer.url):
        page.goto(f"{live_server.url}/methods/")
    page.wait_for_load_state("networkidle")
    assert sum("/page/" in url for url in asked) == 1
    assert not axe(page)
    selected = page.locator("[data-method]:has([aria-current])")
    expect(selected).to_have_attribute("data-method", "judging/crowdrag-pairwise")
    page.locator("[data-method='judging/direct-quality'] a").focus()
    page.keyboard.press("Enter")
    expect(selected).to_have_attribute("data-method", "judging/direct-quality")
    expect(page.locator("[data-method='judging/direct-quality'] a")).to_be_focused()
    expect(page.locator("iframe")).to_have_attribute("src", re.compile("/judging/direct-quality/"))
    expect(page.locator("[name=of][value='judging/direct-quality']")).to_have_count(1)
    page.locator("[name=of][value='judging/crowdrag-pairwise']").click()
    expect(page).to_have_url(re.compile("/texts/"))
    page.wait_for_load_state("networkidle")


def test_a_method_is_chosen_without_scripts(page: Page, live_server: Any, client: Any) -> None:
    small_study()
    _log_in(page, live_server, client)
    assert page.context.browser is not None
    plain = page.context.browser.new_context(java_script_enabled=False)
    plain.add_cookies(page.context.cookies())  # type: ignore[arg-type]
    without = plain.new_page()
    without.goto(f"{live_server.url}/methods/")
    without.locator("[data-method='judging/direct-quality'] a").click()
    without.locator("#begin [name=of][value='judging/direct-quality']").click()
    expect(without).to_have_url(re.compile("/texts/"))
    without.wait_for_load_state("networkidle")
    plain.close()


@pytest.mark.parametrize(("offers", "stays"), [(False, False), (True, True)])
def test_that_something_is_done_goes_by_itself_where_it_offers_no_next_step(
    page: Page, live_server: Any, client: Any, offers: bool, stays: bool
) -> None:
    small_study()
    _log_in(page, live_server, client)
    page.clock.install()
    page.goto(f"{live_server.url}/corpora/lamps/settings/")
    page.get_by_role("button", name="Save").click()
    said = page.locator(".messages")
    expect(said).to_be_visible()
    if offers:  # as some of them do: a link that takes it back
        said.locator(".note").evaluate("each => each.append(document.createElement('a'))")
    page.clock.run_for(9_000)
    expect(said).to_be_visible()
    page.clock.run_for(3_000)
    expect(said).to_have_count(1 if stays else 0)
