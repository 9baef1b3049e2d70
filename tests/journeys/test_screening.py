"""Screening, practice and an attention item, from link to code, in a real Chromium.

A worker who is screened out returns and is not asked again.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PHONE = {"width": 360, "height": 740}
Axe = Callable[[Any], list[str]]
RIGHT = ("y", "n", "y")


@pytest.fixture
def study() -> Any:
    """Three questions of which two have to be right; one page of practice; one attention item."""
    from judging.instruments.schema import AnswerSpec, AttentionSpec, KnownSpec
    from tests.cast import small_study, tiny_instrument

    options = [{"code": "y", "label": "Yes"}, {"code": "n", "label": "No"}]
    answer = [AnswerSpec("better", "b")]
    return small_study(
        instrument=tiny_instrument(
            attention=[AttentionSpec("awake", "Please choose **Right** here.", answer)],
            training=[KnownSpec("first", "t1c|t1a", answer, "It says more.")],
        ),
        responses=3,
        quota=2,
        recruitment="prolific",
        completion_code="C0FFEE",
        screening={
            "introduction": "Look at the *lamps*.",
            "questions": [
                {"key": f"q{n}", "label": f"Question {n}?", "options": options, "right": right}
                for n, right in enumerate(RIGHT, start=1)
            ],
            "pass_mark": 2,
            "reward": "0.25",
        },
    )


def agreed(page: Page, base: str, person: str) -> None:
    from tests.cast import prolific_link

    page.goto(base + prolific_link(person))
    page.get_by_role("button", name="I agree").click()
    expect(page.locator("input[name=q1]").first).to_be_attached()


def answered(page: Page, answers: str) -> None:
    """With the keyboard alone: Tab to the first answer of each question, Space chooses it."""
    for n, code in enumerate(answers, start=1):
        page.locator(f"input[name='q{n}'][value='{code}']").focus()
        page.keyboard.press("Space")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Submit answers")).to_be_focused()
    page.keyboard.press("Enter")


def narrow(page: Page) -> None:
    wide = "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
    assert page.evaluate(wide)


def test_screened_trained_and_attentive(
    browser: Browser, live_server: Any, study: Any, axe: Axe, tmp_path: Path
) -> None:
    from annotation.models import Assignment
    from judging.models import Examination
    from judging.review import examining

    page = browser.new_context(viewport=PHONE).new_page()
    agreed(page, live_server.url, "bob")
    assert axe(page) == []
    narrow(page)
    answered(page, "yny")
    page.get_by_role("link", name="Start").click()

    expect(page.locator("[data-item='1'] [data-training]")).to_be_visible()
    page.wait_for_load_state()
    choose(page, "a")
    page.get_by_role("link", name="Check answers").click()
    expect(page).to_have_url(re.compile("/feedback/"))
    expect(page.locator("main")).to_contain_text("It says more.")
    assert axe(page) == []
    narrow(page)
    page.get_by_role("link", name="Continue").click()

    for position in range(2, 6):
        expect(page.locator(f"[data-item='{position}']")).to_be_visible()
        page.wait_for_load_state()
        is_check = page.get_by_text("Please choose Right here.").count() > 0
        choose(page, "b" if is_check else "a")
        page.locator("[data-next]").click()
    expect(page.locator("[data-finish]")).to_be_visible()
    page.locator("[data-submit]").click()
    expect(page.locator("[data-completion-code]")).to_have_text("C0FFEE")

    work = Assignment.objects.get()
    assert work.presentations.count() == 5
    examining.examine(pk=work.pk)
    rules = [mark["rule"] for mark in Examination.objects.get(assignment=work).marks]
    assert "attention" not in rules


def choose(page: Page, code: str) -> None:
    page.locator(f"[data-questions] label:has(input[value='{code}'])").click()
    expect(page.locator("[data-answer]:checked")).to_have_count(1)
    expect(page.locator("[data-save-state='saved']")).to_be_visible()


def test_screened_out_worker_is_not_asked_again(
    browser: Browser, live_server: Any, study: Any, axe: Axe
) -> None:
    from annotation.models import ScreeningResult
    from tests.cast import prolific_link

    page = browser.new_context(viewport=PHONE).new_page()
    agreed(page, live_server.url, "charlie")
    answered(page, "nyn")
    ended = page.locator("[data-end=screened_out]")
    expect(ended).to_be_visible()
    assert axe(page) == []
    narrow(page)
    page.reload()
    expect(ended).to_be_visible()
    page.goto(live_server.url + prolific_link("charlie"))
    expect(ended).to_be_visible()
    expect(page.locator("[data-return]")).to_have_attribute("href", re.compile(r"\?cc=\w+$"))

    other = browser.new_context(viewport=PHONE).new_page()
    other.goto(live_server.url + prolific_link("charlie", submission="second"))
    other.get_by_role("button", name="I agree").click()
    expect(other.locator("[data-refusal=BegunInOtherSession]")).to_be_visible()
    assert axe(other) == []
    assert [row.right for row in ScreeningResult.objects.all()] == [0]
