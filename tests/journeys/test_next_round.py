"""Rita edits one entry of a graded bank: people and a model are asked its cells, nothing else."""

import pytest
from playwright.sync_api import expect

from annotation.models import Study
from annotation.studies import batching
from judging.banks.entries_at import entries_at
from judging.calls.fake.running import FakeEndpoint
from judging.calls.sending import work_on
from judging.items.drawing import draw_presentations
from judging.models import Judgment
from judging.pages import askers
from tests.cast import NOW, begun, bob, rita
from tests.judging.banks.cast import TEXTS, bank_of
from tests.judging.banks.test_bank_studies import graded, study_of
from tests.judging.machines.cast import machine, run

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PASSAGES = ("p1", "p2", "p3")


@pytest.fixture
def bank():
    """Return a bank whose nine cells people and a closed batch's study know."""
    bank = bank_of(state="confirmed")
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
    study = Study.objects.get()
    with FakeEndpoint() as fake:
        judge = run(machine(study, fake.url))
        assert len(fake.ledger.charges) == 9
        page.goto(f"{live_server.url}/corpora/{bank.corpus.slug}/banks/{bank.pk}/")
        expect(page.locator("html[data-keys=ready]")).to_be_attached()
        row = page.locator("[data-row]").first
        page.keyboard.press("j")
        page.keyboard.press("e")
        expect(row.locator("[data-text]")).to_be_focused()
        row.locator("[data-text]").fill("Eiffel's company built it")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Eiffel's company built it").first).to_be_visible()
        page.goto(f"{live_server.url}{study.get_absolute_url()}recruit/")
        page.locator("a[href$='/unknown/']").click()
        expect(page.locator("[data-says]").first).to_contain_text("3")
        assert not axe(page)
        page.locator("form.act button.button-primary").click()
        made = study.batches.get(number=2)
        page.goto(f"{live_server.url}{study.get_absolute_url()}machines/{judge.pk}/")
        page.locator("button[name=do][value=run]").click()
        expect(page.locator("button[name=do][value=pause]")).to_be_visible()
        work_on(pk=judge.pk)
        assert len(fake.ledger.charges) == 12
    new = next(row for row in entries_at(bank) if row.text == "Eiffel's company built it")
    grades = Judgment.objects.filter(rater=judge.rater)
    assert grades.filter(item__slots__criterion__key=new.key).count() == 3
    batching.open_batch(batch=made, now=NOW)
    shown = draw_presentations(assignment=begun(study, bob()))
    assert len(shown) == 3
    asked = {slot.criterion.key for one in shown for slot in one.item.slots.all() if slot.criterion}
    assert asked == {new.key}
