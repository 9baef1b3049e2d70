"""Rita decides on 20 proposed entries by keyboard, adds one from a passage, and reads on."""

import re

import pytest
from playwright.sync_api import expect

from judging.banks import adding
from judging.banks.entries_at import entries_at
from judging.calls.fake.running import FakeEndpoint
from judging.calls.sending import work_on
from judging.models import EntryRound
from judging.pages import askers
from tests.cast import NOW, rita
from tests.judging.banks.cast import bank_of, states
from tests.judging.banks.test_bank_studies import study_of
from tests.judging.queries.cast import passages

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
FACTS = [f"Fact number {n}" for n in range(18)]
PROPOSED = [*FACTS, "Finished in 1889", "330 metres high"]
MOST_KEYS = 50  # for 20 entries, with two edits, a rejection, an undo and a merge


@pytest.fixture
def signed_in(page, live_server, client):
    client.force_login(rita())
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    return page


class Typist:
    """Presses keys one by one, and counts them."""

    def __init__(self, page):
        self.page, self.keys = page, 0

    def press(self, key):
        self.keys += 1
        self.page.keyboard.press(key)

    def type(self, words):
        self.keys += len(words)
        self.page.keyboard.type(words)


def test_twenty_proposals_are_decided_on_by_mouse(signed_in, live_server):
    page, bank = signed_in, bank_of(PROPOSED)
    page.goto(f"{live_server.url}/corpora/{bank.corpus.slug}/banks/{bank.pk}/?state=proposed")
    expect(page.locator("html[data-keys=ready]")).to_be_attached()
    rows, clicks = page.locator("[data-row]"), 0
    for n in (2, 7, 11):
        rows.nth(n).locator("button[value=retire]").click()
        expect(rows.nth(n)).to_have_attribute("data-state", "retired")
        clicks += 1
    rows.nth(4).locator("[data-edit]").click()
    rows.nth(4).locator("[data-text]").fill("A better fact")
    rows.nth(4).locator("button[value=edit]").click()
    expect(rows.nth(4)).to_have_attribute("data-state", "confirmed")
    page.locator("[data-choose-page]").check()
    expect(page.locator("[data-choose]:checked")).to_have_count(16)  # none that is decided on
    page.locator("[data-together] button[value=confirm]").click()
    expect(page.locator("[data-row]")).to_have_count(0)
    clicks += 3 + 2
    words = sum(len(text.split()) for text in PROPOSED)
    assert clicks * 4 + words / 240 * 60 < 120  # seconds: four an action, 240 words a minute
    found = states(bank)
    assert list(found.values()).count("confirmed") == 17
    assert list(found.values()).count("retired") == 4  # with the edited wording


def test_the_impact_of_an_edit_arrives_while_somebody_types(signed_in, live_server):
    page, bank = signed_in, bank_of(["Iron"], state="confirmed")
    study_of(bank)
    held = []
    page.route("**/impact/", lambda route: held.append(route))
    page.goto(f"{live_server.url}/corpora/{bank.corpus.slug}/banks/{bank.pk}/")
    expect(page.locator("html[data-keys=ready]")).to_be_attached()
    with page.expect_request("**/impact/"):
        page.locator("[data-edit]").click()
    field = page.locator("[data-text]")
    expect(field).to_be_focused()
    page.keyboard.press("Home")
    page.keyboard.type("A")
    held[0].continue_()
    expect(page.locator("[data-impacts]")).to_be_visible()
    page.wait_for_timeout(100)  # until it has settled
    page.keyboard.type("B")
    expect(field).to_have_value("ABIron")


def test_twenty_proposals_are_decided_on_by_keyboard(signed_in, live_server, axe):
    page, bank = signed_in, bank_of(PROPOSED)
    page.goto(f"{live_server.url}{bank.corpus.get_absolute_url()}")
    page.get_by_role("link", name="Banks").click()
    page.get_by_role("link", name="20", exact=True).click()
    expect(page.locator("html[data-keys=ready]")).to_be_attached()
    assert not axe(page)
    rows, hand = page.locator("[data-row]"), Typist(page)
    expect(rows).to_have_count(20)
    hand.press("j")
    for _ in range(15):  # faster than the rows come
        hand.press("a")
    expect(page.locator("[data-row][data-state=confirmed]")).to_have_count(15)
    expect(rows.nth(15)).to_have_attribute("aria-current", "true")
    hand.press("1")
    expect(rows.nth(15).locator("[data-importance]")).to_have_value("vital")
    expect(rows.nth(15)).to_have_attribute("aria-current", "true")
    hand.press("e")
    expect(rows.nth(15).locator("[data-text]")).to_be_focused()
    expect(rows.nth(15).locator("[data-impact]")).to_be_visible()
    assert not axe(page)
    hand.type(" ok")
    hand.press("Enter")
    expect(rows.nth(15)).to_have_attribute("data-state", "confirmed")
    expect(rows.nth(16)).to_have_attribute("aria-current", "true")
    hand.press("e")
    expect(rows.nth(16).locator("[data-text]")).to_be_focused()
    hand.press("Escape")
    expect(rows.nth(16).locator("[data-text]")).to_have_count(0)
    expect(rows.nth(16)).to_have_attribute("aria-current", "true")
    hand.press("r")
    expect(rows.nth(16)).to_have_attribute("data-state", "retired")
    hand.press("k")
    hand.press("u")
    expect(rows.nth(16)).to_have_attribute("data-state", "proposed")
    hand.press("k")
    hand.press("r")
    expect(rows.nth(16)).to_have_attribute("data-state", "retired")
    hand.press("a")
    expect(rows.nth(17)).to_have_attribute("data-state", "confirmed")
    hand.press("x")
    hand.press("j")
    hand.press("x")
    hand.press("m")
    page.wait_for_url(re.compile("state=proposed"))
    expect(rows).to_have_count(0)
    assert hand.keys <= MOST_KEYS
    found = states(bank)
    assert [found[text] for text in ("Fact number 15 ok", "Fact number 15", "Fact number 16")] == [
        "confirmed", "retired", "retired",
    ]  # fmt: skip
    assert (found["Finished in 1889"], found["330 metres high"]) == ("confirmed", "retired")
    edited = next(row for row in entries_at(bank) if row.text == "Fact number 15 ok")
    page.goto(f"{live_server.url}/corpora/{bank.corpus.slug}/banks/{bank.pk}/entries/{edited.pk}/")
    expect(page.locator("[data-wording]")).to_have_count(2)
    assert not axe(page)


def test_a_model_proposes_entries(signed_in, live_server, axe, settings, monkeypatch):
    settings.MACHINE_ENDPOINTS_INSIDE = True
    # A Celery worker that other tests have left knows nothing of that setting.
    monkeypatch.setattr(askers.jobs, "send_after_commit", lambda *_: None)
    bank = adding.make(corpus=passages(), name="facts", kind="nuggets", by=None, now=NOW)
    page = signed_in
    with FakeEndpoint() as fake:
        page.goto(f"{live_server.url}/corpora/{bank.corpus.slug}/banks/{bank.pk}/")
        assert not axe(page)
        page.get_by_role("link", name="Generate entries").click()
        page.locator("#passages").fill("2")
        page.locator("#model").fill("good")
        page.locator("#price_in").fill("2.50")
        page.locator("#price_out").fill("10")
        page.locator("button[name=do][value=preview]").click()
        expect(page.locator("[data-forecast]")).to_contain_text("USD")
        assert not axe(page)
        page.locator("#name").fill("First round")
        page.locator("#base_url").fill(fake.url)
        page.locator("button[name=do][value=save]").click()
        page.locator("button[name=do][value=run]").click()
        expect(page.locator("button[name=do][value=pause]")).to_be_visible()
        work_on(pk=EntryRound.objects.get().pk, askers=EntryRound)
        expect(page.locator("[data-proposed]")).to_have_text("20")  # by itself
        assert not axe(page)
    page.set_viewport_size({"width": 390, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="Review").click()
    expect(page.locator("[data-row][data-state=proposed]")).to_have_count(20)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not axe(page)


def test_selected_words_of_a_passage_become_an_entry(signed_in, live_server, axe):
    bank = bank_of(state="confirmed")
    topic = bank.corpus.topics.get(key="t1")
    passage = topic.passages.get(key="p1")
    page = signed_in
    page.goto(f"{live_server.url}/corpora/{bank.corpus.slug}/topics/{topic.pk}/")
    expect(page.locator("html[data-spans=ready]")).to_be_attached()
    form = page.locator("[data-span-form]")
    expect(form).to_be_hidden()
    page.evaluate(
        """pk => {
            const text = document.querySelector(`[data-passage="${pk}"] p`).firstChild;
            document.getSelection().setBaseAndExtent(text, 21, text, 37);
        }""",
        passage.pk,
    )
    expect(form).to_be_visible()
    assert not axe(page)
    form.get_by_role("button").click()
    expect(page.locator("#text")).to_have_value("finished in 1889")
    assert not axe(page)
    page.locator("#text").fill("Completed in 1889")
    page.locator("#text").press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("[data-row]")).to_have_count(4)
    new = next(row for row in entries_at(bank) if row.text == "Completed in 1889")
    assert (new.passage_id, passage.text[new.start : new.end]) == (passage.pk, "finished in 1889")
