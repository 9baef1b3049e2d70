"""From a method's card to a worker who is through, in a real Chromium, without a command."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESK = {"width": 1440, "height": 900}
Axe = Callable[[Any], list[str]]
Web = Callable[[int], list[WebProcess]]


def rita_at(browser: Browser, base: str) -> Page:
    page = browser.new_context(viewport=DESK).new_page()
    page.goto(f"{base}/login/")
    page.locator("[name=username]").fill("rita")
    page.locator("[name=password]").fill("a long password")
    page.locator("main form button").first.click()
    page.wait_for_url(f"{base}/")
    return page


def take(page: Page, base: str, method: str) -> None:
    page.goto(f"{base}/methods/")
    page.locator(f"[name=of][value='{method}']").click()
    expect(page).to_have_url(re.compile("/texts/"))
    page.wait_for_load_state()


def write(page: Page, name: str, words: str) -> None:
    """Fill the field whose path ends like this and see that it saved itself."""
    field = page.locator(f"[data-edits][name='{name}'], [data-edits][name$='/{name}']").first
    is_choice = field.evaluate("(each) => each.matches('select')")
    if not is_choice:
        field.fill(words)
    with page.expect_response(
        lambda said: said.request.method == "POST" and "/drafts/" in said.url
    ):
        if is_choice:
            field.select_option(words)
        else:
            field.blur()
    expect(page.locator("[data-state]")).to_have_text("Saved")


def go(page: Page, section: str) -> None:
    link = page.locator(f".rail-row a[href$='/{section}/']").first
    link.click()
    expect(link).to_have_attribute("aria-current", "page")
    expect(page).to_have_url(re.compile(f"/{section}/$"))
    page.wait_for_load_state()


def launch(page: Page) -> str:
    """Launch all at once, and return the link for workers."""
    page.get_by_role("link", name="Launch…").click()
    page.locator("button[name=first][value=all]").dblclick()
    expect(page.locator("[data-worker-link]")).to_be_visible()
    return page.locator("[data-worker-link]").inner_text()


@pytest.fixture
def corpus() -> Any:
    from tests.cast import rita, small_corpus

    rita()
    corpus = small_corpus(topics=2, responses=3)
    for topic in corpus.topics.all():
        topic.passages.create(key=f"{topic.key}p", rank=1, text="A lamp shines by itself.")
    return corpus


def test_a_link_that_is_pressed_while_the_draft_saves_is_followed(
    browser: Browser, web_processes: Web, corpus: Any
) -> None:
    base = web_processes(1)[0].url
    page = rita_at(browser, base)
    take(page, base, "judging/crowdrag-pairwise")
    page.locator("[name=title]").fill("Lamps")  # the first title renews the whole form
    page.locator(".rail-row a[href$='/instructions/']").first.hover()
    with page.expect_response(lambda answer: "html" in answer.headers["content-type"]):
        page.mouse.down()
    page.evaluate("() => new Promise((done) => setTimeout(done, 200))")
    page.mouse.up()
    expect(page).to_have_url(re.compile("/instructions/$"))
    page.go_back()
    expect(page.locator("[name=title]")).to_have_value("Lamps")


def test_a_question_is_added_and_moved_and_stands_on_the_page_of_workers(
    browser: Browser, web_processes: Web, corpus: Any, axe: Axe
) -> None:
    base = web_processes(1)[0].url
    page = rita_at(browser, base)
    take(page, base, "judging/crowdrag-pairwise")
    assert axe(page) == []
    write(page, "title", "Which lamp?")
    expect(page.locator("[name=slug]")).to_have_value("which-lamp")
    page.get_by_role("button", name="Add question").click()
    expect(page.locator("[data-said]")).to_have_text("Added.")
    page.keyboard.type("Which one would you keep?")
    page.locator('[value="up instruments/crowdrag-pairwise/questions/question-1"]').click()
    expect(page.locator("[data-said]")).to_have_text(re.compile(r"\b7\b.*\b8\b"))
    shown = page.frame_locator(".beside-page").get_by_text("Which one would you keep?")
    expect(shown).to_be_attached()
    card = page.locator('[data-element="instruments/crowdrag-pairwise/questions/question-1"]')
    if not card.get_by_label("Name", exact=True).is_visible():
        card.locator("summary").click()
    card.get_by_label("Name", exact=True).fill("To keep")
    card.get_by_label("Name", exact=True).blur()
    expect(page.locator("[data-state]")).to_have_text("Saved")


def test_two_people_in_one_draft_see_each_other_and_lose_no_words(
    browser: Browser, web_processes: Web, corpus: Any
) -> None:
    base = web_processes(1)[0].url
    one, other = rita_at(browser, base), rita_at(browser, base)
    take(one, base, "judging/crowdrag-pairwise")
    write(one, "title", "Which lamp?")
    other.goto(one.url)
    other.wait_for_load_state()
    mine = one.locator("[name=title]")
    mine.fill("Which light?")  # not saved yet, for a moment
    write(other, "slug", "lights")
    mine.blur()
    expect(one.locator("[data-state]")).to_have_text("Saved")
    # What the other changed appears where nobody types here.
    expect(one.locator("[name=slug]")).to_have_value("lights")
    write(other, "crowdrag-pairwise/title", "Theirs")
    one.locator("[name$='/crowdrag-pairwise/title']").fill("Mine")
    one.locator("[name$='/crowdrag-pairwise/title']").blur()
    expect(one.get_by_text("Theirs", exact=True)).to_be_visible()
    expect(one.locator("[name$='/crowdrag-pairwise/title']")).to_have_value("Mine")
    one.get_by_role("button", name="Keep mine").click()
    expect(one.locator("[data-state]")).to_have_text("Saved")


def test_people_needed_follow_as_one_types_and_half_a_date_is_said(
    browser: Browser, web_processes: Web, corpus: Any
) -> None:
    base = web_processes(1)[0].url
    page = rita_at(browser, base)
    take(page, base, "writing/crowdrag-writing")
    go(page, "recruitment")
    participants = page.locator("[data-dock-participants] dd")
    expect(participants).to_have_text("6")
    page.locator("[name='recruitment/tasks_per_worker']").fill("2")
    expect(participants).to_have_text("3–6")

    day = page.locator("[name='retention/platform_ids_until']")
    day.fill("2099-03-31")
    day.blur()
    expect(page.locator("[data-state]")).to_have_text("Saved")
    day.press("Backspace")  # of the month
    day.blur()
    expect(page.locator("[data-field]", has=day).locator("[data-fault]")).to_be_visible()
    expect(page.locator("[data-state]")).to_have_class(re.compile("is-bad"))
    page.reload()
    expect(day).to_have_value("2099-03-31")


def test_topics_are_counted_as_they_are_ticked(
    browser: Browser, web_processes: Web, corpus: Any
) -> None:
    base = web_processes(1)[0].url
    page = rita_at(browser, base)
    take(page, base, "writing/crowdrag-writing")
    page.goto(f"{re.sub(r'/texts/.*', '', page.url)}/topics/")
    expect(page.get_by_text("2 of 2 selected")).to_be_visible()
    page.get_by_role("button", name="None", exact=True).click()
    expect(page.get_by_text("0 of 2 selected")).to_be_visible()
    page.get_by_label("what is lamp 2?").check()
    expect(page.get_by_text("1 of 2 selected")).to_be_visible()
    page.get_by_role("button", name="Save selection").click()
    expect(page.get_by_text("1 topic × 3 styles")).to_be_visible()


def test_changes_typed_offline_are_saved_when_the_network_returns(
    browser: Browser, web_processes: Web, corpus: Any
) -> None:
    base = web_processes(1)[0].url
    page = rita_at(browser, base)
    take(page, base, "judging/crowdrag-pairwise")
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_have_attribute("aria-disabled", "true")
    page.clock.install()
    page.context.set_offline(True)
    page.locator("[name=title]").fill("Lamps and lights")
    expect(undo).not_to_have_attribute("aria-disabled", "true")
    page.clock.run_for(1000)
    expect(page.locator("[data-state]")).to_have_class(re.compile("is-bad"))
    page.clock.pause_at(page.evaluate("Date.now()") + 1900)  # no timer asks again, 4 s later
    page.context.set_offline(False)
    for _ in range(2):  # what has just come back may carry nothing yet: then a second later
        page.wait_for_timeout(300)
        page.clock.run_for(1000)  # together less than the wait after another failure
    expect(page.locator("[data-state]")).to_have_text("Saved")
    page.reload()
    expect(page.locator("[name=title]")).to_have_value("Lamps and lights")


def test_systems_are_chosen_by_keyboard_on_a_phone(
    browser: Browser, web_processes: Web, corpus: Any, axe: Axe
) -> None:
    for letter, name in zip("abc", ("BM25", "A reranker of long names", "Fusion"), strict=True):
        system = corpus.systems.create(key=name.lower(), name=name)
        corpus.responses.filter(key__endswith=letter).update(system=system)
    base = web_processes(1)[0].url
    page = rita_at(browser, base)
    take(page, base, "judging/crowdrag-pairwise")
    write(page, "title", "Which lamp?")
    if page.get_by_label("Corpus").input_value() != corpus.slug:
        page.get_by_label("Corpus").select_option(corpus.slug)
        expect(page.locator("[data-state]")).to_have_text("Saved")
    go(page, "design")
    page.set_viewport_size({"width": 360, "height": 740})
    choice = page.locator("[name='design/systems']").first
    expect(choice).to_have_value("all")
    first, second = (page.get_by_label(name) for name in ("A reranker", "Fusion"))
    expect(first).to_be_checked()
    first.focus()
    page.keyboard.press("Space")
    expect(choice).to_have_value("chosen")
    expect(first).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(second).to_be_focused()
    page.keyboard.press("Space")
    fault = page.locator(".field-error:visible")
    expect(fault).to_be_visible()
    page.keyboard.press("Space")
    expect(fault).to_have_count(0)
    expect(page.locator("[data-state]")).to_have_text("Saved")
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.reload()
    expect(first).not_to_be_checked()
    expect(second).to_be_checked()
    choice.select_option("all")
    expect(first).to_be_checked()
