"""Rita reviews by keyboard: looks, accepts, rejects with a reason, chooses several, undoes."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import Assignment
from judging import tasks
from tests.cast import begun, handed_in, rita, small_study, worker

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def states() -> list[str]:
    return list(Assignment.objects.order_by("pk").values_list("state", flat=True))


def test_a_queue_is_worked_through_with_the_keyboard(
    page: Page, live_server: Any, axe: Callable[[Any], list[str]], client: Any
) -> None:
    study = small_study(responses=4, quota=4, pay=3, batch={"closes_when_full": False})
    for name in ("ada", "ben", "cem", "dan"):
        handed_in(begun(study, worker(name)))
    tasks.sweep()
    client.force_login(rita())
    cookie = client.cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    page.set_viewport_size({"width": 1440, "height": 900})
    queue = f"{live_server.url}{study.get_absolute_url()}review/"
    page.goto(queue)
    ready, here = page.locator("[data-keys=ready]"), page.locator("tr[aria-current] [data-choose]")
    panel, status = page.locator("[data-panel]"), page.locator("[data-said]")
    expect(ready).to_be_attached()
    page.keyboard.press("j")
    expect(panel.locator("[data-decision=a]")).to_be_visible()
    expect(status).to_contain_text("1 of 4")
    assert axe(page) == []

    page.keyboard.press("a")
    expect(page.locator(".messages")).to_contain_text("Approved: ada")
    expect(page.locator("tr[aria-current]")).to_contain_text("ben")
    expect(ready).to_be_attached()
    page.keyboard.press("r")
    expect(panel.locator("[data-reason]")).to_be_focused()
    page.keyboard.type("u r a")  # what is typed is no key
    page.keyboard.press("Control+Enter")
    expect(page.locator(".messages")).to_contain_text("Rejected: ben")
    assert states() == ["accepted", "rejected", "submitted", "submitted"]
    expect(ready).to_be_attached()
    page.keyboard.press("u")
    expect(page.locator(".messages")).to_contain_text("Undone")
    assert states() == ["accepted", "submitted", "submitted", "submitted"]

    expect(ready).to_be_attached()
    page.keyboard.press("j")
    for number in (1, 2):
        expect(status).to_contain_text(f"{number} of 3")  # said when the row's evidence has come
        page.keyboard.press("x")
        expect(status).to_have_text(f"{number} selected")
        expect(here).to_be_checked()
        page.keyboard.press("j")
    page.keyboard.press("p")
    expect(page.get_by_role("heading", name=re.compile(r"\b2\b"))).to_be_visible()
    expect(page.get_by_text("6.00 USD").first).to_be_visible()
    assert axe(page) == []
    page.keyboard.type("Nothing was read.")
    page.get_by_role("button", name="Reject but pay 2").click()
    expect(page.locator(".messages")).to_contain_text("2 submissions")
    assert states().count("rejected") == 2

    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(queue)
    page.locator("[data-opens-panel]").first.click()
    expect(page.locator("[data-evidence]").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert axe(page) == []
