"""Rita edits one entry of a graded bank: people and a model are asked its cells, nothing else.

Bob grades them as a participant, and the leaderboard names the edit.
"""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from annotation.models import Assignment, Study
from annotation.studies import batching
from judging.answering import recording
from judging.banks.entries_at import entries_at
from judging.calls.fake.running import FakeEndpoint
from judging.calls.sending import work_on
from judging.models import Bank, Judgment
from judging.pages import askers
from tests.analysis.pages.banks.cast import rank
from tests.cast import NOW, rita
from tests.judging.banks.cast import TEXTS, bank_of
from tests.judging.banks.test_bank_studies import graded, study_of
from tests.judging.machines.cast import machine, run

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PASSAGES = ("p1", "p2", "p3")
REWORDED = "Eiffel's company built it"


@pytest.fixture
def bank():
    """Return a bank whose nine cells people and a closed batch's study know."""
    bank = bank_of(state="confirmed")
    rank(bank, {"x": {"t1": ["p1", "p2"]}, "y": {"t1": ["p3"]}})
    study = study_of(bank)
    Study.every.filter(pk=study.pk).update(team=bank.corpus.team, launched_at=NOW)
    study.refresh_from_db()
    batch = batching.open_batch(batch=study.batches.get(), now=NOW)
    batching.close_batch(batch=batch, now=NOW)
    for text in TEXTS:
        for passage in PASSAGES:
            graded(study, bank, text, passage, 1)
    return bank


def test_an_edited_entry_is_asked_again_and_no_other(
    page, live_server, client, axe, settings, monkeypatch, bank
):
    settings.MACHINE_ENDPOINTS_INSIDE = True
    monkeypatch.setattr(askers.jobs, "send_after_commit", lambda *_: None)
    client.force_login(rita())
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    study, revision = Study.objects.get(), Bank.objects.get().revision
    with FakeEndpoint() as fake:
        judge = run(machine(study, fake.url))
        assert len(fake.ledger.charges) == 9
        home = f"{live_server.url}/corpora/{bank.corpus.slug}/banks/{bank.pk}/"
        page.goto(home)
        expect(page.locator("html[data-keys=ready]")).to_be_attached()
        row = page.locator("[data-row]").first
        page.keyboard.press("j")
        page.keyboard.press("e")
        expect(row.locator("[data-text]")).to_be_focused()
        row.locator("[data-text]").fill(REWORDED)
        page.keyboard.press("Enter")
        expect(page.get_by_text(REWORDED).first).to_be_visible()
        page.goto(f"{live_server.url}{study.get_absolute_url()}recruit/")
        page.locator("a[href$='/unknown/']").click()
        expect(page.locator("[data-says]").first).to_contain_text("3")
        assert not axe(page)
        page.locator("form:has(#effect) button").click()
        expect(page.locator("#batch-2")).to_be_visible()
        made = study.batches.get(number=2)
        page.goto(f"{live_server.url}{study.get_absolute_url()}machines/{judge.pk}/")
        page.locator("button[name=do][value=run]").click()
        expect(page.locator("button[name=do][value=pause]")).to_be_visible()
        work_on(pk=judge.pk)
        assert len(fake.ledger.charges) == 12
    new = next(row for row in entries_at(bank) if row.text == REWORDED)
    grades = Judgment.objects.filter(rater=judge.rater)
    assert grades.filter(item__slots__criterion__key=new.key).count() == 3
    batching.open_batch(batch=made, now=NOW)
    bob = page.context.browser.new_context().new_page()
    grade_all(bob, f"{live_server.url}/s/{study.slug}/")
    people = Judgment.objects.exclude(rater=judge.rater).filter(assignment__isnull=False)
    asked = people.values_list("item__slots__criterion__key", "item__slots__passage__key")
    assert {key for pair in asked for key in pair if key} == {new.key, *PASSAGES}
    page.goto(f"{home}board/?before={revision}&pool=people")
    cause = page.locator("[data-cause=replaced]")
    expect(cause).to_contain_text(REWORDED)
    expect(cause.locator("del")).to_have_text(TEXTS[0])
    expect(page.locator("[data-cause]")).to_have_count(1)
    assert not axe(page)


def grade_all(page, link):
    """Grade the three items of a study with 5 as a participant."""
    page.goto(link)
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("link", name="Start").click()
    for number in (1, 2, 3):
        expect(page.locator(f"[data-item='{number}']")).to_be_visible()
        page.wait_for_load_state()
        expect(page.locator("[data-text=criterion]")).to_contain_text(REWORDED)
        page.keyboard.press("5")
        expect(page.locator("[data-save-state='saved']")).to_be_visible()
        page.keyboard.press("ArrowRight")
    expect(page.locator("[data-submit]")).to_be_visible()
    recording.submit(assignment=Assignment.objects.get(), now=timezone.now())
