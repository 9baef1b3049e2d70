"""Rita sees what an edit would change, saves it, and the board names it."""

import pytest
from playwright.sync_api import expect

from tests.analysis.pages.banks.cast import bank_with, grade, study_of
from tests.cast import rita

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
GIVEN = {"x": {"tower": 1.0, "iron": 0.5}, "y": {"iron": 1.0, "paint": 1.0}}


@pytest.fixture
def bank():
    nuggets = {"t1": {"tower": "vital", "iron": "vital", "paint": "okay"}}
    bank = bank_with(nuggets, ["x", "y"], slug="monuments")
    grade(study_of(bank), lambda system, topic, text: GIVEN[system].get(text, 0.0))
    return bank


def test_the_impact_of_an_edit_precedes_it_and_the_board_names_it(
    page, live_server, client, axe, bank
):
    client.force_login(rita())
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    revision = bank.revision
    home = f"{live_server.url}/corpora/{bank.corpus.slug}/banks/{bank.pk}/"
    page.goto(home)
    first = page.locator("[data-row]").first
    first.locator("[data-edit]").click()
    edit = first.locator("[data-decision=edit]")
    expect(edit.locator("[data-losses]")).to_contain_text("X")
    expect(edit.locator("[data-leader]")).to_contain_text("Y")
    bank.refresh_from_db()
    assert bank.revision == revision  # nothing is saved yet
    first.locator("[data-text]").fill("The tower is of iron")
    first.locator("button[value=edit]").click()
    expect(page.locator("[data-row][data-state=confirmed]").first).to_contain_text("of iron")
    page.goto(f"{home}board/?before={revision}&measure=strict+vital")
    cause = page.locator("[data-cause=replaced]")
    expect(cause).to_contain_text("The tower is of iron")
    expect(cause.locator("del")).to_have_text("tower")
    expect(page.locator("[data-board] tbody tr").first).to_have_attribute("data-system", "y")
    assert not axe(page)
