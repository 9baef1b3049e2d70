"""A study goes from a pilot to its main batch in a real Chromium, with one worker in between."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Assignment
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import rita

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def logged_in(browser: Browser, base: str) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(f"{base}/login/")
    page.locator("[name=username]").fill("rita")
    page.locator("[name=password]").fill("a long password")
    page.locator("main form button").first.click()
    page.wait_for_url(f"{base}/")
    return page


def begun(browser: Browser, link: str) -> Page:
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    page.goto(link)
    page.get_by_role("button", name="I agree").click()
    expect(page.get_by_role("heading", name="Instructions")).to_be_visible()
    return page


def work_through(page: Page, *, items: int) -> None:
    """Answer every question with its first option, and hand in."""
    page.get_by_role("link", name="Start").click()
    for position in range(1, items + 1):
        expect(page.locator(f"[data-item='{position}']")).to_be_visible()
        page.wait_for_load_state()
        for question in page.locator("[data-field]").all():
            question.locator("label").first.click()
        expect(page.locator("[data-answer]:checked")).to_have_count(7)
        page.locator("[data-next]").click()
    expect(page.get_by_role("heading", name="Last step")).to_be_visible()
    page.locator("[data-submit]").click()
    expect(page.locator("[data-completion-code]")).to_be_visible()


def test_a_pilot_is_launched_worked_on_paused_and_followed_by_the_rest(browser, live_server, axe):
    document = judging_document(responses=5)
    document.instruments[0]["defaults"] |= {"items_per_questionnaire": 2, "quota": 2}
    draft = drafted(document, user=rita())
    page, base = logged_in(browser, live_server.url), live_server.url
    page.goto(f"{base}{draft.get_absolute_url()}launch/")
    page.locator("#pilot").fill("1")
    expect(page.locator("#pilot-says")).to_contain_text(
        re.compile(r"\b1\b.*\b5\b.*\b2\b", re.DOTALL)
    )
    page.get_by_role("button", name="Launch pilot").dblclick()
    expect(page.get_by_role("heading", name="Recruit", exact=True)).to_be_visible()
    assert axe(page) == []
    page.get_by_role("link", name="Extend… batch pilot").click()
    page.locator("[name=votes]").fill("2")
    expect(page.locator("#effect")).to_contain_text("2 more places: 1 task × 4 participants")
    page.get_by_role("button", name="Extend").click()
    expect(page.locator("#batch-1")).to_contain_text("of 4 places")
    page.get_by_role("button", name="Pause batch pilot").click()
    expect(page.locator("#batch-1")).to_contain_text("paused")
    page.locator("#batch-1 form[action*=resume] button").click()
    expect(page.locator("#batch-1 .badge")).to_have_text("open")

    address = str(page.locator("[data-worker-link]").text_content())
    link = base + address[address.index("/s/") :]
    work_through(begun(browser, link), items=2)
    begun(browser, link)
    page.reload()
    expect(page.locator("#lessons-title")).to_be_visible()
    page.get_by_role("link", name="Close… batch pilot").click()
    expect(page.locator("#effect")).to_contain_text("1 participant")
    assert axe(page) == []
    page.locator("#typed").fill("pilot")
    page.get_by_role("button", name="Close").click()
    expect(page.locator("#batch-1 .badge")).to_have_text("closed")
    page.get_by_role("link", name="Open… batch main").click()
    expect(page.locator("#effect")).to_contain_text(re.compile(r"\b8\b.*\b4\b"))
    page.get_by_role("button", name="Open").click()
    expect(page.locator("#batch-2 .badge")).to_have_text("open")
    begun(browser, link)
    assert Assignment.objects.latest("pk").task.batch.name == "main"
