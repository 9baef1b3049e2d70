"""The copy task before the writing, in a real browser."""

import time
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.journeys.writer import PHONE, answer_form, lamps_study, ready
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_sentence_is_copied_and_its_pace_kept(
    browser: Browser, web_processes: Any, axe: Any
) -> None:
    from writing.models import Brief, Writing

    lamps_study()
    Brief.objects.update(copy_task=True)
    base: WebProcess = web_processes(1)[0]
    page = browser.new_context(viewport=PHONE).new_page()
    page.goto(f"{base.url}/s/lamps/")
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("link", name="Start").click()
    expect(page.locator("[name=acknowledged]")).to_be_visible()
    assert axe(page) == []
    sentence = page.locator("[data-copy-sentence]").inner_text()
    field = page.locator("[data-copy-task]")
    expect(page.locator("[data-copy-note]")).to_be_hidden()
    field.evaluate("field => field.dispatchEvent(new ClipboardEvent('paste', {cancelable: true}))")
    expect(page.locator("[data-copy-note]")).to_be_visible()
    began = time.monotonic()
    field.press_sequentially(sentence, delay=30)
    took = (time.monotonic() - began) * 1000
    answer_form(page)
    page.locator("[name=acknowledged]").check()
    page.get_by_role("button", name="Start writing").click()
    ready(page)
    writing = Writing.objects.get()
    assert writing.copy_units == len(sentence)
    assert 25 * len(sentence) < (writing.copy_ms or 0) < took + 1000
    page.context.close()
