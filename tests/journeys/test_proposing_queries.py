"""Rita asks a model for queries that passages answer, and decides on them by keyboard."""

import re

import pytest
from playwright.sync_api import expect

from judging.calls.fake.running import FakeEndpoint
from judging.calls.sending import work_on
from judging.models import ProposedQuery, QueryRound
from judging.pages import askers
from tests.cast import rita
from tests.judging.queries.cast import passages

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_queries_are_proposed_and_decided_on(page, live_server, settings, axe, client, monkeypatch):
    settings.MACHINE_ENDPOINTS_INSIDE = True
    # A Celery worker that other tests have left knows nothing of that setting.
    monkeypatch.setattr(askers.jobs, "send_after_commit", lambda *_: None)
    corpus = passages()
    corpus.topics.create(key="t3", query="What is known about bees dance to tell where?")
    client.force_login(rita())
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    with FakeEndpoint() as fake:
        page.goto(f"{live_server.url}{corpus.get_absolute_url()}")
        page.get_by_role("link", name="Proposed queries").click()
        page.get_by_role("link", name="Generate queries").click()
        page.locator("#drawn").fill("2")
        page.locator("#drawn_by").fill("4")
        page.locator("#model").fill("good")
        page.locator("#price_in").fill("2.50")
        page.locator("#price_out").fill("10")
        page.locator("#examples").fill("how old is it")
        page.locator("button[name=do][value=preview]").click()
        expect(page.locator("#preview")).to_be_visible()
        expect(page.locator("pre.written").nth(1)).to_contain_text("- how old is it")
        expect(page.locator("[data-forecast]")).to_contain_text("USD")
        assert not axe(page)
        page.locator("#drawn").fill("")
        page.locator("#name").fill("First round")
        page.locator("#base_url").fill(fake.url)
        page.locator("button[name=do][value=save]").click()
        expect(page.get_by_role("heading", name="First round", level=1)).to_be_visible()
        expect(page.locator("[data-forecast]")).to_contain_text("at most")
        page.locator("button[name=do][value=run]").click()
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        work_on(pk=QueryRound.objects.get().pk, askers=QueryRound)
        expect(page.locator("[data-proposed]")).to_have_text("9")  # by itself
        assert not axe(page)
    page.get_by_role("link", name="9 wait").click()
    expect(page.locator("html[data-keys=ready]")).to_be_attached()
    rows = page.locator("[data-row]")
    expect(rows).to_have_count(9)
    expect(page.locator("[data-like]")).to_contain_text("ROUGE-L 0.95")
    assert not axe(page)
    page.keyboard.press("j")
    expect(rows.nth(0)).to_have_attribute("aria-current", "true")
    page.keyboard.press("r")
    expect(rows.nth(0)).to_have_attribute("data-state", "rejected")
    expect(rows.nth(1)).to_have_attribute("aria-current", "true")  # the next one
    page.keyboard.press("e")
    expect(rows.nth(1).get_by_label("Query", exact=True)).to_be_focused()
    rows.nth(1).get_by_label("Query", exact=True).fill("When was the Eiffel Tower finished?")
    page.keyboard.press("Control+Enter")
    expect(rows.nth(1)).to_have_attribute("data-state", "accepted")
    expect(rows.nth(1)).to_contain_text("what is known about the eiffel tower")
    expect(rows.nth(2)).to_have_attribute("aria-current", "true")
    page.keyboard.press("k")
    page.keyboard.press("u")
    expect(rows.nth(1)).to_have_attribute("data-state", "waiting")
    rows.nth(1).get_by_role("button", name="Approve").click()
    expect(rows.nth(1)).to_have_attribute("data-state", "accepted")
    page.locator("[name=alike][type=checkbox]").check()
    page.get_by_role("button", name="Search", exact=True).click()
    expect(rows).to_have_count(1)
    page.locator("[name=all]").check()
    page.get_by_role("button", name="Reject selected").click()
    expect(page.get_by_text("1 query rejected.")).to_be_visible()
    page.locator("[name=alike][type=checkbox]").uncheck()
    page.get_by_role("button", name="Search", exact=True).click()
    expect(rows).to_have_count(6)
    page.locator("[data-choose-page]").check()
    words = rows.nth(2).get_by_label("Query", exact=True)
    written = words.input_value()
    words.fill("Typed and not saved")
    page.get_by_role("button", name="Approve selected").click()
    expect(page.locator("[data-chosen]")).not_to_be_empty()
    assert not ProposedQuery.objects.filter(edited="Typed and not saved").exists()
    expect(rows.nth(2)).to_have_attribute("aria-current", "true")
    words.fill(written)
    page.get_by_role("button", name="Approve selected").click()
    expect(page.get_by_text("6 queries approved.")).to_be_visible()
    states = list(ProposedQuery.objects.order_by("pk").values_list("state", flat=True))
    assert (states.count("accepted"), states.count("rejected")) == (7, 2)
    topic = ProposedQuery.objects.order_by("pk")[1].topic
    page.goto(f"{live_server.url}/corpora/{corpus.slug}/topics/{topic.pk}/")
    expect(page.locator("[data-edited][data-proposed-by=good]")).to_be_visible()
    assert not axe(page)
    page.goto(f"{live_server.url}/corpora/{corpus.slug}/queries/")
    page.get_by_role("link", name="First round").click()
    page.get_by_role("button", name="Delete…").click()
    expect(page.get_by_role("dialog")).to_contain_text(re.compile(r"\b7\b"))
    assert not axe(page)
    page.locator("button[name=do][value=delete]").click()
    deleted = page.locator("section[aria-labelledby=deleted-title]")
    expect(deleted).to_contain_text(re.compile(r"First round.*\b7\b", re.DOTALL))
    assert not axe(page)
    deleted.locator("button[name=do][value=bring_back]").click()
    expect(page.locator("button[name=do][value=run]")).to_be_visible()
    assert QueryRound.objects.get().state == "paused"
