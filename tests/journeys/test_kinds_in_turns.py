"""Items of different kinds trade places in memory; each page shows what the server knows of it."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from judging.instruments.files import load
from tests.cast import draft_study, in_sections, open_study, small_corpus
from tests.journeys.test_judging_study import DESK, begin, saved
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Web = Callable[[int], list[WebProcess]]
KINDS = ["crowdrag-pairwise", "best-worst", "crowdrag-pointwise", "answer-quality-documents"]
WALK = [-2, -1, 2, 1, -1, -2, 7, -1, 1, 2, -2]  # pages, also from the end

# What the page in the document shows, and what the server writes for its address.
COMPARED = """async () => {
  const answer = await (await fetch(location.href)).text();
  const page = new DOMParser().parseFromString(answer, "text/html");
  const words = (node) => node?.textContent.replace(/\\s+/g, " ");
  const fieldOf = (field) => [field.id, { ...field.dataset, number: "", current: "" },
    [...field.querySelectorAll("input, textarea")].map((input) =>
      [input.name, input.value, input.checked, input.dataset.key, words(input.closest("label"))])];
  const shown = (main) => JSON.stringify([main.className, main.dataset.item, main.dataset.place,
    [...main.querySelectorAll("[data-heading], [data-text], .question-text")].map(words),
    [...main.querySelectorAll("[data-field]")].map(fieldOf),
    [...main.querySelectorAll("[data-next], [data-previous]")].map((link) => link.pathname),
    main.querySelector("[data-remark]").value]);
  return [document, page].map((root) => shown(root.querySelector("main")));
}"""


def test_every_kind_of_item_shows_its_own_answers(browser: Browser, web_processes: Web) -> None:
    corpus = small_corpus(responses=4)
    for rank in (1, 2):
        corpus.topics.get().passages.create(key=f"p{rank}", rank=rank, text=f"Lamp {rank}.")
    for response in corpus.responses.all():
        in_sections(response)
    instruments = [load(name) for name in KINDS]
    study = draft_study(
        instruments=instruments, corpus=corpus, recruitment="prolific", completion_code="C0"
    )
    open_study(study, items=60)
    page = browser.new_context(viewport=DESK).new_page()
    with page.expect_response("**/following/"):
        begin(page, web_processes(1)[0].url, "bob")
    saved(page)
    total = page.locator("[data-dot]").count()
    for step, place in enumerate(WALK):
        number = place if place > 0 else total + 1 + place
        page.locator(f"[data-dot][data-page='{number}']").click()
        page.keyboard.press("1")  # before or after the picture
        page.keyboard.press("2")
        expect(page.locator(f"[data-item][data-page='{number}']")).to_be_visible()
        page.locator(".remark").evaluate("fold => (fold.open = true)")
        page.locator("[data-remark]").fill(f"step {step}")
        page.locator("[data-remark]").blur()
        saved(page)
        here, there = page.evaluate(COMPARED)
        assert here == there
