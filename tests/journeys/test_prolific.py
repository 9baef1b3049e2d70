"""A researcher brings a study to the trial Prolific, and a participant goes through it and back."""

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from annotation.models import Assignment, PlatformStudy, WebhookEvent
from annotation.recruiting.prolific import admitting, hearing
from annotation.recruiting.prolific.client import client_for_settings
from annotation.recruiting.prolific.fake.running import FakeProlific
from annotation.recruiting.prolific.fake.signing import WORKSPACE
from annotation.recruiting.prolific.keys import Keys
from tests.cast import rita, small_study
from tests.journeys.test_pilot import logged_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def fake(live_server, settings, monkeypatch):
    there = FakeProlific(token="trial").start()
    settings.PUBLIC_URL = live_server.url
    settings.PROLIFIC_URL, settings.PROLIFIC_SITE = there.url, there.site
    settings.PROLIFIC_TOKEN, settings.PROLIFIC_WORKSPACE = "trial", WORKSPACE
    settings.RECRUITING_DRY_RUN = False
    settings.PROLIFIC_WEBHOOK_SECRET = there.tell(f"{live_server.url}/hooks/prolific/")
    monkeypatch.setattr(admitting, "keys", Keys(lambda: client_for_settings().jwks()))
    yield there
    there.stop()


def told(page: Page, number: int) -> None:
    """Wait until Prolific's messages have come, and ask what they are about, as a job does."""
    for _ in range(200):
        if WebhookEvent.objects.count() >= number:
            break
        page.wait_for_timeout(50)
    for event in WebhookEvent.objects.filter(handled_at=None):
        hearing.handle(pk=event.pk, now=timezone.now())


def test_from_recruit_to_prolific_to_the_code_and_back(
    browser: Browser, live_server, axe, fake
) -> None:
    small_study(recruitment="prolific", signed_links=True, pay="1.00")
    rita()
    console = logged_in(browser, live_server.url)
    console.goto(f"{live_server.url}/studies/lamps/1/recruit/")
    console.get_by_role("link", name="Prolific…").click()
    console.get_by_label("Who sees it").select_option("crowdrag25")
    console.get_by_role("button", name="Show what would be sent").click()
    expect(console.locator(".sent")).to_contain_text("first-language")
    assert axe(console) == []
    console.get_by_role("button", name="Make the draft at Prolific").click()
    expect(console.get_by_text("The draft is made at Prolific.")).to_be_visible()
    console.get_by_role("button", name="Publish").click()
    expect(console.get_by_text("It is published")).to_be_visible()
    assert axe(console) == []

    bob = browser.new_context().new_page()
    bob.goto(f"{fake.site}/")
    bob.get_by_label("Take a place as").select_option("Bob")
    bob.get_by_role("button", name="Take it").click()
    bob.get_by_role("button", name="I agree").click()
    expect(bob.get_by_role("heading", name="Instructions")).to_be_visible()
    assert Assignment.objects.get().signed
    bob.get_by_role("link", name="Begin").click()
    expect(bob.locator("[data-item='1']")).to_be_visible()
    bob.wait_for_load_state()
    bob.locator("[data-field]").first.locator("label").first.click()
    expect(bob.locator("[data-answer]:checked")).to_have_count(1)
    bob.locator("[data-next]").click()
    expect(bob.get_by_role("heading", name="Last step")).to_be_visible()
    bob.locator("[data-submit]").click()
    bob.get_by_role("link", name="Return to Prolific").click()
    expect(bob.get_by_text("AWAITING REVIEW")).to_be_visible()

    told(console, 2)
    console.reload()
    expect(console.get_by_text("Awaiting review")).to_be_visible()
    at = PlatformStudy.objects.get()
    assert at.submissions.get().assignment == Assignment.objects.get(state="submitted")
