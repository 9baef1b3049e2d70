"""Rita lets a model judge: she sets it up, sees what it is told, runs it, and reads what failed."""

import pytest
from playwright.sync_api import expect

from judging.calls.fake.running import FakeEndpoint
from judging.calls.fake.troubles import Trouble, TroubleKind
from judging.calls.sending import work_on
from judging.models import Judgment, MachineJudge
from judging.pages import askers
from tests.cast import rita, small_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_model_judges(page, live_server, settings, axe, client, monkeypatch):
    settings.MACHINE_ENDPOINTS_INSIDE = True
    # A Celery worker that other tests have left knows nothing of that setting.
    monkeypatch.setattr(askers.jobs, "send_after_commit", lambda *_: None)
    study = small_study(responses=4)
    client.force_login(rita())
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    with FakeEndpoint() as fake:
        fake.troubles.waiting.append(Trouble(TroubleKind.THIRD))
        page.goto(f"{live_server.url}{study.get_absolute_url()}")
        page.get_by_role("link", name="LLM judges").click()
        page.get_by_role("link", name="Set up judge").click()
        page.locator("#name").fill("Good judge")
        page.locator("#model").fill("good")
        page.locator("#base_url").fill(fake.url)
        page.locator("#price_in").fill("2.50")
        page.locator("#price_out").fill("10")
        page.get_by_label("User", exact=True).fill("{query}\n{texts}\n{questions}\n{answers}")
        page.locator("button[name=do][value=preview]").click()
        expect(page.locator("#preview")).to_be_visible()
        expect(page.locator("pre.written").nth(1)).to_contain_text("### Text A")
        expect(page.locator("#name")).to_have_value("Good judge")
        assert not axe(page)
        page.locator("button[name=do][value=save]").click()
        expect(page.get_by_role("heading", name="Good judge", level=1)).to_be_visible()
        page.locator("button[name=do][value=run]").click()
        expect(page.get_by_role("button", name="Pause")).to_be_visible()
        judge = MachineJudge.objects.get()
        work_on(pk=judge.pk)  # as the worker does, that would be told of it
        expect(page.locator("[data-answered]")).to_contain_text("11")  # by itself
        expect(page.locator("[data-failed]")).to_have_text("1")
        page.get_by_role("link", name="third text").click()
        page.locator("#answers summary").click()
        expect(page.locator("#answers pre")).to_contain_text("text C")
        assert not axe(page)
        page.locator("button[name=do][value=retry]").click()
        expect(page.locator("[data-failed]")).to_have_text("0")
        work_on(pk=judge.pk)
        expect(page.locator("[data-answered]")).to_contain_text("12")
        expect(page.get_by_text("done", exact=True)).to_be_visible()
        news = page.locator("[data-work-said]")
        done = news.get_attribute("data-at-done")
        expect(news).to_have_text(done)
        assert page.title().startswith(done)
        page.keyboard.press("Shift")  # the person is back
        assert not page.title().startswith(done)
    assert Judgment.objects.filter(rater=judge.rater).count() == 6
