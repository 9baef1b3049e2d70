"""What a writer does in a browser, step by step."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

PHONE = {"width": 360, "height": 740}
DESK = {"width": 1440, "height": 900}
Axe = Callable[[Any], list[str]]
# What a page does every two seconds by itself, it also does at once when it is told to. Its clock
# is as it was: the log and the server would not agree on another one.
AT_ONCE = """
const every = window.setInterval.bind(window);
const done = [];
window.setInterval = (run, ...rest) => { done.push(run); return every(run, ...rest); };
window.atOnce = () => done.forEach((run) => run());
"""
LAMPS = "The first lamps of the city were lit by gas, and men walked the streets to light them."
PASSAGES = [LAMPS, "Oil came first.", "Gas was dear.", "Then came wires."]


def lamps_study(**settings: Any) -> Any:
    """One topic with four passages, to be written about in one style."""
    from annotation.studies.batching import open_batch
    from tests.cast import NOW, small_corpus
    from writing.instruments.files import load
    from writing.studies import designing

    corpus = small_corpus(responses=settings.pop("responses", 2))
    topic = corpus.topics.get()
    for rank, text in enumerate(PASSAGES, 1):
        topic.passages.create(key=f"p{rank}", rank=rank, title=f"Lamps {rank}", text=text)
    study = designing.create_study(
        slug="lamps",
        title="Lamps",
        corpus=corpus,
        instrument=load("crowdrag-writing", settings.get("language", "en")),
        seed=1,
        contact="Rita, University of Lamps.",
        completion_code="C0FFEE",
        **settings,
    )
    batch = designing.write_tasks(study=study, topics=[topic], styles=["essay"])
    open_batch(batch=batch, now=NOW)
    return study


def begin(page: Page, link: str, axe: Axe | None = None) -> None:
    """From the study's link over consent, instructions and the entry form to the editor."""
    need_not_wait(page)
    page.goto(link)
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("link", name="Start").click()
    enter(page, axe)


def go_on(page: Page, link: str) -> None:
    """As somebody who has agreed before: the link leads to their last page, which has the next."""
    need_not_wait(page)
    page.goto(link)
    page.get_by_role("button", name="Start another task").click()
    enter(page)


def enter(page: Page, axe: Axe | None = None) -> None:
    """Over the entry form to the editor."""
    expect(page.locator("[name=acknowledged]")).to_be_visible()
    answer_form(page)
    assert axe is None or axe(page) == []
    page.locator("[name=acknowledged]").check()
    page.get_by_role("button", name="Start writing").click()
    ready(page)


def ready(page: Page) -> None:
    """Wait until the text has the keyboard focus."""
    expect(editor(page)).to_be_editable()
    expect(editor(page)).to_be_focused()


def answer_form(page: Page) -> None:
    """Choose the first option of every question, once the page's scripts have run."""
    page.wait_for_load_state()
    for field in page.locator("fieldset:has(input[type=radio])").all():
        field.locator(".choice").first.click()


def editor(page: Page) -> Any:
    return page.locator("[data-text]")


def need_not_wait(page: Page) -> None:
    """Until the editor's next look at its text, to see it `saved`; for pages that come."""
    page.context.add_init_script(AT_ONCE)


def saved(page: Page) -> None:
    """All that was typed; where `need_not_wait` was not said, within two seconds."""
    page.evaluate("window.atOnce?.()")
    expect(page.locator("[data-save-state='saved']")).to_be_visible(timeout=90_000)


def put_in_clipboard(page: Page, text: str) -> None:
    """As another program would."""
    page.evaluate("text => navigator.clipboard.writeText(text)", text)


def copy_from_passage(page: Page, number: int) -> None:
    page.locator(f"[data-passage='{number}'] [data-passage-text]").click(click_count=3)
    page.keyboard.press("Control+c")


def finish(page: Page, axe: Axe | None = None) -> None:
    page.locator("[data-finish]").click()
    expect(page.locator("[data-last-text]")).to_be_visible(timeout=90_000)
    answer_form(page)
    assert axe is None or axe(page) == []
    page.locator("[data-submit]").click()
    expect(page.locator("[data-completion-code]")).to_have_text("C0FFEE")


def log_of(study: Any) -> tuple[Any, list[Any], str]:
    """Return the writing, its events, and the text that they rebuild."""
    from writing.log.collecting import events_of
    from writing.models import Writing
    from writing.process.replay import rebuilt

    writing = Writing.objects.select_related("assignment").get(assignment__study=study)
    events = events_of(writing.assignment)
    return writing, events, rebuilt(events)
