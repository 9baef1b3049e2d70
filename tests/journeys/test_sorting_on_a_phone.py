"""Tables that are lists on a phone are sorted there by a choice above them, with keys alone too."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def phone(page: Page, live_server: Any) -> Page:
    """Rita on a phone, with corpora of one, two and three topics."""
    from tests.cast import rita, small_corpus

    rita()
    for n, slug in enumerate(("lamps", "boats", "ducks"), start=1):
        made = small_corpus(slug=slug, topics=n)
        made.name = slug.capitalize()
        made.save()
    page.set_viewport_size({"width": 360, "height": 740})
    page.goto(f"{live_server.url}/corpora/")
    page.get_by_label("Username").fill("rita")
    page.get_by_label("Password").fill("a long password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Corpora")).to_be_visible()
    return page


def names(page: Page) -> list[str]:
    return [text.strip() for text in page.locator("tbody tr > :first-child").all_inner_texts()]


def test_a_table_is_sorted_by_its_choice_with_keys_and_says_so(
    phone: Page, axe: Callable[[Any], list[str]]
) -> None:
    chooser = phone.locator(".sort-by")
    expect(chooser).to_be_visible()
    assert axe(phone) == []
    column = chooser.get_by_label("Sort by")
    expect(column).to_have_value("")
    expect(chooser.get_by_role("button")).to_be_disabled()
    column.select_option(label="Topics")
    column.press("Tab")
    expect(chooser.get_by_role("button")).to_be_focused()
    phone.keyboard.press("Enter")
    expect(chooser.get_by_role("status")).to_have_text("Topics: lowest first")
    first = names(phone)
    chooser.get_by_role("button").click()
    expect(chooser.get_by_role("status")).to_have_text("Topics: highest first")
    assert names(phone) == first[::-1]
    phone.keyboard.press("Tab")
    assert phone.evaluate("!document.activeElement.closest('thead')")
    phone.set_viewport_size({"width": 1440, "height": 900})
    expect(chooser).to_be_hidden()


def test_a_list_on_a_phone_scrolls_with_its_page(phone: Page, live_server: Any) -> None:
    """A list that scrolls within the page would hide most of its rows.

    Its button stays beside its field; a line of text is not as wide as the widest screen.
    """
    from annotation.models import Corpus
    from tests.cast import small_study

    study = small_study(corpus=Corpus.objects.get(slug="ducks"))
    phone.goto(f"{live_server.url}/studies/{study.slug}/1/items/")
    region = phone.locator(".table-tall")
    assert region.evaluate("(each) => each.scrollHeight <= each.clientHeight + 1")
    field, button = (
        phone.locator(f".tools {each}").bounding_box() for each in (".input", ".button")
    )
    assert field
    assert button
    assert abs(field["y"] - button["y"]) < button["height"] / 2
    phone.set_viewport_size({"width": 2560, "height": 1300})
    phone.goto(f"{live_server.url}/studies/{study.slug}/1/recruit/held-up/")
    assert phone.locator("main p").first.evaluate("(each) => each.clientWidth") < 900
