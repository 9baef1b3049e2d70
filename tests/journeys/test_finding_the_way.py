"""From the key / to a study and through its places, by keyboard and on a phone."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

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


def test_the_sections_of_a_draft_take_two_lines_on_a_phone(
    page: Page, live_server: Any, axe: Callable[[Any], list[str]], client: Any
) -> None:
    draft = drafted(user=_log_in(page, live_server, client))
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_server.url}/drafts/{draft.pk}/quality/")
    sections = page.locator(".rail-row nav").first
    expect(sections.locator("[aria-current]")).to_have_text("Quality")
    expect(sections.locator("[aria-current]")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="Quality")).to_be_in_viewport()
    assert page.locator(".workspace-rail").bounding_box()["height"] <= 100
    menu = page.locator("details.rail-menu")
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
def test_cards_of_methods_are_filled_before_they_come_into_view_and_not_all_at_once(
    page: Page, live_server: Any, client: Any, width: int
) -> None:
    small_study()  # its corpus is what work and cost are for
    _log_in(page, live_server, client)
    page.set_viewport_size({"width": width, "height": 500})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    answered: list[str] = []
    page.on("requestfinished", lambda request: answered.append(request.url))
    page.goto(f"{live_server.url}/instruments/")
    page.wait_for_load_state("networkidle")
    cards = page.locator(".method").count()
    figures = [url for url in asked if "/figures/" in url]
    assert len(figures) < cards / 2
    assert sum("/page/" in url for url in asked) < cards / 2
    for _ in range(60):
        for at in page.evaluate(f"({EMPTY})(600)"):  # they come before they are seen
            expect(page.locator(".method-figures").nth(at)).not_to_contain_text("Computing")
        page.evaluate("scrollBy({ top: 600, behavior: 'instant' })")
        assert page.evaluate(f"({EMPTY})(0)") == []
        if page.evaluate("scrollY + innerHeight >= document.documentElement.scrollHeight - 2"):
            break
    expect(page.locator(".method-figures").last).not_to_contain_text("Computing")
    # Of what nothing can be done with the corpus, the card says why and asks for no figures.
    for part, n in (("/figures/", page.locator(".method-figures").count()), ("/page/", cards)):
        assert sum(part in url for url in asked) == n
    while sum("/page/" in url for url in answered) < cards:  # the server makes some of them still
        page.wait_for_event("requestfinished")


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


@pytest.mark.parametrize("answer", ["none", "an error"])
def test_figures_of_a_method_that_do_not_come_say_so_and_are_asked_for_again(
    page: Page, live_server: Any, client: Any, answer: str
) -> None:
    small_study()
    _log_in(page, live_server, client)
    page.route("**/page/**", lambda route: route.abort())  # the frames, of which this is not
    page.route(
        "**/figures/**",
        lambda route: route.abort() if answer == "none" else route.fulfill(status=500),
    )
    page.goto(f"{live_server.url}/instruments/")
    part = page.locator(".method-figures").first
    expect(part.locator("[data-near-failed]")).to_be_visible()
    expect(part.locator("[data-near-waits]")).to_be_hidden()
    page.unroute("**/figures/**")
    part.locator("[data-near-again]").click()
    expect(part.locator("[data-near-waits], [data-near-failed]")).to_have_count(0)


def test_cards_of_methods_without_scripts_and_on_paper_wait_for_nothing(
    page: Page, live_server: Any, client: Any
) -> None:
    small_study()
    _log_in(page, live_server, client)
    page.route("**/page/**", lambda route: route.abort())
    page.route("**/figures/**", lambda route: None)  # never answered
    page.goto(f"{live_server.url}/instruments/")
    waiting = page.locator("[data-near-waits]")
    expect(waiting.first).to_be_visible()
    page.emulate_media(media="print")
    expect(waiting.first).to_be_hidden()
    expect(page.locator(".method-look").last).to_be_hidden()
    assert page.context.browser is not None
    plain = page.context.browser.new_context(java_script_enabled=False)
    plain.add_cookies(page.context.cookies())  # type: ignore[arg-type]
    without = plain.new_page()
    without.goto(f"{live_server.url}/instruments/")
    expect(without.locator("[data-near-waits]").first).to_be_hidden()
    expect(without.locator(".method-look").first).to_be_hidden()
    without.locator(".method-figures a[href*='/figures/']").first.click()
    expect(without).to_have_url(re.compile("/figures/"))
    expect(without.locator("body")).not_to_be_empty()
    plain.close()


# Which parts in view, or so many pixels below it, still say that they are computed.
EMPTY = """(below) => [...document.querySelectorAll(".method-figures")].flatMap((part, at) => {
  const { top, bottom } = part.getBoundingClientRect();
  const isNear = bottom > 0 && top < innerHeight + below;
  return isNear && part.textContent.includes("Computing") ? [at] : [];
})"""
