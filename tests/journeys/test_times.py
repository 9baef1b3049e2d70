"""Times of the console are in the zone of the browser and say so; without a script they are UTC."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from annotation.people import access
from tests.cast import rita, small_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NIGHT = datetime(2026, 3, 2, 3, 30, tzinfo=UTC)


@pytest.fixture
def audit(browser: Browser, live_server: Any, client: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Open the audit log of a team with one entry of a night in March."""

    def opened(**how: Any) -> Page:
        user, team = rita(), small_study().team
        client.force_login(user)
        with monkeypatch.context() as then:
            then.setattr(timezone, "now", lambda: NIGHT)
            access.record(user=user, act="renamed", what="Lamps", of=team)
        context = browser.new_context(**how)
        cookie = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
        page = context.new_page()
        page.goto(live_server.url + reverse("audit", args=[team.pk]))
        return page

    return opened


def test_a_time_is_in_the_zone_of_the_browser_which_is_named(audit: Any) -> None:
    page = audit(timezone_id="America/New_York")
    time = page.locator("main time").first
    expect(time).to_have_text("1 Mar 2026, 22:30")
    expect(time).to_have_attribute("title", "2 Mar 2026, 03:30 UTC")
    expect(page.locator("[data-zone]")).to_contain_text("America/New York")


def test_without_a_script_a_time_is_in_utc_and_the_page_says_so(audit: Any) -> None:
    page = audit(java_script_enabled=False)
    expect(page.locator("main time").first).to_have_text("2 Mar 2026, 03:30")
    expect(page.locator("[data-zone]")).to_contain_text("UTC")


def test_a_page_without_times_says_nothing_of_a_zone(audit: Any, live_server: Any) -> None:
    page = audit()
    page.goto(live_server.url + reverse("instruments"))
    expect(page.locator("main time")).to_have_count(0)
    expect(page.locator("[data-zone]")).to_be_hidden()
