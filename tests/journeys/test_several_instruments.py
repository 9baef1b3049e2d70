"""Two instruments in one questionnaire, from `create_study` to exported votes, in a Chromium."""

import csv
import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, Page, expect

from judging.instruments.files import as_json, load
from judging.instruments.schema import CriterionSpec, QuestionSpec
from judging.models import Judgment, Presentation
from tests.cast import rita, small_corpus
from tests.journeys.test_judging_study import DESK, PHONE, begin, saved
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Axe = Callable[[Any], list[str]]
Web = Callable[[int], list[WebProcess]]


def clarity(folder: Path) -> Path:
    """Return the best and the worst of four texts by another criterion, as a file of one's own."""
    of_quality = load("best-worst")
    file = msgspec.structs.replace(
        of_quality,
        name="clarity",
        title="The clearest and the least clear of four texts",
        criteria=[CriterionSpec("clarity", "Clarity", "How easy the text is to follow.")],
        questions=[
            QuestionSpec("best", "clarity", "best", "Which text is the clearest?", "choose"),
            QuestionSpec("worst", "clarity", "worst", "Which text is the least clear?", "choose"),
        ],
    )
    path = folder / "clarity.json"
    path.write_text(json.dumps(as_json(file)))
    return path


def launch(folder: Path, *more: str) -> None:
    small_corpus(responses=5)
    call_command(
        "create_study",
        *("lamps", "--corpus", "lamps", "--instrument", "best-worst"),
        *("--instrument", str(clarity(folder)), "--quota", "1", "--launch"),
        *("--recruitment", "prolific", "--completion-code", "C0FFEE", "--contact", "Rita"),
        *more,
        stdout=StringIO(),
    )


def choose(page: Page, question: str, code: str) -> None:
    page.locator(f"[data-question={question}] label:has(input[value={code}])").click()


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_two_instruments_are_answered_about_the_same_blocks_and_exported(
    browser: Browser, web_processes: Web, tmp_path: Path, axe: Axe, viewport: Any
) -> None:
    rita()
    launch(tmp_path)
    page = browser.new_context(viewport=viewport).new_page()
    begin(page, web_processes(1)[0].url, "bob")
    total = Presentation.objects.count()
    parts = [("Quality", "quality_best", "quality_worst"), ("Clarity", "best", "worst")]
    for position in range(1, total + 1):
        expect(page.locator(f"[data-item='{position}']")).to_be_visible()
        _, best, worst = parts[(position - 1) % 2]
        expect(page.locator("[data-field]")).to_have_count(2)
        expect(page.locator("[data-wanted]").first).to_have_text("2")
        expect(page.locator(".panel-part")).to_contain_text(f"Part {(position - 1) % 2 + 1} of 2")
        if position <= 2:
            assert axe(page) == []
        choose(page, best, "a" if position % 2 else "c")
        choose(page, worst, "c" if position % 2 else "a")
        saved(page)
        expect(page.locator(f"[data-dot='{position}']")).to_have_attribute("data-state", "done")
        page.locator("[data-next]").click()
    expect(page.locator("[data-finish]")).to_be_visible()
    page.locator("[data-submit]").click()
    expect(page.locator("[data-completion-code]")).to_have_text("C0FFEE")
    assert Judgment.objects.count() == 2 * total

    call_command("export", "lamps", out=tmp_path / "out", stdout=StringIO())
    with (tmp_path / "out" / "votes.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    told = {(row["instrument"], row["question"], row["raw"]) for row in rows}
    assert told == {
        ("best-worst", "quality_best", "a"),
        ("best-worst", "quality_worst", "c"),
        ("clarity", "best", "c"),
        ("clarity", "worst", "a"),
    }
    assert len(rows) == 2 * total


def test_the_instructions_on_a_page_are_those_of_its_instrument(
    browser: Browser, web_processes: Web, tmp_path: Path
) -> None:
    launch(tmp_path)
    page = browser.new_context(viewport=DESK).new_page()
    begin(page, web_processes(1)[0].url, "bob")
    page.locator("[data-next]").click()
    expect(page.locator("[data-item='2']")).to_be_visible()
    saved(page)
    page.wait_for_load_state()
    page.locator("[data-opens='instructions']").click()
    dialog = page.locator("#instructions")
    expect(dialog.get_by_role("heading", level=3).first).to_be_visible()
    expect(dialog).not_to_contain_text("Part 1 of 2")


@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
def test_both_are_answered_on_one_page_by_keys_or_fingers_and_are_there_again(
    browser: Browser, web_processes: Web, tmp_path: Path, axe: Axe, viewport: Any
) -> None:
    rita()
    launch(tmp_path, "--one-page")
    page = browser.new_context(viewport=viewport).new_page()
    begin(page, web_processes(1)[0].url, "bob")
    total = Presentation.objects.count() // 2
    fields = [(1, "quality_best"), (1, "quality_worst"), (2, "best"), (2, "worst")]
    for number in range(1, total + 1):
        first = 2 * number - 1
        expect(page.locator(f"[data-item='{first}']")).to_have_attribute("data-page", str(number))
        expect(page.locator("[data-field]")).to_have_count(4)
        expect(page.locator(".panel-instrument")).to_have_count(2)
        for (at, question), digit in zip(fields, (1, 3, 3, 1), strict=True):
            position = first + at - 1
            field = page.locator(f"[data-question={question}][data-position='{position}']")
            if viewport is DESK and number == 1:  # the next question is marked by itself
                expect(page.locator("[data-field][data-current]")).to_have_attribute(
                    "data-question", question
                )
                page.keyboard.press(str(digit))
            else:
                field.locator(f"label:has([data-key='{digit}'])").click()
            expect(field.locator(f"[data-key='{digit}']")).to_be_checked()
        if number == 1:
            assert axe(page) == []
        saved(page)
        expect(page.locator(f"[data-dot='{first}']")).to_have_attribute("data-state", "done")
        if number == 1:
            page.reload()
            expect(page.locator("[data-answered]").first).to_have_text("4")
            saved(page)
        page.locator("[data-next]").click()
    expect(page.locator("[data-finish]")).to_be_visible()
    page.locator("[data-submit]").click()
    expect(page.locator("[data-completion-code]")).to_have_text("C0FFEE")
    assert Judgment.objects.count() == 4 * total
    by_question = Judgment.objects.values_list("question__key", "raw").distinct()
    assert dict(by_question) == {
        "quality_best": "a", "quality_worst": "c", "best": "c", "worst": "a"
    }  # fmt: skip
