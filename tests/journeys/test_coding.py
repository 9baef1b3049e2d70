"""Rita and Robin code comments by keyboard, alone; Rita closes the coding and reconciles."""

import pytest
from django.test import Client
from playwright.sync_api import expect

from judging.coding import reconciling
from judging.models import Coding, CodingUnit, UnitDecision
from tests.cast import rita
from tests.judging.coding.cast import coding_of, colleague, commented_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def sign_in(page, live_server, user):
    client = Client()
    client.force_login(user)
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])


def code(page, *found, unit):
    """Find codes by typing, toggle each with Enter, and save with Enter."""
    expect(page.locator(f"[data-unit='{unit}']")).to_be_visible()
    expect(page.locator("[data-find]")).to_be_focused()
    for words in found:
        page.keyboard.type(words)
        expect(page.locator("[data-codes] label:visible")).not_to_have_count(34)
        page.keyboard.press("Enter")
        expect(page.locator("[data-find]")).to_have_value("")
    expect(page.locator("[data-codes] input:checked")).to_have_count(len(found))
    page.keyboard.press("Enter")


def test_a_selected_passage_becomes_a_comment(page, live_server):
    study = commented_study(workers=1, responses=2)
    coding = coding_of(study)
    CodingUnit.objects.update(text="First line\r\n👍 second line")
    sign_in(page, live_server, rita())
    page.goto(f"{live_server.url}/studies/{study.slug}/{study.version}/coding/{coding.pk}/code/")
    button = page.locator("[data-mark-form] button")
    expect(button).to_be_disabled()
    page.locator("[data-unit]").evaluate(
        """text => {
             const range = document.createRange();
             range.setStart(text.firstChild, 14);
             range.setEnd(text.firstChild, 20);
             getSelection().removeAllRanges();
             getSelection().addRange(range);
           }"""
    )
    expect(button).to_be_enabled()
    button.click()
    expect(page.locator("[data-passages] a")).to_have_count(1)
    made = CodingUnit.objects.get(position=2)
    assert (made.text, made.start) == ("second", 13)
    page.locator("[data-passages] a").click()
    expect(page.locator("[data-unit='2']")).to_have_text("second")


def test_two_people_code_and_reconcile(page, live_server, axe):
    study = commented_study(workers=3, responses=2)
    first, second = rita(), colleague(study, "robin")
    place = f"{live_server.url}/studies/{study.slug}/{study.version}/coding/"
    sign_in(page, live_server, first)
    page.goto(place)
    assert not axe(page)
    page.locator("#name").fill("Feedback")
    page.locator("[data-new-coding] button").click()
    expect(page.locator("[data-code]")).to_be_visible()
    assert not axe(page)
    coding = Coding.objects.get()
    page.locator("[data-code]").click()
    assert not axe(page)
    code(page, "navig", "confus", unit=1)
    code(page, "likes", unit=2)
    expect(page.locator("[data-unit='3']")).to_be_visible()
    page.keyboard.type("Too bright")
    page.locator("[data-add]").click()
    expect(page.locator("[data-name='Too bright']")).to_be_checked()
    page.keyboard.press("Enter")
    expect(page.locator("[data-coder='1']")).to_be_visible()
    sign_in(page, live_server, second)
    page.goto(f"{place}{coding.pk}/code/")
    expect(page.locator("[data-name='Too bright']")).to_have_count(0)
    code(page, "navig", unit=1)
    code(page, "likes", unit=2)
    code(page, unit=3)
    expect(page.locator("[data-coder='2']")).to_be_visible()
    expect(page.locator("[data-close]")).to_have_count(0)
    sign_in(page, live_server, first)
    page.goto(f"{place}{coding.pk}/")
    page.locator("[data-close]").click()
    expect(page.locator("[data-different='2']")).to_be_visible()
    assert not axe(page)
    page.locator("[data-reconcile]").click()
    assert not axe(page)
    expect(page.locator("[data-coder='1'] li")).to_have_count(2)
    expect(page.locator("[data-coder='2'] li")).to_have_count(1)
    page.get_by_role("checkbox", name="Confusion").check()
    page.locator("#note").fill("It is unclear to them.")
    page.locator("[data-decision-form] button").click()
    expect(page.locator("[data-unit='3']")).to_be_visible()
    page.locator("[data-decision-form] button").click()
    expect(page.locator("[data-left='0']")).to_be_visible()
    assert UnitDecision.objects.count() == 2
    final = {
        unit.position: set(reconciling.final_codes(coding)[unit.pk]) for unit in coding.units.all()
    }
    assert final == {
        1: {"usability/navigation", "user-sentiment/confusion"},
        2: {"user-sentiment/likes"},
        3: set(),
    }
