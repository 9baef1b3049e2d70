"""A writer hired on Upwork: a personal link, a trial with feedback, two more batches, the pay."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.writer import DESK, PHONE, begin, editor, finish, go_on
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Web = Callable[[int], list[WebProcess]]
Start = Callable[[Page, str], None]


def studied() -> Any:
    """Return a trial topic for newcomers, then one open batch of one topic, and one that waits."""
    from tests.cast import onboarding_study
    from writing.studies import designing

    study = onboarding_study(
        onboarding=1,
        topics=2,
        recruitment="upwork",
        pay="2.50",
        tasks_per_worker=2,
        completion_code="C0FFEE",
    )
    topics = list(study.corpus.topics.order_by("pk"))
    study.batches.get(onboarding=False).tasks.filter(writing_task__topic=topics[2]).delete()
    return study, designing.write_tasks(study=study, topics=[topics[2]], styles=["essay"])


def accept(feedback: str = "") -> None:
    from annotation.fieldwork.review import reviewing
    from annotation.models import Assignment
    from tests.cast import NOW

    work = Assignment.objects.get(state="submitted")
    reviewing.decide(assignment=work, decision="accept", reviewer="rita", reason=feedback, now=NOW)


def log_in(page: Page, base: str) -> None:
    from tests.cast import rita

    rita()
    page.goto(f"{base}/login/")
    page.get_by_label("Username").fill("rita")
    page.get_by_label("Password", exact=True).fill("a long password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Studies")).to_be_visible()


def write(page: Page, link: str, text: str, *, start: Start = go_on) -> None:
    start(page, link)
    editor(page).press_sequentially(text)
    finish(page)


def test_an_upwork_writer_over_three_batches(
    browser: Browser, web_processes: Web, axe: Any
) -> None:
    study, later = studied()
    base = web_processes(1)[0].url
    rita = browser.new_context(viewport=DESK).new_page()
    log_in(rita, base)
    rita.goto(f"{base}/studies/letters/1/recruit/people/")
    rita.locator("#people").fill("34512345, Alice")
    rita.get_by_role("button", name="Create links").click()
    path = rita.locator("[data-personal-link]").inner_text().partition("/s/")[2]
    link = f"{base}/s/{path}"
    assert axe(rita) == []

    alice = browser.new_context(viewport=DESK).new_page()
    write(alice, link, "Lamps shine.", start=begin)
    alice.goto(link)
    expect(alice.locator("[data-refusal=BeingRead]")).to_be_visible()
    accept("Well done: cite more.")
    write(alice, link, "Lamps shine again.")

    from annotation.studies.batching import close_batch, open_batch
    from tests.cast import NOW

    accept()
    close = study.batches.exclude(pk=later.pk).filter(onboarding=False, state="open").first()
    if close is not None:
        close_batch(batch=close, now=NOW)
    open_batch(batch=later, now=NOW)
    phone = browser.new_context(viewport=PHONE).new_page()  # a second device of hers
    write(phone, link, "Lamps shine for ever.")
    accept()

    rita.goto(f"{base}/studies/letters/1/recruit/money/")
    expect(rita.locator("[data-money='approved']")).to_have_text("7.50 USD")
    rita.get_by_role("link", name="Mark as paid…").click()
    expect(rita.locator("[data-money='order']")).to_have_text("7.50 USD")
    rita.locator("button", has_text="7.50 USD").click()
    expect(rita.locator("[data-money='paid']")).to_have_text("7.50 USD")
    assert axe(rita) == []
    rita.goto(f"{base}/studies/letters/1/recruit/people/")
    rita.locator("button[name=change][value=revoke]").click()
    expect(rita.locator("button[name=change][value=revoke]")).to_have_count(0)
    answer = phone.goto(link)
    assert answer is not None
    assert answer.status == 410
