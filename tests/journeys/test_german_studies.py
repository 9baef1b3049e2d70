"""Two studies in German from the link to the code, in a Chromium that asks for English pages."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from annotation.studies.translations import texts_in
from config import catalogues
from tests.journeys import writer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PLACE = re.compile(r"%\(\w+\)s|\{[\w:]+\}")
# All that a page says: its text, and what is said to those who do not see it.
SAID = """() => {
    const lines = document.body.innerText.split("\\n");
    const names = ["aria-label", "placeholder", "title"];
    for (const each of document.querySelectorAll("[aria-label], [placeholder], [title]"))
        lines.push(...names.map((name) => each.getAttribute(name) ?? ""));
    const dialogs = [...document.querySelectorAll("dialog")].map((each) => each.textContent);
    lines.push(...dialogs.flatMap((words) => words.split("\\n")));
    return [document.title, ...lines].map((line) => line.trim()).filter(Boolean);
}"""


def english() -> list[re.Pattern[str]]:
    """All that is said otherwise in German."""
    found = set()
    for domain in ("django", "djangojs"):
        for message in catalogues.kept("de", domain):
            ids, said = (
                each if isinstance(each, tuple) else (each,)
                for each in (message.id, message.string)
            )
            found |= {words for words in ids if words and words not in said}
    return [_pattern(words) for words in sorted(found)]


def _pattern(words: str) -> re.Pattern[str]:
    plain = re.sub(r"<[^>]+>", "", words)
    return re.compile("[^.]+".join(map(re.escape, PLACE.split(plain))))


def of_instrument(files: Any, name: str) -> Iterator[re.Pattern[str]]:
    import msgspec

    both = [dict(texts_in(msgspec.to_builtins(files.load(name, code)))) for code in ("en", "de")]
    for path, words in both[0].items():
        for line in words.splitlines() if words != both[1][path] else []:
            yield _pattern(re.sub(r"[*#|]|^- ", "", line).strip())


class Reader:
    """Looks at each page; no line of it may be English that is said otherwise in German."""

    def __init__(self, page: Page, patterns: list[re.Pattern[str]]) -> None:
        self.page, self.patterns, self.pages = page, patterns, 0

    def look(self) -> None:
        self.pages += 1
        assert self.page.locator("html").get_attribute("lang") == "de"
        lines = self.page.evaluate(SAID)
        assert lines
        chosen_lines = [
            line for line in lines if any(p.fullmatch(line) for p in self.patterns if p.pattern)
        ]
        assert chosen_lines == [], f"page {self.pages}: {self.page.url}"


def test_judging_in_german(page: Page, live_server: Any) -> None:
    from judging.instruments import files
    from tests.cast import small_study

    small_study(
        instrument=files.load("crowdrag-pairwise", "de"), language="de", completion_code="C0FFEE"
    )
    reader = Reader(page, [*english(), *of_instrument(files, "crowdrag-pairwise")])
    page.goto(f"{live_server.url}/s/lamps/")
    reader.look()
    page.get_by_role("button", name="Ich stimme zu").click()
    expect(page.get_by_role("link", name="Anfangen")).to_be_visible()
    reader.look()
    page.get_by_role("link", name="Anfangen").click()
    saved = page.locator("[data-save-state=saved]")
    expect(saved).to_be_visible()
    reader.look()
    for block in page.locator("[data-question-block]").all():
        block.locator("label.option").first.click()
    expect(saved).to_be_visible()
    expect(page.locator("[data-save-words]")).to_have_text("Gespeichert")
    reader.look()
    page.context.set_offline(True)
    page.locator("label.option").nth(1).click()
    expect(page.locator("[data-save-words]")).to_contain_text("Keine Verbindung")
    page.locator("[data-next]").click()
    expect(page.locator("[data-save-words]")).to_contain_text("„Abschließen“")
    page.context.set_offline(False)
    expect(page.get_by_role("heading", name="Letzter Schritt")).to_be_visible()
    reader.look()
    page.get_by_role("button", name="Abgeben").click()
    expect(page.get_by_text("C0FFEE")).to_be_visible()
    reader.look()
    page.get_by_role("link", name="Einwilligung widerrufen").click()
    expect(page.get_by_role("heading", name="Ihre Einwilligung widerrufen?")).to_be_visible()
    reader.look()


def test_writing_in_german(page: Page, live_server: Any) -> None:
    from writing.instruments import files

    writer.lamps_study(language="de")
    reader = Reader(page, [*english(), *of_instrument(files, "crowdrag-writing")])
    writer.need_not_wait(page)
    page.goto(f"{live_server.url}/s/lamps/")
    reader.look()
    page.get_by_role("button", name="Ich stimme zu").click()
    page.get_by_role("link", name="Anfangen").click()
    expect(page.locator("[name=acknowledged]")).to_be_visible()
    reader.look()
    writer.answer_form(page)
    page.locator("main form button.button-primary").click()
    expect(page.locator("#acknowledged-error")).to_be_visible()
    reader.look()
    page.locator("[name=acknowledged]").check()
    page.locator("main form button.button-primary").click()
    writer.ready(page)
    reader.look()
    page.keyboard.type("Erst kam das Gas [0], dann kamen die Drähte [99].")
    writer.saved(page)
    expect(page.locator("[data-words-noun]")).to_have_text("Wörter")
    reader.look()
    page.locator("[data-finish]").click()
    expect(page.locator("[data-last-words]")).to_have_text("8 Wörter")
    reader.look()
    writer.answer_form(page)
    page.get_by_role("button", name="Abgeben").click()
    expect(page.get_by_text("C0FFEE")).to_be_visible()
    reader.look()
