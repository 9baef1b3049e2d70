"""From an empty server to a colleague who sees one study, in two real browsers."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PASSWORD = "shining lamps 7"


def make_account(page: Page, name: str, button: str) -> None:
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password at least").fill(PASSWORD)
    page.get_by_label("Confirm password").fill(PASSWORD)
    page.get_by_role("button", name=button).click()


def test_the_first_person_sets_it_up_and_a_second_one_sees_only_what_they_are_invited_to(
    page: Page,
    browser: Browser,
    live_server: Any,
    axe: Callable[[Any], list[str]],
    settings: Any,
    tmp_path: Any,
) -> None:
    settings.VAR_DIR = tmp_path
    page.goto(live_server.url)
    expect(page.get_by_role("heading", name="Welcome to Crowdwright")).to_be_visible()
    assert axe(page) == []
    token = (tmp_path / "set-up.key").read_text()
    page.locator("#id_token").fill("guessed")
    make_account(page, "ada", "Create first account")
    expect(page.locator("#id_token")).to_have_attribute("aria-invalid", "true")
    page.locator("#id_token").fill(token)
    make_account(page, "ada", "Create first account")
    expect(page.get_by_role("heading", name="Create your first study")).to_be_visible()

    from tests.cast import draft_study, small_study

    study = small_study()
    draft_study(slug="hidden", corpus=study.corpus)
    page.goto(live_server.url + study.get_absolute_url())
    page.get_by_role("link", name="People", exact=True).last.click()
    page.get_by_label("Name").fill("Ben")
    page.locator("#id_role").select_option("reviewer")
    page.get_by_role("button", name="Create link").click()
    address = page.locator("[data-invitation]").inner_text()
    assert axe(page) == []

    his = browser.new_context().new_page()  # another browser: no cookie of hers
    his.goto(address)
    expect(his.get_by_text("ada", exact=True)).to_be_visible()
    expect(his.get_by_text("reviewer", exact=True)).to_be_visible()
    assert axe(his) == []
    make_account(his, "ben", "Create account and join")
    expect(his.get_by_role("heading", name="Lamps", exact=True)).to_be_visible()
    his.goto(live_server.url)
    expect(his.locator(".studies tbody tr")).to_have_count(1)
    assert his.goto(f"{live_server.url}/studies/hidden/1/").status == 404
    his.goto(f"{live_server.url}{study.get_absolute_url()}recruit/")
    expect(his.get_by_role("link", name="Close…")).to_have_count(0)

    page.reload()
    expect(page.locator("[data-invitation]")).to_have_count(0)  # it was shown once
    expect(page.get_by_role("row", name="ben")).to_be_visible()
    page.get_by_role("link", name="Audit log").click()
    expect(page.get_by_role("row", name="accepted an invitation")).to_contain_text("ben")
    page.goto(f"{live_server.url}/account/")
    assert axe(page) == []
    page.goto(f"{live_server.url}/people/")
    page.get_by_role("link", name="ben").click()
    page.get_by_role("button", name="Deactivate").click()
    his.reload()
    expect(his.get_by_role("heading", name="Sign in")).to_be_visible()
