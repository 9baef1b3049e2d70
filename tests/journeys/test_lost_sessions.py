"""Rita is logged out while she types in a draft, and logs in again in another tab."""

import re
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from annotation.studies.drafts.kinds import kind_of
from annotation.studies.drafts.making import delete, document_of_methods, make_draft, restore
from tests.cast import rita, small_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

AGAIN = 4000  # ms on the page's clock until it tries again


def test_the_words_are_saved_after_the_next_log_in_and_what_is_refused_stays(
    page: Page, live_server: Any
) -> None:
    user = rita()
    instrument = kind_of("judging").load("nuggets", "en")
    draft = make_draft(
        document=document_of_methods(
            kind="judging", instruments=[instrument], title="Lamps", corpus=None
        ),
        user=user,
        now=timezone.now(),
    )
    page.on("dialog", lambda dialog: dialog.accept())
    state = page.locator("[data-state]")
    page.clock.install()
    log_in(page, live_server.url)
    page.goto(f"{live_server.url}/drafts/{draft.pk}/recruitment/")
    page.context.clear_cookies(name="sessionid")
    currency = page.locator("[name='recruitment/currency']")
    page.locator("details", has=currency).locator("> summary").click()
    currency.fill("EUR")
    currency.press("Tab")
    expect(state).to_contain_text("logged out")
    log_in(page.context.new_page(), live_server.url)  # which ends the token of the first tab
    page.clock.run_for(AGAIN)
    expect(state).to_have_text("Saved")

    pay = page.locator("[name='recruitment/pay']")
    pay.fill("twelve")
    pay.press("Tab")
    expect(state).to_have_class(re.compile("is-bad"))
    currency.fill("GBP")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        currency.press("Tab")
    expect(state).to_have_class(re.compile("is-bad"))
    expect(pay).to_have_value("twelve")
    pay.fill("3")
    pay.press("Tab")
    expect(state).to_have_text("Saved")

    delete(draft=draft, user=user, now=timezone.now())
    currency.fill("CHF")
    currency.press("Tab")
    expect(state).to_contain_text("was deleted")
    restore(draft=draft, user=user, now=timezone.now())
    page.clock.run_for(AGAIN)
    expect(state).to_have_text("Saved")
    draft.refresh_from_db()
    assert draft.document["recruitment"]["currency"] == "CHF"


def log_in(page: Page, url: str) -> None:
    page.goto(f"{url}/login/?next=/corpora/")
    page.locator("[name=username]").fill("rita")
    page.locator("[name=password]").fill("a long password")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{url}/corpora/")


def test_a_page_that_renews_itself_says_that_its_session_has_ended(
    page: Page, live_server: Any
) -> None:
    rita()
    study = small_study()
    page.clock.install()
    log_in(page, live_server.url)
    for place in ("", "recruit/"):
        page.goto(f"{live_server.url}{study.get_absolute_url()}{place}")
        title = page.title()
        page.context.clear_cookies(name="sessionid")
        page.clock.run_for(6000)
        expect(page.locator(".messages-over")).to_be_visible()
        expect(page.locator("[name=password]")).to_have_count(0)
        assert page.title() == title
        other = page.context.new_page()
        log_in(other, live_server.url)
        page.clock.run_for(6000)
        expect(page.locator(".messages-over")).to_have_count(0)
        other.close()
