"""A draft is tried on a phone and by a simulated crowd, and nothing is left; in real Chromium."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.journeys.test_building_studies import rita_at
from tests.journeys.writer import PHONE
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Axe = Callable[[Any], list[str]]
Web = Callable[[int], list[WebProcess]]


def test_a_draft_is_tried_on_a_phone_and_deleted(
    browser: Browser, web_processes: Web, axe: Axe
) -> None:
    from tests.annotation.drafts.drafted import drafted
    from tests.annotation.trials.rows import rows
    from tests.cast import rita

    draft = drafted(user=rita())
    base = web_processes(1)[0].url
    page = rita_at(browser, base)
    before = rows()
    page.goto(f"{base}{draft.get_absolute_url()}")
    page.get_by_role("link", name="Try it").click()
    expect(page.get_by_text("Nobody has gone through this draft")).to_be_visible()
    page.get_by_role("button", name="Make a trial").click()
    expect(page.get_by_role("link", name="Open it as a worker")).to_be_visible()
    assert axe(page) == []
    link = page.locator("[data-trial-link]").inner_text()

    phone = browser.new_context(viewport=PHONE).new_page()
    phone.goto(base + link[link.index("/s/") :])
    expect(phone.get_by_text("Trial: nothing is kept.")).to_be_visible()
    phone.get_by_role("button", name="I agree").click()
    phone.get_by_role("link", name="Begin").click()
    for position in range(1, 4):
        expect(phone.locator(f"[data-item='{position}']")).to_be_visible()
        expect(phone.get_by_text("Trial: nothing is kept.")).to_be_visible()
        phone.wait_for_load_state()
        for question in phone.locator("[data-field]").all():
            question.locator("label").first.click()
        expect(phone.locator("[data-answer]:checked")).to_have_count(7)
        phone.locator("[data-next]").click()
    phone.locator("[data-submit]").click()
    expect(phone.locator("[data-completion-code]")).to_be_visible()
    assert axe(phone) == []

    page.reload()
    expect(page.get_by_text(re.compile("rita went through revision 0 to the code"))).to_be_visible()
    page.get_by_role("button", name="Delete it now").dblclick()
    expect(page.get_by_text("nothing of it is left")).to_be_visible()
    phone.reload()
    expect(phone.get_by_text("We do not know this link.")).to_be_visible()
    after = rows()
    assert {table: n - before[table] for table, n in after.items() if n != before[table]} == {}


def test_a_crowd_answers_a_copy_whose_results_are_marked_and_deleted(
    browser: Browser, web_processes: Web, celery_worker: Any, axe: Axe
) -> None:
    from tests.annotation.drafts.drafted import drafted
    from tests.annotation.trials.rows import rows
    from tests.cast import rita

    draft = drafted(user=rita())
    base = web_processes(1)[0].url
    page = rita_at(browser, base)
    page.goto(f"{base}/drafts/{draft.pk}/try/")
    before = rows()
    page.get_by_label("Workers").fill("4")
    page.get_by_role("button", name="Simulate a crowd").dblclick()
    expect(page.get_by_role("link", name="Its results")).to_be_visible()
    assert axe(page) == []
    page.get_by_role("link", name="Its results").click()
    expect(page.get_by_text("Simulated.", exact=True)).to_be_visible()
    # The page looks again by itself until the analysis is done.
    expect(page.get_by_role("link", name="Agreement").first).to_be_visible(timeout=60_000)
    expect(page.get_by_text("Simulated.", exact=True)).to_be_visible()
    page.get_by_role("link", name="Where it was made").click()
    page.get_by_role("button", name="Delete the simulated copy").click()
    expect(page.get_by_role("button", name="Simulate a crowd")).to_be_visible()
    after = rows()
    assert {table: n - before[table] for table, n in after.items() if n != before[table]} == {}
