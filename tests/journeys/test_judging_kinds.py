"""Items that are no pairs, in a real Chromium: four texts, passages, parts of texts."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from judging.models import Judgment
from tests.cast import draft_study, in_sections, open_study, small_corpus
from tests.journeys.test_judging_study import DESK, PHONE, begin, saved
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Axe = Callable[[Any], list[str]]
Web = Callable[[int], list[WebProcess]]
VIEWPORTS = pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])


def page_of(instrument: str, browser: Browser, web_processes: Web, viewport: Any) -> Page:
    """Bob looks at the first item of a study with this instrument."""
    corpus = small_corpus(responses=4)
    for rank in (1, 2):
        text = "Lamps give light.\n\nA second paragraph tells of <oil>."
        corpus.topics.get().passages.create(key=f"p{rank}", rank=rank, title="Lamps", text=text)
    for response in corpus.responses.all():
        in_sections(response)
    open_study(
        draft_study(
            instrument=instrument, corpus=corpus, recruitment="prolific", completion_code="C0"
        )
    )
    page = browser.new_context(viewport=viewport).new_page()
    begin(page, web_processes(1)[0].url, "bob")
    saved(page)
    return page


def option(page: Page, question: str, code: str) -> Locator:
    return page.locator(f"[data-question={question}] input[value={code}]")


@VIEWPORTS
def test_the_best_of_four_texts_cannot_be_the_worst(
    browser: Browser, web_processes: Web, viewport: Any, axe: Axe
) -> None:
    page = page_of("best-worst", browser, web_processes, viewport)
    expect(page.locator("[data-text]")).to_have_count(4)
    option(page, "quality_best", "b").check(force=True)
    expect(option(page, "quality_worst", "b")).to_be_disabled()
    note = page.locator("[data-question=quality_worst] [data-apart-note]")
    expect(note).to_have_attribute("data-apart-note", "b")
    taken = option(page, "quality_best", "b").locator("xpath=ancestor::label")
    expect(note).to_contain_text(taken.locator("[data-label]").inner_text())
    assert axe(page) == []
    option(page, "quality_worst", "c").check(force=True)
    saved(page)
    raw = dict(Judgment.objects.values_list("question__key", "raw"))
    assert raw == {"quality_best": "b", "quality_worst": "c"}
    page.reload()
    expect(option(page, "quality_worst", "b")).to_be_disabled()


def test_a_digit_does_not_choose_what_is_taken(browser: Browser, web_processes: Web) -> None:
    page = page_of("best-worst", browser, web_processes, DESK)
    page.keyboard.press("1")
    page.keyboard.press("1")
    saved(page)
    assert list(Judgment.objects.values_list("question__key", "raw")) == [("quality_best", "a")]
    page.keyboard.press("4")
    saved(page)
    assert Judgment.objects.get(question__key="quality_worst").raw == "d"


def test_four_texts_stand_two_by_two_where_there_is_room(
    browser: Browser, web_processes: Web
) -> None:
    page = page_of("best-worst", browser, web_processes, DESK)
    places = [
        box
        for part_element in page.locator("[data-part]").all()
        if (box := part_element.bounding_box())
    ]
    assert len({round(box["x"]) for box in places}) == 2
    assert len({round(box["y"]) for box in places}) == 2


def test_on_a_phone_each_of_four_texts_is_reached_by_its_name(
    browser: Browser, web_processes: Web
) -> None:
    page = page_of("best-worst", browser, web_processes, PHONE)
    link = page.locator("[data-switch] a", has_text="Text 3")
    link.click()
    expect(link).to_have_attribute("aria-current", "true")
    expect(page.locator("#text-c")).to_be_in_viewport()


@VIEWPORTS
@pytest.mark.parametrize(
    ("instrument", "key", "score"), [("nuggets", "0", 0), ("retrieval-relevance", "3", 2)]
)
def test_a_passage_is_graded_with_a_key(
    browser: Browser,
    web_processes: Web,
    axe: Axe,
    viewport: Any,
    instrument: str,
    key: str,
    score: float,
) -> None:
    page = page_of(instrument, browser, web_processes, viewport)
    expect(page.locator("[data-text=passage]")).to_contain_text("<oil>")
    assert axe(page) == []
    page.keyboard.press(key)
    saved(page)
    assert Judgment.objects.get().score == score


@pytest.mark.parametrize(
    ("viewport", "instrument", "places", "answers"),
    [
        (DESK, "statement-support", {"statement", "d1"}, {"support": 0.5}),
        (
            PHONE,
            "overview",
            {"overview", "summary", "d1", "d2"},
            dict.fromkeys(("sufficiency", "faithfulness", "representativeness"), 0.5),
        ),
        (PHONE, "heading-section", {"section", "heading"}, {"fit": 0.5}),
        (DESK, "heading-statement", {"heading", "statement"}, {"fit": 0.5, "relevance": 0.5}),
        (DESK, "documents-pairwise", {"a", "b", "d1", "d2"}, {"answer_quality": None}),
        (
            PHONE,
            "answer-quality-documents",
            {"response", "d1", "d2"},
            {"relevance": 1, "accuracy": 1, "completeness": 1, "precision": 1},
        ),
        (PHONE, "section-coverage", {"section", "summary"}, {"covered": 0.5}),
    ],
)
def test_parts_of_texts_are_judged_by_key_and_by_finger(
    browser: Browser,
    web_processes: Web,
    axe: Axe,
    viewport: Any,
    instrument: str,
    places: set[str],
    answers: dict[str, float | None],
) -> None:
    page = page_of(instrument, browser, web_processes, viewport)
    shown = {
        text_element.get_attribute("data-text")
        for text_element in page.locator("[data-text]").all()
    }
    assert places <= shown
    assert axe(page) == []
    for question in answers:
        if viewport == DESK:
            page.keyboard.press("2")
        else:
            page.locator("[data-switch] a", has_text="Questions").click()
            codes = "input[value=part], input[value=n], input[value='1']"
            page.locator(f"[data-question={question}] label:has({codes})").click()
        saved(page)
    assert dict(Judgment.objects.values_list("question__key", "score")) == answers
    if viewport == PHONE and "d1" in places:
        page.locator("[data-switch] a", has_text="Documents").click()
        expect(page.locator("#text-d1")).to_be_in_viewport()


@VIEWPORTS
def test_an_overview_is_judged_beside_its_sections_and_its_documents(
    browser: Browser, web_processes: Web, axe: Axe, viewport: Any
) -> None:
    page = page_of("overview", browser, web_processes, viewport)
    sections = page.locator("[data-text=summary]")
    for number in (1, 2):
        expect(sections).to_contain_text(f"Heading {number} of")
        expect(sections).to_contain_text(f"Statement {number}b.")
    expect(sections).not_to_contain_text("in short")  # the overview is not repeated there
    documents = page.locator("[data-documents] [data-text]")
    expect(documents).to_have_count(2)
    expect(documents.first).to_be_visible()
    page.locator("[data-documents] summary").first.click()
    expect(documents.first).to_be_hidden()
    page.locator("[data-documents] summary").first.press("Enter")
    expect(documents.first).to_be_visible()
    assert axe(page) == []


@pytest.mark.parametrize("instrument", ["summary-preference", "documents-pairwise"])
def test_a_long_text_of_a_pair_scrolls_in_its_place(
    browser: Browser, web_processes: Web, instrument: str
) -> None:
    page = page_of(instrument, browser, web_processes, DESK)
    for body in page.locator("#texts").get_by_role("group").all():
        body.evaluate("body => body.append('Many more words. '.repeat(3000))")
        assert body.evaluate("body => body.scrollHeight > body.clientHeight + 1")
        box = body.bounding_box()
        assert box
        assert box["y"] + box["height"] < DESK["height"]


@VIEWPORTS
def test_all_parts_of_two_summaries_are_judged_on_one_page(
    browser: Browser, web_processes: Web, axe: Axe, viewport: Any
) -> None:
    page = page_of("summary-pair", browser, web_processes, viewport)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    fields = page.locator("[data-field]")
    wanted = fields.count()
    assert wanted == 2 * (3 + 2 + 4 + 3 + 2 + 1) + 1
    for number in range(wanted):
        fields.nth(number).locator("label").first.click()
    saved(page)
    expect(page.locator("[data-answered]").first).to_have_text(str(wanted))
    assert Judgment.objects.count() == wanted
    left, right = (
        page.locator("[data-question=relevance] .field-slot").nth(at).inner_text() for at in (0, 4)
    )
    assert left.partition(":")[0] != right.partition(":")[0]
