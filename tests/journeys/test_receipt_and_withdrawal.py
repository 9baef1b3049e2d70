"""Bob keeps his receipt, and withdraws in another browser after the study was analysed."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.writer import DESK, PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Axe = Callable[[Any], list[str]]


@pytest.fixture
def study(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Three judge, and one more is to come; a closing is answered by this test alone."""
    from analysis.analyses.catalogue import CATALOGUE
    from tests.analysis.runs.polls import poll

    settings.ANALYSES = {name: CATALOGUE[name] for name in ("agreement", "means")}
    monkeypatch.setattr("analysis.tasks.renew_study.apply_async", lambda *_, **__: None)
    return poll({"dora": "abn", "emil": "naa", "fay": "aab"}, analysis={"draws": 50})


def test_a_receipt_works_after_the_study_and_withdraws(
    browser: Browser, page: Page, live_server: Any, study: Any, axe: Axe, settings: Any
) -> None:
    from django.utils import timezone

    from analysis.models import AnalysisRun
    from analysis.runs import renewing, running
    from annotation.studies.batching import close_batch
    from tests.analysis.runs.polls import analysed, vote
    from tests.cast import rita

    settings.PUBLIC_URL = live_server.url
    work = vote(study, "bob", "aab")
    page.set_viewport_size(PHONE)
    page.goto(f"{live_server.url}/w/{work.token}/done/")
    page.locator("[data-receipt-note] a").click()
    expect(page.locator("[data-kept]")).to_contain_text("3 answers")
    address = page.locator("[data-receipt-address]").inner_text()
    assert axe(page) == []
    close_batch(batch=study.batches.get(), now=timezone.now())
    analysed(study)

    elsewhere = browser.new_context(viewport=DESK)
    bob = elsewhere.new_page()
    bob.goto(address)
    bob.get_by_role("link", name="Withdraw consent").click()
    bob.locator("button.button-danger").click()
    expect(bob.locator("[data-end=withdrawn]")).to_be_visible()
    bob.goto(address)
    expect(bob.locator("[data-kept]")).to_be_visible()
    expect(bob.locator("[data-kept] li")).to_have_count(0)
    expect(bob.locator("[data-withdrawn]")).to_be_visible()
    assert axe(bob) == []
    elsewhere.close()

    queue: list[int] = []
    renewing.renew(study=study, enqueue=queue.append)
    while queue:
        running.perform(pk=queue.pop(0), enqueue=queue.append)
    renewing.renew(study=study, enqueue=queue.append)
    assert AnalysisRun.objects.count() == 1

    rita()
    page.set_viewport_size(DESK)
    page.goto(f"{live_server.url}/login/?next=/studies/{study.slug}/1/results/")
    page.get_by_label("Username").fill("rita")
    page.get_by_label("Password").fill("a long password")
    page.get_by_role("button", name=re.compile("Sign in")).click()
    note = page.locator("[data-without='1']")
    expect(note).to_be_visible()
