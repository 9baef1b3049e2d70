"""Pages of results that follow from many questions together, as a researcher reads them."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Axe = Callable[[Any], list[str]]
Web = Callable[[int], list[WebProcess]]
WIDE: Any = {"width": 1440, "height": 900}
PHONE: Any = {"width": 360, "height": 780}


def results(browser: Browser, base: str, address: str) -> Page:
    """Rita reads a part of the results."""
    page = browser.new_context(viewport=WIDE).new_page()
    page.goto(base + address)
    page.get_by_label("Username").fill("rita")
    page.get_by_label("Password").fill("a long password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return page


def fits(page: Page) -> bool:
    """Whether the page, but for what scrolls in it, is as wide as the screen."""
    return bool(
        page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
    )


def test_totals_by_criterion_scale_and_all(browser: Browser, web_processes: Web, axe: Axe) -> None:
    from tests.analysis.analyses.test_totals import study_of
    from tests.cast import rita

    run = study_of("direct-quality")
    rita()
    page = results(
        browser,
        web_processes(1)[0].url,
        f"{run.study.get_absolute_url()}results/systems/?pool=experts",
    )
    totals = page.get_by_role("heading", name="Totals", exact=True)
    expect(totals).to_be_visible()
    totals.click()  # loads the section
    systems = page.get_by_label("Systems by criterion, scale and total")
    expect(systems.locator("tbody tr")).to_have_count(2)
    expect(systems.locator("tbody tr").first).to_contain_text("4.30")  # gpt: (4.8 + 3.8) / 2
    assert axe(page) == []
    page.set_viewport_size(PHONE)
    assert fits(page)


def test_scores_of_structured_summaries(browser: Browser, web_processes: Web, axe: Axe) -> None:
    from tests.analysis.analyses.test_summaries import labelled_study
    from tests.analysis.runs.polls import analysed
    from tests.cast import rita

    run = analysed(labelled_study(), pool="experts")
    rita()
    page = results(
        browser,
        web_processes(1)[0].url,
        f"{run.study.get_absolute_url()}results/responses/?pool=experts",
    )
    expect(page.get_by_role("heading", name="Structured summaries", exact=True)).to_be_visible()
    expect(page.locator("#topics")).to_have_count(1)  # though grades and means both rank texts
    assert axe(page) == []
    page.set_viewport_size(PHONE)
    assert fits(page)
