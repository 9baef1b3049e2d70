"""The background of a topic beside the texts, in a real Chromium."""

from collections.abc import Callable
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Browser, Page, expect

from tests.cast import begun, bob, draft_study, open_study, small_corpus
from tests.journeys.test_judging_study import DESK, PHONE, saved
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Web = Callable[[int], list[WebProcess]]
BACKGROUND = "# Reference\n\nA lamp **gives light**.\n\n" + "Oil burns in it, slowly.\n\n" * 60


def page_of(browser: Browser, web_processes: Web, viewport: Any) -> Page:
    """Bob looks at the first of three pairs of a topic with a long description."""
    corpus = small_corpus(responses=3)
    corpus.topics.update(description=BACKGROUND)
    for response in corpus.responses.all():
        response.text = f"{response.text}\n\n" * 20
        response.save()
    draft = draft_study(instrument="crowdrag-pairwise", corpus=corpus, background="pinned")
    work = begun(open_study(draft), bob())
    page = browser.new_context(viewport=viewport).new_page()
    page.goto(web_processes(1)[0].url + reverse("judging:item", args=[work.token, 1]))
    saved(page)
    return page


def test_on_a_wide_page_the_background_is_a_column_beside_the_texts(
    browser: Browser, web_processes: Web, axe: Callable[[Any], list[str]]
) -> None:
    page = page_of(browser, web_processes, DESK)
    expect(page.locator("[data-background] strong")).to_be_visible()
    background, texts = (
        page.locator(place).bounding_box() for place in ("[data-background]", "#texts")
    )
    assert background
    assert texts
    assert background["x"] + background["width"] <= texts["x"] + 1
    assert abs(background["y"] - texts["y"]) < 8
    assert background["y"] + background["height"] <= DESK["height"]
    assert axe(page) == []


def test_on_a_phone_the_background_stays_in_sight_and_folds(
    browser: Browser, web_processes: Web, axe: Callable[[Any], list[str]]
) -> None:
    page = page_of(browser, web_processes, PHONE)
    background = page.locator("[data-background]")
    assert axe(page) == []
    page.locator("[data-parts]").evaluate("box => box.scrollTo(0, 2000)")
    expect(background.locator("summary")).to_be_in_viewport()
    expect(page.locator("[data-heading]")).to_be_in_viewport()
    page.locator("[data-switch] a[href='#questions']").click()
    top = page.locator("#questions").bounding_box()
    pinned = background.bounding_box()
    assert top
    assert pinned
    assert top["y"] >= pinned["y"] + pinned["height"] - 1  # nothing is covered
    background.locator("summary").click()
    expect(background).not_to_have_attribute("open", "")
    page.locator("[data-next]").click()
    expect(page.locator("main[data-page='2']")).to_be_visible()
    expect(background).not_to_have_attribute("open", "")
    background.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(background).to_have_attribute("open", "")


def test_without_scripts_the_background_is_open(browser: Browser, web_processes: Web) -> None:
    page = page_of(browser, web_processes, DESK)
    bare = browser.new_context(java_script_enabled=False).new_page()
    bare.goto(page.url)
    expect(bare.locator("[data-background] strong")).to_be_visible()
