"""All files of a study are downloaded, and their page shows how far that is."""

import threading
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from analysis.exports.exporting import Bundle
from analysis.pages.exports import progress

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("way", ["pointer", "keys"])
def test_a_download_of_all_files_shows_its_progress(
    page: Page, live_server: Any, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    from tests.cast import bob, rita, small_study, submitted

    rita()
    submitted(small_study(slug="lamps"), bob())
    is_seen = threading.Event()
    write = Bundle.write

    def slowly(bundle: Bundle) -> Any:
        for name in write(bundle):
            is_seen.wait(90)
            yield name

    monkeypatch.setattr(Bundle, "write", slowly)
    monkeypatch.setattr(progress, "INTERVAL", 0)
    page.goto(f"{live_server.url}/studies/lamps/1/exports/")
    page.get_by_label("Username").fill("rita")
    page.get_by_label("Password").fill("a long password")
    page.get_by_role("button", name="Sign in").click()
    link = page.locator("[data-export=all]")
    under_way = page.locator("[data-export-progress][data-work=running]")
    with page.expect_download() as download:
        if way == "keys":
            link.press("Enter")
        else:
            link.click()
        expect(under_way.get_by_role("progressbar")).to_be_visible()
        is_seen.set()
    assert download.value.suggested_filename.endswith(".zip")
    assert download.value.path().read_bytes()[:2] == b"PK"
    expect(under_way).to_have_count(0)
