"""The table of LLM judges beside the places of a study, on screens of several widths."""

from typing import Any

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

SHEETS = (
    "tokens",
    "base",
    "layout",
    "texts",
    "console",
    "primitives",
    "tables",
    "studies",
    "results",
)
SHARE = {"share": 0.62, "low": 0.51, "high": 0.73}
PERSON: dict[str, Any] = {
    "title": "One person", "items": 120, "alpha": 0.31, "alpha_low": 0.12, "alpha_high": 0.47,
    "accuracy": 0.61, "accuracy_low": 0.52, "accuracy_high": 0.7,
}  # fmt: skip
JUDGE = PERSON | {
    "judge": "Reader with a short prompt", "null": 0.02, "null_low": -0.11, "null_high": 0.13,
    "habits": [SHARE] * 3, "lost": [SHARE] * 2, "tau": {"tau": 0.42, "low": -0.11, "high": 0.83},
    "worth": {"votes": 1.42, "low": 0.61, "high": None},
}  # fmt: skip


def page_of_judges() -> str:
    """Return the table with all its columns, in a workspace, with the style sheets in it."""
    judges = {"question": "Quality", "findings": [], "judges": [JUDGE], "people": [PERSON]}
    table = render_to_string("console/_judges.html", {"questions_judged": [judges]})
    css = "".join((settings.BASE_DIR / f"static/css/{name}.css").read_text() for name in SHEETS)
    return (
        f"<style>{css}</style><div class=console-main><div class=workspace>"
        "<div class=workspace-rail><nav class=places></nav></div>"
        f"<div class=workspace-main><section class=card>{table}</section></div></div></div>"
    )


@pytest.mark.parametrize("width", [390, 1440])
def test_table_of_judges_does_not_scroll_sideways(browser: Browser, width: int) -> None:
    page = browser.new_context(viewport={"width": width, "height": 900}).new_page()
    page.set_content(page_of_judges())
    table = page.locator(".table-scroll")
    assert table.evaluate("box => box.scrollWidth - box.clientWidth") == 0
    heads = page.locator(".table-judges thead th")
    assert heads.count() == 11
