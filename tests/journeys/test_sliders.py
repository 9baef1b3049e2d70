"""Sliders on the judging page, in a real Chromium: no answer until somebody uses one."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Locator, Page, expect

from judging.instruments.schema import QuestionSpec, ScaleSpec
from judging.models import Judgment
from tests.cast import begun, bob, draft_study, open_study, tiny_instrument
from tests.journeys.test_judging_study import DESK, PHONE, saved
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Web = Callable[[int], list[WebProcess]]
SCALES = [
    ScaleSpec(
        key="percent", kind="range", min=0, max=100, display="slider", low_label="Not at all",
        high_label="Entirely",
    ),
    ScaleSpec(key="half", kind="range", min=0, max=1, step=0.05, display="slider"),
]  # fmt: skip
QUESTIONS = [
    QuestionSpec("clear", "better", "percent", "How clear is it?", arity="slot"),
    QuestionSpec("sure", "better", "half", "How sure are you?", optional=True),
]


def page_of(browser: Browser, web_processes: Web, viewport: Any = DESK, **more: Any) -> Page:
    """Bob looks at a pair with three sliders."""
    method = tiny_instrument(scales=SCALES, questions=QUESTIONS)
    work = begun(open_study(draft_study(instrument=method, responses=2)), bob())
    page = browser.new_context(viewport=viewport, **more).new_page()
    page.goto(web_processes(1)[0].url + reverse("judging:item", args=[work.token, 1]))
    saved(page)
    return page


def slider(page: Page, question: str, slot: str = "") -> Locator:
    field = page.locator(f"[data-question={question}][data-slot='{slot}']")
    return field.locator("input[type=range]")


def stored() -> dict[tuple[str, str], str]:
    rows = Judgment.objects.values_list("question__key", "slot", "value")
    return {(question, slot): value for question, slot, value in rows}


def stored_soon(page: Page, wanted: dict[tuple[str, str], str]) -> None:
    for _ in range(600):
        if stored() == wanted:
            return
        page.wait_for_timeout(100)
    assert stored() == wanted


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_a_slider_has_no_answer_until_it_is_used(
    browser: Browser, web_processes: Web, viewport: Any, axe: Callable[[Any], list[str]]
) -> None:
    page = page_of(browser, web_processes, viewport)
    clear = slider(page, "clear", "a")
    expect(clear).to_have_attribute("data-unset", "")
    assert clear.get_attribute("aria-valuetext")
    assert axe(page) == []
    expect(page.locator("[data-answered]").first).to_have_text("0")
    clear.click()  # where it is: the middle
    stored_soon(page, {("clear", "a"): "50"})
    expect(clear).not_to_have_attribute("data-unset", "")
    assert clear.get_attribute("aria-valuetext") is None
    expect(page.locator("[data-answered]").first).to_have_text("1")
    assert axe(page) == []


def test_a_slider_is_set_by_key_by_click_and_by_button(
    browser: Browser, web_processes: Web
) -> None:
    page = page_of(browser, web_processes)
    first, second, sure = (
        slider(page, *place) for place in [("clear", "a"), ("clear", "b"), ("sure",)]
    )
    first.focus()
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    box = second.bounding_box()
    assert box
    second.click(position={"x": box["width"] - 2, "y": box["height"] / 2})
    up = sure.locator("xpath=..").locator("[data-slider-step='1']")
    size = up.bounding_box()
    assert size
    assert min(size["width"], size["height"]) >= 24  # WCAG 2.5.8
    up.click()
    up.click()
    wanted = {("clear", "a"): "51", ("clear", "b"): "100", ("sure", ""): "0.55"}
    stored_soon(page, wanted)
    page.reload()
    assert [one.input_value() for one in (first, second, sure)] == ["51", "100", "0.55"]
    expect(page.locator("input[data-unset]")).to_have_count(0)
    expect(page.locator("[data-questions][data-complete]")).to_be_visible()


def test_an_optional_slider_is_cleared(browser: Browser, web_processes: Web) -> None:
    page = page_of(browser, web_processes)
    sure = slider(page, "sure")
    sure.focus()
    page.keyboard.press("Home")
    stored_soon(page, {("sure", ""): "0"})
    page.locator("[data-slider-clear] button").click()
    stored_soon(page, {("sure", ""): ""})
    page.reload()
    expect(sure).to_have_attribute("data-unset", "")
    expect(page.locator("[data-slider-clear]")).to_be_hidden()


def test_an_answer_on_a_slider_outlives_a_lost_connection(
    browser: Browser, web_processes: Web
) -> None:
    page = page_of(browser, web_processes)
    page.context.set_offline(True)
    clear = slider(page, "clear", "b")
    clear.focus()
    page.keyboard.press("End")
    expect(page.locator("[data-save-state='waiting']")).to_be_visible()
    page.context.set_offline(False)
    page.reload()
    expect(clear).to_have_value("100")
    expect(clear).not_to_have_attribute("data-unset", "")
    stored_soon(page, {("clear", "b"): "100"})
