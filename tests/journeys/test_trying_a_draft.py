"""A draft is answered by a simulated crowd, and nothing is left; in real Chromium. (How one is
tried as a worker: test_from_nothing.)"""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.journeys.test_building_studies import rita_at
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Axe = Callable[[Any], list[str]]
Web = Callable[[int], list[WebProcess]]


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


def test_a_trial_is_walked_through_beside_its_draft_on_every_size_of_screen(
    browser: Browser, web_processes: Web, axe: Axe
) -> None:
    from django.utils import timezone

    from annotation.trials.making import make_trial
    from tests.annotation.drafts.drafted import drafted
    from tests.cast import rita

    researcher = rita()
    draft = drafted(user=researcher)
    make_trial(draft=draft, user=researcher, now=timezone.now())
    base = web_processes(1)[0].url
    page = rita_at(browser, base)
    page.goto(f"{base}/drafts/{draft.pk}/try/")
    trial = page.frame_locator(".trial-page")
    trial.get_by_role("button", name="I agree").click()
    trial.get_by_role("link", name="Begin").click()
    expect(trial.locator("[data-item='1']")).to_be_visible()
    for size, width in (("Tablet", 768), ("Computer", 1280), ("Phone", 360)):
        page.get_by_role("button", name=size).click()
        expect(page.get_by_text(f"{width} by")).to_be_visible()
        assert (
            trial.locator("body").evaluate("body => body.ownerDocument.defaultView.innerWidth")
            == width
        )
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe(page) == []
