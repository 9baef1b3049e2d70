"""A text from its first key to the judgments on it, in a real Chromium.

Alice writes, pastes, undoes, loses the network, reloads and submits; Rita replays it, finds the
paste and asks for a redo; Alice changes the text; Rita accepts; Bob, never Alice, judges it.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.journeys import writer
from tests.journeys.writer import DESK, LAMPS, PHONE, editor, saved
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Axe = Callable[[Any], list[str]]
Web = Callable[[int], list[WebProcess]]
FEEDBACK = "Please say where the line from elsewhere comes from."
FIRST_LINE = "Ganz früher gab es Öl 🪔, then gas [2].\n"
ELSEWHERE = "A line from\nelsewhere 👩‍👩‍👧"


@pytest.fixture
def study() -> Any:
    """For workers from Prolific, over a topic that a system has answered already."""
    from tests.cast import rita

    rita()
    return writer.lamps_study(recruitment="prolific", responses=1)


@pytest.fixture
def alices(browser: Browser) -> Iterator[BrowserContext]:
    context = browser.new_context(viewport=DESK, permissions=["clipboard-read", "clipboard-write"])
    yield context
    context.close()


def link(base: str, study: str, person: str) -> str:
    from tests.cast import prolific_link

    return base + prolific_link(person, slug=study, submission=study)


def test_a_text_is_written_replayed_redone_accepted_and_judged(
    browser: Browser, alices: BrowserContext, web_processes: Web, study: Any, axe: Axe
) -> None:
    base = web_processes(1)[0].url
    alice = alices.new_page()
    written = alice_writes(alice, base, axe)
    the_log_rebuilds(study, written)
    rita = browser.new_context(viewport=DESK).new_page()
    faults: list[str] = []
    rita.on("pageerror", lambda error: faults.append(str(error)))
    rita.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    rita_opens_the_first(rita, f"{base}{study.get_absolute_url()}", axe)
    assert shown_text(rita) == written
    she_plays_and_finds_the_paste(rita, study)
    she_sees_it_on_a_phone_in_the_dark(rita, axe)
    she_asks_for_a_redo(rita)
    second = alice_reads_the_feedback_and_changes_the_text(alice, base)
    the_log_rebuilds(study, second)
    she_accepts(rita, f"{base}{study.get_absolute_url()}review/", second)
    assert faults == []
    it_is_a_response(second)
    it_is_judged_by_somebody_else(alice, browser, base, study)


def alice_writes(page: Page, base: str, axe: Axe) -> str:
    writer.begin(page, link(base, "lamps", "alice"), axe)
    assert axe(page) == []
    she_types_pastes_and_undoes(page)
    she_cites_what_is_not_there(page)
    page.locator("[data-filter]").fill("gas")
    expect(page.locator("[data-matches]")).to_have_text("2 of 4 match")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(editor(page)).to_be_focused()
    saved(page)
    she_loses_the_network_and_reloads(page)
    written = str(editor(page).input_value())
    assert written.startswith(FIRST_LINE + LAMPS)
    assert written.endswith("Written without a network. After the reload.")
    writer.finish(page, axe)
    return written


def she_types_pastes_and_undoes(page: Page) -> None:
    page.keyboard.type("Ganz früher gab es Öl 🪔, thne gas")
    for _ in range(8):
        page.keyboard.press("Backspace")
    page.keyboard.type("then gas")
    page.locator("[data-cite='2']").click()
    expect(editor(page)).to_be_focused()
    page.keyboard.type(".\n")
    writer.copy_from_passage(page, 0)
    editor(page).focus()
    page.keyboard.press("Control+v")
    writer.put_in_clipboard(page, "\r\n" + ELSEWHERE.replace("\n", "\r\n"))
    page.keyboard.press("Control+v")
    page.keyboard.type(" and more")
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+Shift+z")
    page.keyboard.press("Shift+Home")
    page.keyboard.press("Control+x")
    page.keyboard.press("Control+v")


def she_cites_what_is_not_there(page: Page) -> None:
    page.keyboard.type(" [9]")
    expect(page.locator("[data-faults]")).to_contain_text("[9]")
    marked = page.locator("[data-cited]:not([hidden])").count()  # [9] is none of them
    assert page.locator("[data-drawer-count]").text_content() == f"{marked} cited"
    for _ in range(4):
        page.keyboard.press("Backspace")
    expect(page.locator("[data-faults]")).to_be_hidden()
    expect(page.locator("[data-passage='2'] [data-cited]")).to_be_visible()


# Until the browser keeps this text, for when the page is loaded again. A wait for a function of
# Playwright's takes the promise itself for true.
KEPT = """async (text) => {
  const answer = (request) =>
    new Promise((done) => { request.onsuccess = () => done(request.result); });
  const database = await answer(indexedDB.open("crowdwright.writing"));
  const isKept = async () => {
    const drafts = await answer(database.transaction("drafts").objectStore("drafts").getAll());
    return drafts.some((draft) => draft.text === text);
  };
  for (let tries = 0; !(await isKept()); tries += 1) {
    if (tries === 600) throw new Error("the browser keeps another text");
    await new Promise((done) => { setTimeout(done, 50); });
  }
  database.close();
}"""


def she_loses_the_network_and_reloads(page: Page) -> None:
    page.context.set_offline(True)
    page.keyboard.press("Control+End")
    page.keyboard.type(" Written without a network.")
    expect(page.locator("[data-save-state='waiting']")).to_be_visible(timeout=90_000)
    before = str(editor(page).input_value())
    page.evaluate(KEPT, before)  # half a second on a quiet machine
    page.context.set_offline(False)
    page.on("dialog", lambda dialog: dialog.accept())
    page.reload()
    writer.ready(page)
    assert editor(page).input_value() == before
    page.keyboard.press("Control+End")
    page.keyboard.type(" After the reload.")
    saved(page)


def the_log_rebuilds(study: Any, written: str) -> None:
    writing, events, rebuilt = writer.log_of(study)
    assert rebuilt == written == writing.text
    assert writing.verdict == "equal"
    pastes = [(event.source, event.passage) for event in events if event.type == "paste"]
    assert pastes == [("passage", 0), ("outside", None), ("own", None)]
    inputs = {event.input for event in events if event.type == "edit"}
    assert inputs >= {"insertText", "insertCitation", "historyUndo", "historyRedo", "deleteByCut"}
    assert not any(event.type == "snapshot" for event in events)
    assert len([event for event in events if event.type == "start"]) >= 2


# -- Rita ----------------------------------------------------------------------------------------


def rita_opens_the_first(page: Page, address: str, axe: Axe) -> None:
    page.goto(address)
    page.get_by_label("Username").fill("rita")
    page.get_by_label("Password").fill("a long password")
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_title(re.compile("^Lamps"))
    assert axe(page) == []
    page.locator(".places").get_by_role("link", name="Review", exact=True).click()
    expect(page.locator("[data-first-work]")).to_be_visible()
    assert axe(page) == []
    page.locator("[data-first-work]").click()
    ready(page)
    expect(page.locator(".evidence")).to_contain_text("Pasted")
    assert axe(page) == []


def ready(page: Page) -> None:
    expect(page.locator("[data-replay][data-ready]")).to_be_visible()


def shown_text(page: Page) -> str:
    return str(page.locator("[data-text]").evaluate("box => box.textContent"))


def moment_of_the_paste(study: Any) -> int:
    """In ms: of the edit that the paste from passage 0 made."""
    _, events, _ = writer.log_of(study)
    paste = next(event.seq for event in events if event.type == "paste" and event.passage == 0)
    return int(next(event.ms for event in events[paste:] if event.type == "edit"))


def she_plays_and_finds_the_paste(page: Page, study: Any) -> None:
    """Play the recording; the paste appears at its time, in its colour, with its passage."""
    page.keyboard.press("Home")
    assert shown_text(page) == ""
    page.keyboard.press("Space")
    expect(page.locator("[data-text]")).to_contain_text("Ganz früher")
    page.keyboard.press("Space")
    expect(page.locator("[data-play]")).to_have_text("Play")
    page.get_by_role("link", name="characters pasted from passage 0").click()
    piece = page.locator("mark[data-origin=passage]")
    expect(piece).to_have_text(LAMPS)
    expect(piece).to_have_attribute("data-hue", "0")
    assert shown_text(page).rstrip() == FIRST_LINE + LAMPS
    ms = moment_of_the_paste(study)
    expect(page.locator("[data-now]")).to_have_text(f"{ms // 60_000}:{ms // 1000 % 60:02}")
    expect(page.locator("[data-passage='0'][data-viewing]")).to_be_visible()
    expect(page.locator("mark[data-origin=foreign]")).to_have_count(0)
    expect(page).to_have_url(re.compile(f"#ms={ms}$"))
    page.reload()
    ready(page)
    assert shown_text(page).rstrip() == FIRST_LINE + LAMPS
    page.keyboard.press("End")
    expect(page.locator("mark[data-origin=foreign]").first).to_contain_text("A line from")


def she_sees_it_on_a_phone_in_the_dark(page: Page, axe: Axe) -> None:
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert axe(page) == []
    page.set_viewport_size(DESK)


def she_asks_for_a_redo(page: Page) -> None:
    page.keyboard.press("d")
    expect(page.locator("[data-reason]")).to_be_focused()
    expect(page.locator("[data-reason-hint]")).to_contain_text("needs a reason")
    page.keyboard.type(FEEDBACK)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("status")).to_contain_text("Changes requested")
    expect(page.locator(".empty h2")).to_be_visible()


def alice_reads_the_feedback_and_changes_the_text(page: Page, base: str) -> str:
    """By the same link; the line from elsewhere goes."""
    page.goto(link(base, "lamps", "alice"))
    expect(page.get_by_text(FEEDBACK)).to_be_visible()
    writer.ready(page)
    start = len((FIRST_LINE + LAMPS).encode("utf-16-le")) // 2
    editor(page).focus()
    editor(page).evaluate(f"field => field.setSelectionRange({start}, field.value.length)")
    page.keyboard.press("Delete")
    page.keyboard.type(" They stood in the streets until wires came[0, 3].")
    saved(page)
    written = str(editor(page).input_value())
    assert written == f"{FIRST_LINE}{LAMPS} They stood in the streets until wires came[0, 3]."
    writer.finish(page)
    return written


def she_accepts(page: Page, address: str, written: str) -> None:
    page.goto(address)
    page.locator("[data-first-work]").click()
    ready(page)
    expect(page.get_by_text(FEEDBACK)).to_be_visible()
    assert shown_text(page) == written
    page.keyboard.press("a")
    expect(page.get_by_role("status")).to_contain_text("Approved")


# -- The text as a response ----------------------------------------------------------------------


def it_is_a_response(written: str) -> None:
    from annotation.models import Response

    response = Response.objects.get(author__isnull=False)
    assert response.text == written
    cited = response.citations.order_by("position").values_list("passage__key", flat=True)
    assert list(cited) == ["p3", "p1", "p4"]
    statements = response.segments.filter(kind="statement").order_by("line")
    cited_in = [
        [passage.key for passage in statement.cited.order_by("key")] for statement in statements
    ]
    assert cited_in == [["p3"], ["p1", "p4"]]


def it_is_judged_by_somebody_else(alice: Page, browser: Browser, base: str, study: Any) -> None:
    """Alice is told that there is nothing for her; Bob judges her text to the end."""
    from annotation.models import Assignment
    from judging.models import Judgment
    from tests.cast import prolific_id, small_study

    which = small_study(
        slug="which",
        corpus=study.corpus,
        instrument="crowdrag-pairwise",
        recruitment="prolific",
        completion_code="TEA",
    )
    alice.goto(link(base, "which", "alice"))
    expect(alice.locator("[data-refusal=NothingNew]")).to_be_visible()
    page = browser.new_context(viewport=DESK).new_page()
    page.goto(link(base, "which", "bob"))
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("link", name="Start").click()
    expect(page.locator("[data-item='1']")).to_contain_text("Ganz früher gab es Öl")
    expect(page.locator("[data-field][data-current]")).to_be_visible()  # digits answer it
    for number, digit in enumerate("1213211", 1):
        page.keyboard.press(digit)
        expect(page.locator("[data-answer]:checked")).to_have_count(number)
    expect(page.locator("[data-next]")).to_be_focused()
    page.keyboard.press("Enter")
    page.locator("[data-submit]").click()
    expect(page.locator("[data-completion-code]")).to_have_text("TEA")
    judged = Judgment.objects.filter(item__slots__response__writing__assignment__study=study)
    assert judged.count() == 7
    assert Assignment.objects.get(study=which).submission == prolific_id("which of bob")
    assert which.batches.get().state == "closed"
