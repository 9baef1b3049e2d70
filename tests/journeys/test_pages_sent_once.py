"""A questionnaire is sent once: the next item appears without a request, in a real Chromium."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from tests.journeys.test_judging_study import (
    DESK,
    answers_of,
    begin,
    choose,
    chosen,
    finish,
    saved,
)
from tests.journeys.test_judging_study import study as study  # the fixture
from tests.journeys.test_late_requests import hide, show
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 390, "height": 844}
MOST_MS = 50  # from the click to the next item; the least of several, since other programs run
Axe = Callable[[Any], list[str]]
Web = Callable[[int], list[WebProcess]]
MOVES = ["next", "next", "previous", "next", "previous", "next"]
MOVE_TIME = """(way) => {
  const began = performance.now();
  document.querySelector(`[data-${way}]`).click();
  document.querySelector("main").getBoundingClientRect();
  return performance.now() - began;
}"""

# Two pages trade places as often as said: what both show, with what is chosen and typed in them.
TRADE = """async ([address, change]) => {
  const { exchange } = await import("/static/js/exchanging.js");
  const page = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
  const [here, other] = [document, page].map((root) => root.querySelector("main"));
  document.adoptNode(other);
  const fields = (main) => [...main.querySelectorAll("[data-field]")];
  const choose = (field, key) => (field.querySelector(`[data-key="${key}"]`).checked = true);
  fields(here).forEach((field, n) => choose(field, 1 + (n % 2)));
  fields(other).forEach((field, n) => n % 3 && choose(field, 2));
  here.querySelector("[data-remark]").value = "half a rem";
  if (change === "fewer") fields(other)[1].closest("[data-question-block]").remove();
  if (change === "renamed")
    for (const choice of fields(other)[2].querySelectorAll("input")) choice.name = "renamed";
  if (change === "other") other.querySelector("#texts").remove();
  const form = here.querySelector("[data-questions]");
  const shown = (main) => JSON.stringify([main.outerHTML,
    [...main.querySelectorAll("input, textarea")].map(({ checked, value }) => [checked, value])]);
  const before = [here, other].map(shown);
  const traded = exchange(here, other);
  const after = [here, other].map(shown);
  const again = exchange(here, other) && [here, other].map(shown);
  return { before, after, traded, again, kept: here.contains(form) };
}"""


@pytest.fixture
def base(web_processes: Web, study: Any) -> str:
    return web_processes(1)[0].url


def open_first(browser: Browser, base: str, person: str = "bob", size: Any = DESK) -> Page:
    """Return the first item, with the others in memory."""
    page = browser.new_context(viewport=size).new_page()
    with page.expect_response("**/following/"):
        begin(page, base, person)
    saved(page)
    return page


def counted(page: Page) -> list[Request]:
    """Return a list of the requests to come for the work, not for the icon of an address."""
    requests: list[Request] = []
    page.on("request", lambda request: "/w/" in request.url and requests.append(request))
    return requests


def on_page(page: Page, position: int) -> None:
    expect(page.locator(f"[data-item='{position}']")).to_be_visible()
    expect(page).to_have_url(page.url.rsplit("/", 2)[0] + f"/{position}/")


def answer(page: Page, code: str, numbers: range = range(7)) -> None:
    for number in numbers:
        choose(page.locator("[data-question-block]").nth(number), code)


def go_on(page: Page) -> None:
    page.locator("[data-next]").click()


@pytest.mark.parametrize("size", [PHONE, DESK], ids=["phone", "desk"])
def test_next_item_takes_no_request_and_is_focused_and_announced(
    browser: Browser, base: str, axe: Axe, size: Any
) -> None:
    page = open_first(browser, base, size=size)
    requests = counted(page)
    times = [page.evaluate(MOVE_TIME, way) for way in MOVES]
    while min(times) >= MOST_MS and len(times) < 60:  # other programs had each of them
        times += [page.evaluate(MOVE_TIME, way) for way in ("previous", "next")]
    on_page(page, 3)
    assert requests == []
    assert min(times) < MOST_MS
    expect(page.locator("[data-heading]")).to_be_focused()
    expect(page.locator("[data-announcer]")).to_have_text("Page 3 of 3")
    expect(page.locator("[data-dot][aria-current=step]")).to_have_attribute("data-page", "3")
    expect(page.locator("[data-place-words]").first).to_have_text("3 of 3")
    assert page.title() == "3 of 3 · Lamps"
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


@pytest.mark.parametrize("change", ["", "fewer", "renamed", "other"])
def test_two_pages_trade_all_that_they_show(browser: Browser, base: str, change: str) -> None:
    page = open_first(browser, base)
    address = page.locator("[data-next]").get_attribute("href")
    traded = page.evaluate(TRADE, [address, change])
    assert traded["before"][0] != traded["before"][1]
    assert traded["kept"]
    assert traded["traded"] == (change != "other")
    if traded["traded"]:
        assert traded["after"] == traded["before"][::-1]
        assert traded["again"] == traded["before"]
    else:
        assert traded["after"] == traded["before"]


def test_a_whole_questionnaire_costs_its_saves(browser: Browser, base: str) -> None:
    page = open_first(browser, base)
    requests = counted(page)
    for position in (1, 2, 3):
        on_page(page, position)
        answer(page, "a")
        saved(page)
        if position < 3:
            go_on(page)
    assert {request.url.rsplit("/", 2)[-2] for request in requests} == {"answers"}
    go_on(page)
    finish(page)
    assert answers_of("bob").keys() == {(n, key) for n in (1, 2, 3) for _, key in answers_of("bob")}
    assert len(answers_of("bob")) == 21


def test_network_dies_between_two_items_and_comes_back(browser: Browser, base: str) -> None:
    from judging.models import Judgment

    page = open_first(browser, base, "dora")
    answer(page, "a")
    saved(page)
    page.context.set_offline(True)
    go_on(page)
    on_page(page, 2)
    answer(page, "b")
    expect(page.locator("[data-save-state='waiting']")).to_be_visible()
    go_on(page)
    on_page(page, 3)
    answer(page, "a", range(3))
    assert len(answers_of("dora")) == 7
    page.context.set_offline(False)
    saved(page)
    answer(page, "b", range(3, 7))
    saved(page)
    rows = Judgment.objects.order_by("number").values_list("number", "changes", "milliseconds")
    numbers = [number for number, _, _ in rows]
    assert len(set(numbers)) == 21
    assert {changes for _, changes, _ in rows} == {0}  # each answer was saved once
    assert all(0 <= (taken or 0) < 60_000 for _, _, taken in rows)
    given = answers_of("dora")
    by_number = Judgment.objects.order_by("number").values_list("item", flat=True)
    places = list(dict.fromkeys(by_number))
    assert len(places) == 3
    assert [raw for (position, _), raw in given.items() if position == 2] == ["b"] * 7
    go_on(page)
    finish(page)


def test_back_shows_the_page_as_it_was_left_and_saves_nothing_again(
    browser: Browser, base: str
) -> None:
    page = open_first(browser, base)
    answer(page, "b")
    page.locator(".remark summary").click()
    page.locator("[data-remark]").fill("Half a rem")
    page.locator("[data-remark]").blur()
    saved(page)
    before = chosen(page)
    go_on(page)
    on_page(page, 2)
    answer(page, "a", range(2))
    saved(page)
    requests = counted(page)
    page.go_back()
    on_page(page, 1)
    assert chosen(page) == before
    expect(page.locator("[data-remark]")).to_have_value("Half a rem")
    expect(page.locator("[data-answered]").first).to_have_text("7")
    page.go_forward()
    on_page(page, 2)
    assert len(chosen(page)) == 2
    assert requests == []
    page.reload()
    on_page(page, 2)
    assert len(chosen(page)) == 2


def test_pages_answered_in_another_tab_are_asked_for_again(browser: Browser, base: str) -> None:
    page = open_first(browser, base)
    answer(page, "a", range(1))
    saved(page)
    hide(page)
    other = page.context.new_page()
    other.goto(page.url.replace("/1/", "/2/"))
    saved(other)
    answer(other, "b")
    saved(other)
    with page.expect_response(page.url):  # the page that is looked at again
        show(page)
    go_on(page)
    on_page(page, 2)
    assert list(chosen(page).values()) == ["b"] * 7
    answer(page, "a", range(1))
    expect(page.locator("[data-continue-here]")).to_be_visible()
    page.locator("[data-continue-here]").click()
    saved(page)
    assert [raw for (at, _), raw in answers_of("bob").items() if at == 2].count("a") == 1


def test_text_withdrawn_meanwhile_is_not_shown(browser: Browser, base: str) -> None:
    from annotation.models import Response
    from judging.models import ItemSlot, Presentation

    page = open_first(browser, base)
    second = Presentation.objects.get(position=2)
    here = Presentation.objects.get(position=1)
    seen = ItemSlot.objects.filter(item=here.item_id).values("response")
    (slot,) = ItemSlot.objects.filter(item=second.item_id).exclude(response__in=seen)
    Response.objects.filter(pk=slot.response_id).update(text="")
    page.clock.install()
    page.clock.fast_forward(61_000)
    with page.expect_response("**/following/"):  # a save asks once a minute, and hears of it
        answer(page, "a", range(1))
    saved(page)
    go_on(page)
    on_page(page, 2)
    expect(page.locator("[data-field]")).to_have_count(0)


def test_work_that_ended_meanwhile_is_not_gone_on_with(browser: Browser, base: str) -> None:
    from annotation.models import Assignment

    page = open_first(browser, base)
    Assignment.objects.update(state="returned", ended_at="2026-01-01T00:00Z")
    answer(page, "a", range(1))
    expect(page.locator("[data-save-state='stopped']")).to_be_visible()
    go_on(page)
    expect(page.locator("[data-item]")).to_have_count(0)
