"""From an empty database to results, without a command: judging, and writing, in real Chromium."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from analysis.pages.planning.pairs import WRITING as WRITING_HAS_NO_CURVE
from tests.annotation.corpora.small_corpora import as_csv, as_jsonl
from tests.journeys.test_building_studies import go, launch, write
from tests.journeys.test_people import make_account
from tests.journeys.test_pilot import begun, work_through
from tests.journeys.writer import DESK, PHONE, answer_form, editor, need_not_wait, ready, saved
from tests.services.worker import CeleryWorker

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Axe = Callable[[Any], list[str]]
JUDGING = "judging/crowdrag-pairwise"
TEXT = "Lamps shone by gas [0]."
WRITING = "writing/crowdrag-writing"


@pytest.fixture
def server(live_server: Any, celery_worker: CeleryWorker, settings: Any, tmp_path: Path) -> str:
    """Return an empty server; its set-up token is in `tmp_path`."""
    settings.VAR_DIR = tmp_path
    return str(live_server.url)


def set_up(browser: Browser, server: str, folder: Path) -> Page:
    """Ada, who has made the first account of this server by the link that it prints."""
    page = browser.new_context(viewport=DESK).new_page()
    page.goto(server)
    page.goto(f"{server}/set-up/?token={(folder / 'set-up.key').read_text()}")
    make_account(page, "ada", "Create first account")
    expect(page.get_by_role("heading", name="Create your first study")).to_be_visible()
    return page


def bring(page: Page, folder: Path, *, systems: int) -> None:
    """Import two topics with two passages and a text of each system; open the methods."""
    topics = [{"topic": f"t{n}", "query": f"how do lamps of kind {n} shine?"} for n in (1, 2)]
    rows: dict[str, bytes] = {"topics.csv": as_csv(topics)}
    rows["passages.csv"] = as_csv(
        [
            {"topic": topic["topic"], "passage": f"{topic['topic']}p{n}", "rank": n, "text": text}
            for topic in topics
            for n, text in enumerate(["Gas lit the first lamps.", "Wires came later."], 1)
        ]
    )
    rows["responses.jsonl"] = as_jsonl(
        [
            {
                "response": f"{topic['topic']}s{n}",
                "topic": topic["topic"],
                "system": f"s{n}",
                "text": f"By gas [0], as system {n} says.",
            }
            for topic in topics
            for n in range(systems)
        ]
    )
    files = [name for name in rows if systems or name != "responses.jsonl"]
    for name in files:
        (folder / name).write_bytes(rows[name])
    page.get_by_role("link", name="Import corpus").click()
    page.locator("#name").fill("Lamps")
    page.keyboard.press("Enter")
    page.locator("#files").set_input_files([folder / name for name in files])
    expect(page.locator("[data-report=good]")).to_be_visible(timeout=90_000)
    if systems:
        expect(page.locator("#origin")).to_have_value("llm")  # a guess
    page.locator("[data-import]").click()
    page.locator("[data-open-corpus]").click(timeout=90_000)
    page.get_by_role("link", name="Choose a method").click()


def take(page: Page, method: str, *, title: str) -> None:
    page.locator(f"[name=of][value='{method}']").click()
    expect(page).to_have_url(re.compile("/texts/"))
    page.wait_for_load_state()
    write(page, "title", title)
    go(page, "instructions")
    write(page, "contact", "Ada, ada@example.org")


def planned(page: Page) -> None:
    before = page.get_by_role("navigation", name="Before launch")
    before.get_by_role("link", name="Plan").click()
    expect(page).to_have_url(re.compile("/plan/$"))


def checked(page: Page) -> None:
    before = page.get_by_role("navigation", name="Before launch")
    before.get_by_role("link", name="Check").click()
    expect(page.locator("[data-launchable]")).to_be_visible()
    remarks = page.locator("[data-launchable] li:has(a[href$='/try/'])")  # with numbers if tried
    expect(remarks.filter(has_not_text=re.compile(r"\d"))).to_have_count(0)


def trial(page: Page, server: str) -> str:
    """Return the address of a new trial of the draft."""
    page.get_by_role("link", name="Try it", exact=True).click()
    expect(page.locator("[data-tried] [data-revision]")).to_have_count(0)
    page.get_by_role("button", name="Start trial").click()
    expect(page.locator("[data-as-worker] a.button[target=_blank]")).to_be_visible()
    return address(server, page.locator("[data-trial-link]").inner_text())


def address(server: str, link: str) -> str:
    return server + link[link.index("/s/") :]


def end_trial(page: Page, phone: Page) -> None:
    page.reload()
    expect(page.locator("[data-tried] [data-by-link]")).to_be_visible()
    page.get_by_role("button", name="Delete trial").dblclick()
    expect(page.locator("[data-trial-link]")).to_have_count(0)
    reloaded = phone.reload()
    assert reloaded is not None
    assert reloaded.status == 404


def place(page: Page, name: str) -> None:
    """Go to a place of the study by its rail."""
    page.get_by_role("link", name=name, exact=True).first.click()
    page.wait_for_load_state()


def changes(before: dict[str, int]) -> dict[str, int]:
    from tests.annotation.fieldwork.trials.rows import rows

    return {table: n - before[table] for table, n in rows().items() if n != before[table]}


def test_a_judging_study_from_an_empty_server_to_its_results(
    browser: Browser, server: str, tmp_path: Path, axe: Axe
) -> None:
    from tests.annotation.fieldwork.trials.rows import rows

    page = set_up(browser, server, tmp_path)
    bring(page, tmp_path, systems=3)
    take(page, JUDGING, title="Which lamp?")
    go(page, "design")
    write(page, "reversed_share", "0")
    write(page, "items_per_questionnaire", "3")
    write(page, "quota", "1")
    go(page, "recruitment")
    write(page, "recruitment/pay", "3.50")
    planned(page)
    expect(page.get_by_text("42", exact=True)).to_be_visible()  # 6 pairs, 7 questions

    before = rows()
    link = trial(page, server)
    assert axe(page) == []
    phone = browser.new_context(viewport=PHONE).new_page()
    phone.goto(link)
    phone.get_by_role("button", name="I agree").click()
    expect(phone.locator(".trial-bar")).to_be_visible()
    work_through(phone, items=3)
    assert axe(phone) == []
    end_trial(page, phone)
    assert changes(before) == {}

    checked(page)
    link = address(server, launch(page))
    for _ in range(2):
        work_through(begun(browser, link), items=3)
    place(page, "Overview")
    expect(page.get_by_text("finished", exact=True)).to_be_visible()
    place(page, "Results")
    # The page looks again by itself until the analysis is done.
    expect(page.locator("[data-figure=best]")).to_be_visible(timeout=300_000)


def test_a_writing_study_from_an_empty_server_to_an_accepted_text(
    browser: Browser, server: str, tmp_path: Path, axe: Axe
) -> None:
    from tests.annotation.fieldwork.trials.rows import rows

    page = set_up(browser, server, tmp_path)
    bring(page, tmp_path, systems=0)
    take(page, WRITING, title="Letters")
    assert axe(page) == []
    go(page, "forms")
    write(page, "onboarding/topics", "1")
    assert axe(page) == []
    go(page, "recruitment")
    write(page, "recruitment/pay", "6.50")
    planned(page)
    expect(page.get_by_text(WRITING_HAS_NO_CURVE)).to_be_visible()

    before = rows()
    link = trial(page, server)
    phone = browser.new_context(viewport=PHONE).new_page()
    hand_in_text(phone, link)
    end_trial(page, phone)
    assert changes(before) == {}

    checked(page)
    link = address(server, launch(page))
    for _ in range(2):
        hand_in_text(browser.new_context(viewport=DESK).new_page(), link)
    place(page, "Review")
    page.locator("[data-first-work]").click()
    expect(page.locator("#replay-title")).to_be_visible()
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".replay-text[data-text]")).to_have_text(TEXT)
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_role("status").first).to_contain_text("Approved")
    place(page, "Review")
    expect(page.get_by_role("link", name=re.compile("^Decided.1$"))).to_be_visible()
    place(page, "Overview")
    expect(page.get_by_text("Passed onboarding")).to_be_visible()


def hand_in_text(page: Page, link: str) -> None:
    """Work as a worker from the link to the code."""
    need_not_wait(page)
    page.goto(link)
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("link", name="Start").click()
    expect(page.locator("[name=acknowledged]")).to_be_visible()
    answer_form(page)
    page.locator("[name=acknowledged]").check()
    page.get_by_role("button", name="Start writing").click()
    ready(page)
    page.keyboard.type(TEXT)
    expect(editor(page)).to_have_value(TEXT)
    saved(page)
    page.locator("[data-finish]").click()
    expect(page.locator("[data-last-text]")).to_be_visible()
    answer_form(page)
    page.locator("[data-submit]").click()
    expect(page.locator("[data-completion-code]")).to_be_visible()
