"""Conversations on the judging page, in a real Chromium."""

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
CONTENTS = (
    "Help me to plan a **garden** on a balcony.",
    "Gladly. How much sun?\n\n| side | hours |\n|---|--:|\n| south | 8 |\n| north | 2 |",
)


def page_of(browser: Browser, web_processes: Web, viewport: Any, method: str = "next-turn") -> Page:
    """Bob looks at conversations with 11 turns before the last one."""
    corpus = small_corpus(responses=2)
    turns = [
        {"role": ("user", "assistant")[n % 2], "content": f"{n + 1}. {CONTENTS[n % 2]}"}
        for n in range(11)
    ]
    corpus.topics.update(query=turns[0]["content"])
    for response in corpus.responses.all():
        response.turns = turns
        response.text = f"{response.text} It needs *water*.\n\n" * 8
        response.save()
    work = begun(open_study(draft_study(instrument=method, corpus=corpus)), bob())
    page = browser.new_context(viewport=viewport).new_page()
    page.goto(web_processes(1)[0].url + reverse("judging:item", args=[work.token, 1]))
    saved(page)
    return page


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["wide", "phone"])
def test_earlier_turns_fold_above_the_judged_one(
    browser: Browser, web_processes: Web, axe: Callable[[Any], list[str]], viewport: Any
) -> None:
    page = page_of(browser, web_processes, viewport)
    thread = page.locator("[data-thread=common]")
    expect(thread.locator("[data-turn]:visible")).to_have_count(2)
    assert axe(page) == []
    thread.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(thread.locator("[data-turn]:visible")).to_have_count(11)
    above, texts = (page.locator(name).bounding_box() for name in ("[data-thread]", "#text-a"))
    assert above
    assert texts
    assert above["y"] + above["height"] <= texts["y"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("method", ["next-turn", "whole-conversation"])
def test_without_scripts_all_turns_can_be_read(
    browser: Browser, web_processes: Web, method: str
) -> None:
    page = page_of(browser, web_processes, DESK, method)
    bare = browser.new_context(java_script_enabled=False).new_page()
    bare.goto(page.url)
    if method == "next-turn":
        bare.locator("[data-folded] summary").click()
    turns = bare.locator("[data-turn]")
    expect(turns).to_have_count(13 if method == "next-turn" else 12)
    expect(bare.locator("[data-turn]:visible")).to_have_count(turns.count())
