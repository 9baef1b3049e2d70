"""Requests that a network delivers seconds too late, with the page's own queue and sender."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.journeys.test_judging_study import DESK, begin, choose, saved
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Web = Callable[[int], list[WebProcess]]
LATE = 3000  # ms, on the clock of the page


@pytest.fixture
def page(browser: Browser, web_processes: Web) -> Page:
    """Bob looks at the first of three pairs."""
    from tests.cast import small_study

    small_study(responses=3, recruitment="prolific", completion_code="C0FFEE")
    page = browser.new_context(viewport=DESK).new_page()
    page.clock.install()
    begin(page, web_processes(1)[0].url, "bob")
    saved(page)
    return page


class Network:
    """Holds the first request with answers; the others go through."""

    def __init__(self, page: Page, *, give_up: bool = False) -> None:
        self.page, self.give_up = page, give_up
        self.held: list[Route] = []
        page.route("**/answers/", self.take)

    def take(self, route: Route) -> None:
        if self.held:
            route.continue_()
            return
        self.held.append(route)
        if self.give_up:
            route.abort("timedout")

    def wait(self) -> None:
        while not self.held:
            self.page.wait_for_timeout(20)

    def deliver(self) -> Any:
        """Deliver the held request; return the server's answer."""
        route = self.held[0]
        if not self.give_up:
            with self.page.expect_response("**/answers/") as answered:
                route.continue_()
            return answered.value.json()
        request = route.request
        sent = self.page.request.post(
            request.url, data=request.post_data, headers={"Content-Type": "application/json"}
        )
        assert sent.ok
        return sent.json()


def hide(page: Page) -> None:
    """As when another app comes to the front: the page sends what it has, without waiting."""
    page.evaluate(
        "Object.defineProperty(document, 'hidden', {value: true, configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )


def show(page: Page) -> None:
    page.evaluate("delete document.hidden; document.dispatchEvent(new Event('visibilitychange'))")


def raw() -> str:
    from judging.models import Judgment

    return Judgment.objects.values_list("raw", flat=True).get()


def question(page: Page) -> Any:
    return page.locator("[data-question-block]").first


@pytest.mark.parametrize("way", ["the page was hidden", "the request was given up"])
def test_a_request_delivered_three_seconds_late_does_not_undo_a_newer_answer(
    page: Page, way: str
) -> None:
    network = Network(page, give_up=way == "the request was given up")
    choose(question(page), "a")
    network.wait()
    choose(question(page), "b")
    if not network.give_up:
        with page.expect_response("**/answers/"):
            hide(page)
    else:
        saved(page)
    assert raw() == "b"
    page.clock.run_for(LATE)
    assert len(network.deliver()["late"]) == 1
    show(page)
    saved(page)
    assert raw() == "b"
    assert question(page).locator("input:checked").get_attribute("value") == "b"
    page.reload()
    saved(page)
    assert question(page).locator("input:checked").get_attribute("value") == "b"


def test_a_page_that_shows_an_answer_given_up_elsewhere_shows_what_counts(
    page: Page, browser: Browser
) -> None:
    page.context.set_offline(True)
    choose(question(page), "a")
    expect(page.locator("[data-save-state='waiting']")).to_be_visible()
    other = browser.new_context(viewport=DESK).new_page()
    other.goto(page.url)
    choose(question(other), "b")
    saved(other)
    page.context.set_offline(False)
    page.get_by_role("button", name="Continue here").click()
    expect(page.locator("[data-save-note] [data-dismiss]")).to_be_visible()
    expect(question(page).locator("input:checked")).to_have_value("b")
    saved(page)
    assert raw() == "b"


def test_keys_answer_while_the_tab_still_waits_for_its_name(page: Page) -> None:
    """They answer as soon as the page is seen; what they chose is saved when saving can begin."""
    page.add_init_script(
        "navigator.locks.request = (name, options, run) =>"
        " new Promise((resolve) => { window.giveLock = () => resolve(run({})); })"
    )
    page.reload()  # until its scripts have run, but for what waits for the lock
    page.keyboard.press("3")
    expect(question(page).locator("input:checked")).to_have_value("b")
    with page.expect_response("**/answers/"):
        page.evaluate("window.giveLock()")
    saved(page)
    expect(question(page).locator("input:checked")).to_have_value("b")
    assert raw() == "b"


def test_work_is_handed_in_while_the_scripts_are_still_to_come(page: Page) -> None:
    """The form works by itself then, with the number that the server gave it."""
    from annotation.models import Assignment
    from tests.cast import answer_all

    answer_all(Assignment.objects.get())
    held: list[Route] = []
    page.route("**/submitting*.js", lambda route: held.append(route))
    wishes: list[str] = []
    page.on("request", lambda one: one.url.endswith("/here/") and wishes.append(one.url))
    page.goto(re.sub(r"/judging/.*", "/judging/finish/", page.url), wait_until="commit")
    expect(page.locator("[data-save-state]")).to_be_attached()
    page.locator("[data-submit]").click()
    expect(page.locator("[data-completion-code]")).to_have_text("C0FFEE")
    assert held
    assert wishes == [], "a wish to save here may arrive before the form, and then hold it up"


def test_answers_given_before_the_saving_script_loads_are_saved(
    page: Page,
) -> None:
    """Until then the page does not say that it is saved."""
    from judging.models import Judgment, Presentation

    held: list[Route] = []
    page.route("**/network*.js", lambda route: held.append(route))  # all of judging.js waits for it
    page.goto(page.url, wait_until="commit")
    question(page).locator("label:has(input)").first.click()
    remark = page.locator("[data-remark]")
    page.locator(".remark summary").click()
    remark.fill("The lamps are well told.")
    expect(question(page).locator("input:checked")).to_have_count(1)
    expect(page.locator("[data-save-state]")).to_have_text("Opening…")
    held[0].continue_()
    saved(page)
    assert Judgment.objects.count() == 1
    assert Presentation.objects.get(position=1).comment == "The lamps are well told."
