"""A questionnaire that a reviewer asks to be redone, from her keyboard to his phone and back."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.models import Assignment, ReviewDecision
from tests.cast import begun, handed_in, rita, small_study, worker

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def states() -> list[str]:
    return list(Assignment.objects.order_by("pk").values_list("state", flat=True))


def test_a_questionnaire_is_redone_by_its_worker(
    page: Page, live_server: Any, axe: Callable[[Any], list[str]], client: Any
) -> None:
    """Rita asks Bob by keyboard to check again.

    He finds her remark and his answers on his phone, changes one, and she sees which.
    """
    study = small_study(responses=3, quota=2, batch={"closes_when_full": False})
    work = handed_in(begun(study, worker("bob"), now=timezone.now()), now=timezone.now())
    client.force_login(rita())
    cookie = client.cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    page.set_viewport_size({"width": 1440, "height": 900})
    queue = f"{live_server.url}{study.get_absolute_url()}review/"
    page.goto(queue)
    ready = page.locator("[data-keys=ready]")
    expect(ready).to_be_attached()
    page.keyboard.press("j")
    panel = page.locator("[data-panel]")
    expect(panel.locator("[name=decision][value=redo]")).to_be_visible()
    page.keyboard.press("d")
    expect(panel.locator("[data-reason]")).to_be_focused()
    page.keyboard.type("Please read the right text of page 2 again.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-message=success]")).to_contain_text("bob")
    assert ReviewDecision.objects.get().decision == "redo"
    page.locator("nav a[href*='state=active']").first.click()
    expect(page.locator("[data-decided=redo]")).to_have_count(1)
    expect(page.get_by_role("link", name="bob")).to_be_visible()
    assert states() == ["active"]

    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_server.url}/w/{work.token}/done/")  # where he had his code
    remark = page.locator("[data-asked-again]")
    expect(remark).to_contain_text("Please read the right text of page 2 again.")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert axe(page) == []
    expect(page.get_by_role("radio", name="Left")).to_be_checked()
    page.goto(f"{live_server.url}/w/{work.token}/judging/2/")
    with page.expect_response("**/answers/") as sent:
        page.locator("label.option", has_text="Right").click()
    assert sent.value.ok
    page.goto(f"{live_server.url}/w/{work.token}/judging/finish/")
    expect(remark).to_contain_text("page 2 again")
    page.get_by_role("button", name="Submit").click()
    expect(page).to_have_url(f"{live_server.url}/w/{work.token}/done/")
    assert states() == ["submitted"]

    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(queue)
    row = page.locator("[data-row]")
    expect(row.locator("[data-decided=redo]")).to_have_count(1)
    page.locator("[data-opens-panel]").click()
    expect(panel).to_contain_text("1 of 3")
    panel.locator("[data-open]").click()
    expect(page.locator("[data-redo=done]")).to_have_attribute("data-changed", "1/3")
    assert axe(page) == []
