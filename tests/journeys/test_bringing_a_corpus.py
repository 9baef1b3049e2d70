"""Rita brings a small corpus with a fault in it, mends it, imports it and looks at it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from annotation.models import Response, Topic
from tests.annotation.corpora.small_corpora import PASSAGE, SYSTEM, as_csv, as_jsonl
from tests.cast import rita
from tests.journeys.test_judging_study import DESK, PHONE
from tests.services.web import WebProcess
from tests.services.worker import CeleryWorker

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Axe = Callable[[Any], list[str]]
Web = Callable[[int], list[WebProcess]]

QUERY = "why do leaves turn red?"
TOPICS = f"Handle;Question\nt1;{QUERY}\n".encode()
TEXT = {"response": "r1", "topic": "t7", "style": "essay", "system": "s1", "text": "Sugar [0]."}


def logged_in(browser: Browser, url: str, viewport: Any) -> Page:
    page = browser.new_context(viewport=viewport).new_page()
    page.goto(f"{url}/login/?next=/corpora/")
    page.locator("[name=username]").fill("rita")
    page.locator("[name=password]").fill("a long password")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{url}/corpora/")
    return page


def name_corpus(page: Page, name: str) -> None:
    page.locator("#name").fill(name)
    page.keyboard.press("Enter")
    page.locator("#files").wait_for()


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_a_corpus_with_a_fault_is_mended_imported_and_read(
    browser: Browser,
    web_processes: Web,
    celery_worker: CeleryWorker,
    tmp_path: Path,
    axe: Axe,
    viewport: Any,
) -> None:
    rita()
    files = {
        "topics.csv": TOPICS,
        "passages.csv": as_csv([PASSAGE]),
        "systems.jsonl": as_jsonl([SYSTEM]),
        "texts.jsonl": as_jsonl([TEXT]),
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    page = logged_in(browser, web_processes(1)[0].url, viewport)
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    expect(page.get_by_role("heading", name="No corpus yet")).to_be_visible()
    assert axe(page) == []

    # A name, and four files at once.
    page.get_by_role("link", name="Import corpus").click()
    name_corpus(page, "Leaves")
    page.locator("#files").set_input_files([tmp_path / name for name in files])
    file = page.locator("[data-file='topics.csv']")
    expect(file).to_be_visible()

    # A column with another name.
    expect(file.locator("[data-question]")).to_have_count(1)
    assert axe(page) == []
    file.locator("select[name^=column-]").first.select_option("topic")

    # The choice is checked at once, and the bad line is named; nothing is there yet.
    expect(page.locator("[data-report=bad][data-bad='1']")).to_be_visible()
    page.locator("[data-one-by-one] > summary").click()
    expect(page.locator("[data-one-by-one]")).to_contain_text("'t7'")
    assert axe(page) == []

    # The mended file takes its place.
    (tmp_path / "texts.jsonl").write_bytes(as_jsonl([TEXT | {"topic": "t1"}]))
    page.locator("#files").set_input_files(tmp_path / "texts.jsonl")
    expect(page.locator("[data-report=good]")).to_be_visible(timeout=90_000)
    assert axe(page) == []
    page.locator("[data-import]").dblclick()
    page.locator("[data-open-corpus]").click(timeout=90_000)

    # The corpus, its topic, its text and what that cites.
    expect(page.get_by_role("heading", name="Leaves", level=1)).to_be_visible()
    page.get_by_role("navigation", name="Parts of Leaves").get_by_text("Answers").click()
    page.get_by_role("link", name=QUERY).click()
    page.get_by_role("link", name="0", exact=True).click()
    expect(page.locator("#passage-0")).to_be_in_viewport()
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert faults == []


def test_chosen_files_survive_a_lost_session(
    browser: Browser, web_processes: Web, tmp_path: Path
) -> None:
    rita()
    (tmp_path / "topics.csv").write_bytes(b"topic,query\n1,why?\n")
    url = web_processes(1)[0].url
    page = logged_in(browser, url, DESK)
    page.goto(f"{url}/uploads/new/")
    name_corpus(page, "Leaves")
    cookies = page.context.cookies()
    page.context.clear_cookies()
    page.locator("#files").set_input_files(tmp_path / "topics.csv")
    expect(page.locator("[data-error=logged-out]")).to_be_visible()
    page.context.add_cookies(cookies)  # in another tab, say
    page.locator("[data-send] button").click()
    expect(page.locator("[data-busy=checking]")).to_be_visible()


def test_too_much_is_said_before_it_is_sent(
    browser: Browser, web_processes: Web, tmp_path: Path
) -> None:
    rita()
    url = web_processes(1)[0].url
    page = logged_in(browser, url, DESK)
    page.goto(f"{url}/uploads/new/")
    name_corpus(page, "Leaves")
    with (tmp_path / "a.csv").open("wb") as file:
        file.truncate(2_000_000_000)  # with nothing in it: it takes no room
    expect(page.locator("#files")).to_be_visible()
    page.wait_for_load_state()
    page.locator("#files").set_input_files(tmp_path / "a.csv")
    expect(page.locator("[data-error=too-much]")).to_contain_text("2,000 MB")


def test_files_are_uploaded_without_scripts(
    browser: Browser, web_processes: Web, tmp_path: Path
) -> None:
    rita()
    (tmp_path / "topics.csv").write_bytes(b"topic,query\n1,why?\n")
    context = browser.new_context(viewport=DESK, java_script_enabled=False)
    page = context.new_page()
    url = web_processes(1)[0].url
    page.goto(f"{url}/login/?next=/uploads/new/")
    page.locator("[name=username]").fill("rita")
    page.locator("[name=password]").fill("a long password")
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{url}/uploads/new/")
    name_corpus(page, "Leaves")
    page.locator("#files").set_input_files(tmp_path / "topics.csv")
    page.locator("[data-send] button").click()
    expect(page.locator("[data-file='topics.csv']")).to_be_visible()


FLAT = """Query,Engine,Answer,URL
why do leaves turn red?,Bing,Because of sugar.,https://a
why do leaves turn red?,You,Because of frost.,https://b
do bees sleep?,Bing,They do.,https://c
"""


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_one_table_of_answers_becomes_a_corpus(
    browser: Browser,
    web_processes: Web,
    celery_worker: CeleryWorker,
    tmp_path: Path,
    axe: Axe,
    viewport: Any,
) -> None:
    rita()
    (tmp_path / "answers.csv").write_text(FLAT)
    (tmp_path / "notes.csv").write_text("Nr,Words\n1,?\n")
    page = logged_in(browser, web_processes(1)[0].url, viewport)
    page.get_by_role("link", name="Import corpus").click()
    name_corpus(page, "Engines")

    # What a file has to hold is there to see and to take along.
    expect(page.get_by_role("button", name="Copy rows").first).to_be_visible()
    assert axe(page) == []
    with page.expect_download() as download:
        page.get_by_role("link", name="Download answers.csv").click()
    assert download.value.suggested_filename == "answers.csv"
    page.wait_for_load_state()
    page.locator("#files").set_input_files(tmp_path / "answers.csv")
    expect(page.locator("[data-report]")).to_be_visible(timeout=90_000)
    expect(page.locator("[data-numbered]").last).to_contain_text("topic-1/You")
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    # What is chosen stays while a further file is sent; that one is taken out again.
    url = page.locator("select[name^=column-]").last
    expect(url).to_have_value("")
    url.select_option("response")
    expect(page.locator("[data-busy=checking]")).to_be_hidden(timeout=90_000)
    expect(page.locator("[data-report]")).to_be_visible(timeout=90_000)
    page.locator("#files").set_input_files(tmp_path / "notes.csv")
    expect(page.locator("[data-file='notes.csv']")).to_be_visible()
    columns = page.locator("[data-file='answers.csv'] select[name^=column-]")
    expect(columns.last).to_have_value("response")
    page.get_by_role("button", name="Remove notes.csv").click()
    expect(page.locator("[data-file='notes.csv']")).to_be_hidden()
    expect(page.locator("[data-report=good]")).to_be_visible(timeout=90_000)

    # Whoever changes a choice after the check checks again: what was checked is something else.
    page.locator("#origin").select_option("human")
    expect(page.locator("[data-import]")).to_be_hidden()
    expect(page.locator("[data-outdated]")).to_be_visible()
    page.locator("#check-again").click()
    page.locator("[data-import]").dblclick(timeout=90_000)
    page.locator("[data-open-corpus]").click(timeout=90_000)
    page.get_by_role("navigation", name="Parts of Engines").get_by_text("Systems").click()
    expect(page.get_by_text("Bing").first).to_be_visible()


def odd_sheet() -> str:
    """Return 48 answers of four systems under column names of a lab."""
    rows = [
        f"How is lamp {topic} lit by the night shift?,{system},"
        f"Lamp {topic} is lit by {system} with a match and a good deal of patience.,seen by Jo"
        for topic in range(12)
        for system in ("BM25 + Llama", "ColBERT > GPT", "hybrid", "closed book")
    ]
    return "\n".join(["Item,Pipeline variant,Generated passage (final),Notes", *rows])


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_an_odd_spreadsheet_becomes_a_corpus_in_five_actions(
    browser: Browser,
    web_processes: Web,
    celery_worker: CeleryWorker,
    tmp_path: Path,
    axe: Axe,
    viewport: Any,
) -> None:
    rita()
    (tmp_path / "outputs_final_v3.csv").write_text(odd_sheet())
    page = logged_in(browser, web_processes(1)[0].url, viewport)
    page.get_by_role("link", name="Import corpus").click()  # 1
    name_corpus(page, "Outputs")  # 2
    page.locator("#files").set_input_files(tmp_path / "outputs_final_v3.csv")  # 3
    file = page.locator("[data-kind]")
    expect(file).to_have_attribute("data-kind", "passage_table", timeout=90_000)
    page.locator("select[name^=kind-]").select_option("table")  # 4
    expect(file).to_have_attribute("data-kind", "table", timeout=90_000)
    expect(page.locator("[data-report=good]")).to_be_visible(timeout=90_000)
    expect(page.locator("[data-unread='1']")).to_be_visible()
    problems = page.locator("[data-row-of], [data-unread-column]").count()
    assert len(page.locator("main").inner_text().split()) <= 200 + 25 * problems
    assert axe(page) == []
    page.locator("[data-import]").click()  # 5
    expect(page.locator("[data-open-corpus]")).to_be_visible(timeout=90_000)
    assert Response.objects.count() == 48
    assert Topic.objects.count() == 12


@pytest.mark.parametrize("by_key", [False, True], ids=["pointer", "keyboard"])
def test_another_meaning_of_a_column_is_checked_at_once(
    browser: Browser,
    web_processes: Web,
    celery_worker: CeleryWorker,
    tmp_path: Path,
    by_key: bool,
) -> None:
    rita()
    (tmp_path / "outputs.csv").write_text(FLAT)
    page = logged_in(browser, web_processes(1)[0].url, DESK)
    page.get_by_role("link", name="Import corpus").click()  # 1
    name_corpus(page, "Outputs")  # 2
    page.locator("#files").set_input_files(tmp_path / "outputs.csv")  # 3
    expect(page.locator("[data-report]")).to_be_visible(timeout=90_000)
    columns = page.locator("[data-columns]")
    url = columns.locator("select").last
    expect(url).to_have_value("")
    name = url.get_attribute("id")
    if by_key:  # what arrow keys pass is no choice yet
        url.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        expect(url).not_to_have_value("")
        chosen = url.input_value()
        page.wait_for_timeout(500)
        expect(page.locator("[data-busy]")).to_have_count(0)
        page.keyboard.press("Tab")
    else:
        chosen = "response"
        url.select_option(chosen)  # 4
    expect(page.locator("[data-report]")).to_be_visible(timeout=90_000)
    expect(page.locator("[data-outdated]:visible")).to_have_count(0)
    expect(page.locator(f"#{name}")).to_have_value(chosen)
    if not by_key:
        expect(page.locator(f"#{name}")).to_be_focused()
        page.locator("[data-import]").click()  # 5
        expect(page.locator("[data-open-corpus]")).to_be_visible(timeout=90_000)
        assert Response.objects.count() == 3


def test_no_files_are_chosen_while_others_are_sent(
    browser: Browser, web_processes: Web, tmp_path: Path
) -> None:
    rita()
    (tmp_path / "topics.csv").write_bytes(b"topic,query\n1,why?\n")
    url = web_processes(1)[0].url
    page = logged_in(browser, url, DESK)
    held: list[Any] = []  # from now on: what is on its way when it begins may never arrive
    page.route("**/files/", lambda route: held.append(route))
    page.goto(f"{url}/uploads/new/")
    name_corpus(page, "Leaves")
    field = page.locator("#files")
    with page.expect_request("**/files/"):
        field.set_input_files(tmp_path / "topics.csv")
    expect(field).to_be_disabled()
    expect(page.locator("form[aria-busy=true]")).to_have_count(1)
    held.pop().abort()
    expect(page.locator("[data-error=connection]")).to_be_visible()
    expect(field).to_be_enabled()
    page.unroute("**/files/")
    page.locator("[data-send] button").click()
    expect(page.locator("[data-busy=checking]")).to_be_visible()
