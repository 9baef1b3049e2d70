"""Definitions of criteria and answers on the judging page, in a real Chromium."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from judging.instruments.schema import OptionSpec, QuestionSpec, ScaleSpec
from tests.cast import begun, bob, draft_study, open_study, tiny_instrument
from tests.journeys.test_judging_study import DESK, PHONE, saved
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Web = Callable[[int], list[WebProcess]]
SCALE = ScaleSpec(
    key="clarity",
    kind="options",
    options=[
        OptionSpec("1", "Poor", "score", score=1, definition="You had to read it <twice>."),
        OptionSpec("2", "Fair", "score", score=2),
        OptionSpec("3", "Good", "score", score=3, definition="Once was enough."),
    ],
)
QUESTIONS = [QuestionSpec("clear", "better", "clarity", "How clear are they?")]


def page_of(browser: Browser, web_processes: Web, viewport: Any, **context: Any) -> Page:
    """Bob looks at a pair that is rated with three answers, of which two are explained."""
    method = tiny_instrument(scales=[SCALE], questions=QUESTIONS)
    work = begun(open_study(draft_study(instrument=method)), bob())
    page = browser.new_context(viewport=viewport, **context).new_page()
    page.goto(web_processes(1)[0].url + reverse("judging:item", args=[work.token, 1]))
    if context.get("java_script_enabled", True):
        saved(page)
    return page


def test_an_answer_is_explained_on_hover_and_on_focus(
    browser: Browser, web_processes: Web, axe: Callable[[Any], list[str]]
) -> None:
    page = page_of(browser, web_processes, DESK)
    tip, labels = page.locator("[data-answer-tip]"), page.locator("[data-answer]")
    assert axe(page) == []
    for number, words in ((0, "You had to read it <twice>."), (2, "Once was enough.")):
        expect(labels.nth(number)).to_have_accessible_description(words)
        labels.nth(number).hover()
        expect(tip).to_have_text(words)
        assert axe(page) == []
    tip.hover()  # it stays while the pointer is on it
    expect(tip).to_be_visible()
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    labels.nth(1).hover()
    expect(tip).to_be_hidden()
    page.locator("[data-definition] summary").focus()
    page.keyboard.press("Tab")
    expect(tip).to_have_text("You had to read it <twice>.")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()


def test_a_criterion_opens_on_hover_and_stays_after_a_click(
    browser: Browser, web_processes: Web, axe: Callable[[Any], list[str]]
) -> None:
    page = page_of(browser, web_processes, DESK)
    fold, sign = page.locator("[data-definition]"), page.locator("[data-definition] summary")
    sign.hover()
    expect(fold).to_have_attribute("open", "")
    assert axe(page) == []
    page.locator(".definition-body").hover()
    expect(fold).to_have_attribute("open", "")
    page.locator("[data-heading]").hover()
    expect(fold).not_to_have_attribute("open", "")
    sign.hover()
    page.keyboard.press("Escape")
    expect(fold).not_to_have_attribute("open", "")
    page.locator("[data-heading]").hover()
    sign.click()
    page.locator("[data-heading]").hover()
    expect(fold).to_have_attribute("open", "")
    sign.click()
    expect(fold).not_to_have_attribute("open", "")


@pytest.mark.parametrize("scripts", [True, False])
def test_on_a_phone_all_explanations_are_behind_one_sign(
    browser: Browser, web_processes: Web, scripts: bool
) -> None:
    page = page_of(browser, web_processes, PHONE, has_touch=True, java_script_enabled=scripts)
    page.locator("[data-definition] summary").tap()
    expect(page.locator("[data-definition-answers] dd")).to_have_count(2)
    expect(page.locator("[data-definition-answers]")).to_be_visible()
    expect(page.locator("[data-definition]")).to_have_attribute("open", "")
