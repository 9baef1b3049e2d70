"""A simulated crowd answers a draft and leaves nothing, in a real Chromium.

test_from_nothing tries a draft as a worker.
"""

import re
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect

from tests.journeys.test_building_studies import rita_at
from tests.journeys.writer import answer_form, begin
from tests.services.web import WebProcess

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
Axe = Callable[[Any], list[str]]
Web = Callable[[int], list[WebProcess]]


def test_a_crowd_answers_a_copy_whose_results_are_marked_and_deleted(
    browser: Browser, web_processes: Web, celery_worker: Any, axe: Axe
) -> None:
    from tests.annotation.fieldwork.trials.rows import rows
    from tests.annotation.studies.drafts.drafted import drafted
    from tests.cast import rita

    draft = drafted(user=rita())
    base = web_processes(1)[0].url
    page = rita_at(browser, base)
    page.goto(f"{base}/drafts/{draft.pk}/try/")
    before = rows()
    page.locator("#workers").fill("4")
    page.get_by_role("button", name="Simulate crowd").dblclick()
    expect(page.get_by_role("link", name="Results")).to_be_visible()
    assert axe(page) == []
    page.get_by_role("link", name="Results").click()
    expect(page.locator("[data-simulated]")).to_be_visible()
    # The page looks again by itself until the analysis is done.
    expect(page.get_by_role("link", name="Agreement").first).to_be_visible(timeout=300_000)
    expect(page.locator("[data-simulated]")).to_be_visible()
    page.locator("a[href$='/try/#simulated']").click()
    page.locator("#simulated form[action$='/simulate/end/'] button").click()
    expect(page.get_by_role("button", name="Simulate crowd")).to_be_visible()
    after = rows()
    assert {table: n - before[table] for table, n in after.items() if n != before[table]} == {}


def test_a_trial_is_walked_through_beside_its_draft_on_every_size_of_screen(
    browser: Browser, web_processes: Web, axe: Axe
) -> None:
    from django.utils import timezone

    from annotation.fieldwork.trials.making import make_trial
    from annotation.fieldwork.trials.recording_trials import ACT
    from annotation.people.access import record
    from tests.annotation.studies.drafts.drafted import drafted
    from tests.cast import rita

    researcher = rita()
    draft = drafted(user=researcher)
    make_trial(draft=draft, user=researcher, now=timezone.now())
    base = web_processes(1)[0].url
    page = rita_at(browser, base)
    page.goto(f"{base}/drafts/{draft.pk}/try/")
    trial = page.frame_locator(".trial-page")
    trial.get_by_role("button", name="I agree").click()
    trial.get_by_role("link", name="Start").click()
    expect(trial.locator("[data-item='1']")).to_be_visible()
    for size, width in (("Tablet", 768), ("Computer", 1280), ("Phone", 360)):
        page.get_by_role("button", name=size).click()
        expect(page.get_by_text(f"{width} ×")).to_be_visible()
        assert (
            trial.locator("body").evaluate("body => body.ownerDocument.defaultView.innerWidth")
            == width
        )
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe(page) == []
    expect(page.locator("[data-tried]")).to_be_visible()
    expect(page.locator("[data-tried] [data-revision]")).to_have_count(0)
    record(user=researcher, act=ACT, what=f"draft {draft.pk}, revision 0", of=draft)
    trial.locator("body").evaluate("body => body.ownerDocument.location.reload()")
    expect(page.locator("[data-tried] [data-revision='0']")).to_be_visible()


def test_the_page_says_what_was_tried_in_another_tab_when_one_comes_back(
    browser: Browser, web_processes: Web
) -> None:
    from django.utils import timezone

    from annotation.fieldwork.trials import ending
    from annotation.fieldwork.trials.making import make_trial
    from annotation.fieldwork.trials.recording_trials import ACT
    from annotation.models import Trial
    from annotation.people.access import record
    from tests.annotation.studies.drafts.drafted import drafted
    from tests.cast import rita

    researcher = rita()
    draft = drafted(user=researcher)
    trial = make_trial(draft=draft, user=researcher, now=timezone.now())
    base = web_processes(1)[0].url
    page = rita_at(browser, base)
    page.goto(f"{base}/drafts/{draft.pk}/try/")
    expect(page.locator("[data-tried]")).to_be_visible()
    expect(page.locator("[data-tried] [data-revision]")).to_have_count(0)
    page.locator("#workers").fill("17")
    page.frame_locator(".trial-page").get_by_role("button", name="I agree").wait_for()
    page.evaluate("document.querySelector('.trial-page').dataset.same = 'yes'")
    record(user=researcher, act=ACT, what=f"draft {draft.pk}, revision 0", of=draft)
    Trial.objects.update(tried_at=timezone.now())
    come_back(page)
    expect(page.locator("[data-tried] [data-revision='0']")).to_be_visible()
    expect(page.locator("[data-trial-told] time")).to_have_count(2)  # handed in, and its end
    assert page.locator("#workers").input_value() == "17"
    expect(page.locator(".trial-page[data-same]")).to_have_count(
        1
    )  # nobody loses their place in it
    ending.end(study=trial.study)
    come_back(page)
    expect(page.get_by_role("button", name="Start trial")).to_be_visible()
    expect(page.locator(".trial-page")).to_have_count(0)
    make_trial(draft=draft, user=researcher, now=timezone.now())
    come_back(page)
    page.get_by_role("button", name="Tablet").click()
    expect(page.get_by_text("768 ×")).to_be_visible()
    assert page.locator("#workers").input_value() == "17"


def come_back(page: Page) -> None:
    """From another tab."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def test_the_rest_is_answered_once_there_is_a_connection(
    browser: Browser, web_processes: Web
) -> None:
    from django.utils import timezone

    from annotation.fieldwork.trials.making import make_trial
    from annotation.models import Assignment
    from tests.annotation.fieldwork.trials.test_filling import answer_pages, item_page
    from tests.annotation.studies.drafts.drafted import drafted, judging_document
    from tests.cast import rita

    researcher = rita()
    draft = drafted(judging_document(responses=12), user=researcher)
    trial = make_trial(draft=draft, user=researcher, now=timezone.now())
    base = web_processes(1)[0].url
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto(base + trial.study.public_path)
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("link", name="Start").click()
    expect(page.locator("[data-item='1']")).to_be_visible()
    work = Assignment.objects.get()
    work.token = page.locator("body").get_attribute("data-token") or ""
    answer_pages(work, 3)
    page.goto(base + item_page(work, 4))
    rest = page.locator("[data-fill-rest] button")
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    rest.click()
    expect(page.locator("[data-fill-said]")).not_to_be_empty()
    expect(rest).to_be_enabled()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.context.set_offline(False)
    rest.click()
    expect(rest).to_have_count(0)
    expect(page).to_have_url(re.compile("finish"))


def test_the_rest_of_a_text_is_written_behind_what_is_there_and_handed_in(
    browser: Browser, web_processes: Web, axe: Axe
) -> None:
    from django.utils import timezone

    from annotation.fieldwork.trials import recording_trials
    from annotation.fieldwork.trials.making import make_trial
    from tests.annotation.fieldwork.trials.rows import writing_document
    from tests.annotation.studies.drafts.drafted import drafted
    from tests.cast import rita
    from writing.models import Writing

    researcher = rita()
    draft = drafted(writing_document(), user=researcher)
    trial = make_trial(draft=draft, user=researcher, now=timezone.now())
    base = web_processes(1)[0].url
    page = browser.new_page(viewport={"width": 360, "height": 740})
    begin(page, base + trial.study.public_path)
    text = page.locator("[data-text]")
    expect(text).to_be_editable()
    text.press_sequentially("Lamps shine [0].")
    expect(page.locator(".trial-bar .trial-short")).to_be_visible()
    expect(page.locator(".trial-bar .trial-says")).to_be_hidden()
    expect(page.locator(".writing-title")).to_have_css("position", "absolute")  # no half of it
    rest = page.locator("[data-write-rest]")
    rest.click()
    expect(page.locator("[data-words][data-place='in']")).to_be_visible()
    assert text.input_value().startswith("Lamps shine [0].")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe(page) == []
    page.locator("[data-finish]").click()
    expect(page.locator("[data-last-text]")).to_be_visible()
    answer_form(page)
    page.locator("[data-submit]").click()
    expect(page.locator("[data-completion-code]")).to_be_visible()
    writing = Writing.objects.get()
    assert writing.verdict == Writing.Verdict.EQUAL  # the log has what was written for somebody
    entry = recording_trials.last_tried(draft)
    assert entry is not None
    tried = recording_trials.tried_of(entry)
    assert tried.words == 2
    assert not tried.is_short


def test_a_trial_goes_on_with_the_next_task_from_its_last_page(
    browser: Browser, web_processes: Web, axe: Axe
) -> None:
    from django.utils import timezone

    from annotation.fieldwork.trials.making import make_trial
    from annotation.models import Assignment
    from tests.annotation.studies.drafts.drafted import drafted, judging_document
    from tests.cast import rita

    researcher = rita()
    document = judging_document(responses=4)
    document.instruments[0]["defaults"]["items_per_questionnaire"] = 2
    hired = msgspec.structs.replace(document.recruitment, tasks_per_worker=2)
    document = msgspec.structs.replace(document, recruitment=hired)
    draft = drafted(document, user=researcher)
    trial = make_trial(draft=draft, user=researcher, now=timezone.now())
    page = browser.new_page(viewport={"width": 360, "height": 740})
    page.goto(web_processes(1)[0].url + trial.study.public_path)
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("link", name="Start").click()
    for last in (False, True):
        page.locator("[data-fill-rest] button").click()
        expect(page).to_have_url(re.compile("finish"))
        answer_form(page)
        page.locator("[data-submit]").click()
        expect(page.locator("[data-completion-code]")).to_be_visible()
        assert axe(page) == []
        another = page.get_by_role("button", name="Start another task")
        expect(another).to_have_count(0 if last else 1)
        if not last:
            another.dblclick()
            expect(page.locator("[data-item]")).to_be_visible()
    expect(page.locator("[data-other-codes] li")).to_have_count(1)
    assert Assignment.objects.count() == 2
