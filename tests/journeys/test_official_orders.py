"""Rita imports an official order, is asked for its measure, and reads it beside the boards."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.analysis.analyses.test_bank_oversight import JUDGED, label
from tests.analysis.analyses.test_retrieval import grade, on_points, study_of
from tests.analysis.runs.polls import analysed
from tests.cast import rita

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
    pytest.mark.analyses("retrieval", "means", "official_order", "bank_oversight"),
]
RUNS = {
    "good": {"q1": ["p1", "p2", "p3"]},
    "middle": {"q1": ["p2", "p3"]},
    "poor": {"q1": ["p3"]},
}


def test_an_official_order_from_its_file_to_the_results(
    page: Page, live_server: Any, client: Any, axe: Any, tmp_path: Path
) -> None:
    study = study_of("nuggets", RUNS)
    label(study.corpus, JUDGED)
    grade(study, "bob", on_points)
    client.force_login(rita())
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    file = tmp_path / "dl20.csv"
    file.write_text("run,official rank,MAP\nGood,1,0.5\nmiddle,2,0.4\npoor,3,0.1\nunheard,4,0\n")

    page.goto(f"{live_server.url}/corpora/{study.corpus.slug}/systems/")
    page.locator("a[href$='/official-orders/']").click()
    page.locator("#file").set_input_files(file)
    page.locator("form[enctype] button.button-primary").click()
    expect(page.locator("[data-kept]")).to_be_visible()
    assert axe(page) == []
    page.locator("#measure").select_option("official rank")
    page.locator("form[enctype] button.button-primary").click()
    expect(page.locator("[data-unmatched='1']")).to_be_visible()
    assert axe(page) == []

    analysed(study)
    page.goto(f"{live_server.url}{study.get_absolute_url()}results/systems/?section=all")
    expect(page.locator("#official_order")).to_be_visible()
    assert axe(page) == []
    page.goto(f"{live_server.url}{study.get_absolute_url()}results/agreement/?section=all")
    expect(page.locator("#bank_oversight")).to_be_visible()
    assert axe(page) == []
