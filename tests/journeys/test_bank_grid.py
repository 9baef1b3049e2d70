"""Rita walks through the grid of a bank by keyboard; only the cells in sight are elements."""

import pytest
from playwright.sync_api import expect

from tests.cast import rita
from tests.judging.banks.graded import graded_bank

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
TEXTS, ENTRIES = 60, 50


def test_a_grid_of_3000_cells_is_walked_by_keyboard(page, live_server, client, axe):
    bank = graded_bank(texts=TEXTS, entries=ENTRIES)
    client.force_login(rita())
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    page.goto(
        f"{live_server.url}{bank.corpus.get_absolute_url()}banks/{bank.pk}/grid/?raters=people"
    )
    grid = page.get_by_role("grid")
    expect(grid).to_have_attribute("data-state", "ready")
    assert not axe(page)
    assert page.get_by_role("gridcell").count() < TEXTS * ENTRIES / 2
    chosen = page.locator("[role=gridcell][aria-selected=true]")
    grid.focus()
    page.keyboard.press("Control+End")
    expect(chosen).to_have_attribute("data-at", f"{TEXTS - 1}/{ENTRIES - 1}")
    expect(chosen).to_be_in_viewport()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowLeft")
    expect(chosen).to_have_attribute("data-at", f"{TEXTS - 2}/{ENTRIES - 2}")
    grade = chosen.text_content()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").locator("[data-graded]")).to_have_count(2)
    expect(page.get_by_role("dialog").locator("[data-graded] .num").first).to_have_text(grade)
    page.keyboard.press("Escape")
    page.keyboard.press("Control+Home")
    expect(chosen).to_have_attribute("data-at", "0/0")
    page.get_by_role("gridcell").nth(3).click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert not axe(page)
