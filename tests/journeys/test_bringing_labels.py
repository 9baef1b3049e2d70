"""Rita imports labels of an expert: a file with a fault, its remedy, its import."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.models import CorpusLabels
from judging.models import Judgment
from tests.cast import rita, small_study

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_labels_of_an_expert(
    page: Page, live_server: Any, client: Any, axe: Any, tmp_path: Path
) -> None:
    study = small_study(responses=3)
    client.force_login(rita())
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    rows = "".join(f"{item.key},n\n" for item in study.items.all())
    file = tmp_path / "gold.csv"
    file.write_text(f"item,value\n{rows}nobody,n\n")

    page.goto(f"{live_server.url}{study.get_absolute_url()}raters/")
    page.get_by_role("link", name="Import labels…").click()
    page.locator("#file").set_input_files(file)
    page.locator("form[data-once] button.button-primary").click()
    banner = page.locator("#banner")
    expect(banner).to_have_attribute("data-bad", "1")
    assert axe(page) == []

    # A choice is checked at once; with the keyboard, once its field is left.
    page.locator("#remedy-unknown_item-skip").check()
    expect(banner).to_have_attribute("data-report", "asking")
    expect(banner).to_have_attribute("data-ignored", "1")
    page.locator("#name").focus()
    page.keyboard.type("Ann Expert")
    page.keyboard.press("Tab")
    expect(banner).to_have_attribute("data-report", "good")
    expect(page.locator("#name")).to_have_value("Ann Expert")
    assert axe(page) == []
    words = page.locator("main").inner_text().split()
    assert len(words) <= 250
    assert not Judgment.objects.exists()

    page.locator("[data-import]").click()
    expect(page.locator("[data-imported]")).to_be_visible()
    assert axe(page) == []
    page.locator("[data-imported] a[href$='/raters/']").click()
    expect(page.get_by_role("rowheader", name="Ann Expert")).to_be_visible()
    assert axe(page) == []
    assert Judgment.objects.count() == 3

    # What it says is read in full, although it stands in a table whose lines do not break.
    page.locator("[data-opens^=remove-][aria-label*='Ann Expert']").click()
    question = page.get_by_role("dialog", name="Delete 3 labels?")
    expect(question.locator("p").first).to_contain_text("Ann Expert")
    assert question.evaluate("each => each.scrollWidth <= each.clientWidth")


def test_labels_that_came_with_a_corpus(
    page: Page, live_server: Any, client: Any, axe: Any
) -> None:
    study = small_study()
    item = study.items.get()
    keys = dict(item.slots.values_list("name", "response__key"))
    label = {f"response_{slot}": key for slot, key in keys.items()} | {
        "topic": item.topic.key, "question": "pw", "value": "left", "rater": "annotator 7",
    }  # fmt: skip
    CorpusLabels.objects.create(
        corpus=study.corpus, name="export.json", count=1, raters=1,
        content=gzip.compress(json.dumps(label).encode()),
    )  # fmt: skip
    client.force_login(rita())
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])

    page.goto(f"{live_server.url}{study.get_absolute_url()}raters/")
    page.get_by_role("link", name="Import labels…").click()
    page.locator("form[data-once] button.button-primary").click()
    asked = page.locator("[data-questions] select")
    expect(asked).to_be_visible()
    assert axe(page) == []
    asked.select_option("as:better")
    expect(page.locator("#banner")).to_have_attribute("data-report", "good")
    page.locator("#kind").select_option("crowd")
    expect(page.locator("[data-raters] tbody td").first).to_be_visible()
    page.locator("[data-import]").click()
    expect(page.locator("#done-title")).to_be_visible()
    assert Judgment.objects.get().rater.kind == "crowd"
