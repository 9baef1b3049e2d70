"""Alice wrote a text that was accepted and paid, opens her receipt, and withdraws: in Chromium."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.journeys.writer import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def work() -> Any:
    """Her text, written key by key, accepted and paid by hand."""
    from django.utils import timezone

    from annotation.fieldwork.paying import ordering, orders
    from annotation.fieldwork.review import reviewing
    from annotation.models import ReviewDecision
    from tests.cast import HOUR, writing_study
    from writing.log.collecting import pack_log
    from writing.process import measuring
    from writing.studies.simulating import SimulatedWriter, simulate

    now = timezone.now()
    study = writing_study(pay="5.00")
    made = simulate(study=study, writer=SimulatedWriter("alice", gap=190), arrived=now - HOUR)
    pack_log(assignment=made)
    measuring.measure(assignment=made, now=now)
    decision = ReviewDecision.Decision.ACCEPT
    reviewing.decide(assignment=made, decision=decision, reviewer="rita", now=now)
    ordering.pay(study=study, stamp=orders.payable(study).stamp, user=None, now=now)
    return made


# Texts that a browser keeps: puts some there, as a page that was writing does; whose are there.
LEFT = """async (tokens) => {
  const { openStore } = await import(document.querySelector("script[src*=forgetting]").src
    .replace(/forgetting.*/, "recorder/store.js"));
  const store = await openStore();
  for (const token of tokens) await store.draft(token, "t1", { text: "Lamps", at: 1 });
}"""
STAYS = """async () => {
  const answer = (request) =>
    new Promise((done) => { request.onsuccess = () => done(request.result); });
  const database = await answer(indexedDB.open("crowdwright.writing"));
  const drafts = await answer(database.transaction("drafts").objectStore("drafts").getAll());
  database.close();
  return drafts.map((draft) => draft.token).join();
}"""


def test_a_writer_withdraws_by_the_receipt_and_no_word_stays_but_the_accounting(
    page: Page, live_server: Any, work: Any, settings: Any
) -> None:
    from annotation.models import LedgerEntry, Place, Response
    from writing.models import LogChunk, PackedLog, ProcessRecord, Writing

    settings.PUBLIC_URL = live_server.url
    booked = list(LedgerEntry.objects.order_by("pk").values_list("kind", "amount"))
    assert ("paid", 500) in booked
    page.set_viewport_size(PHONE)
    page.goto(f"{live_server.url}/w/{work.token}/done/")
    page.evaluate(LEFT, [work.token, "another"])
    page.locator("[data-receipt-note] a").click()
    receipt = page.locator("[data-receipt-address]").inner_text()
    page.get_by_role("link", name="Withdraw consent").click()
    page.locator("button.button-danger").click()
    expect(page.locator("[data-end=withdrawn]")).to_be_visible()
    for _ in range(600):
        if (stays := page.evaluate(STAYS)) == "another":
            break
        page.wait_for_timeout(100)
    assert stays == "another"

    for model in (Writing, LogChunk, PackedLog, ProcessRecord):
        assert not model.objects.exists(), model
    assert not Response.objects.exists()  # nobody judges it
    assert list(LedgerEntry.objects.order_by("pk").values_list("kind", "amount")) == booked
    assert Place.objects.filter(task=work.task, assignment=None).exists()
    page.goto(receipt)
    expect(page.locator("[data-kept]")).to_be_visible()
    expect(page.locator("[data-kept] li")).to_have_count(0)
