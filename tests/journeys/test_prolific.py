"""A researcher brings a study to the trial Prolific, and a participant goes through it and back."""

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from annotation.fieldwork.paying import sending
from annotation.fieldwork.platforms.fake_prolific.running import FakeProlific
from annotation.fieldwork.platforms.fake_prolific.signing import WORKSPACE
from annotation.fieldwork.platforms.prolific_client import client_for_settings
from annotation.fieldwork.recruiting.prolific import (
    admitting,
    offers,
    publishing,
    receiving_webhooks,
    reconciling,
)
from annotation.fieldwork.recruiting.prolific.signing_keys import Keys
from annotation.models import Assignment, LedgerEntry, PlatformStudy, WebhookEvent
from judging import tasks as judging_tasks
from judging.instruments.schema import AnswerSpec, AttentionSpec
from judging.models import Presentation
from tests.analysis.runs.polls import wait_for
from tests.cast import rita, small_study, tiny_instrument
from tests.journeys.test_pilot import logged_in

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def fake(live_server, settings, monkeypatch):
    there = FakeProlific(token="trial").start()
    settings.PUBLIC_URL = live_server.url
    settings.PROLIFIC_URL, settings.PROLIFIC_SITE = there.url, there.site
    settings.PROLIFIC_TOKEN, settings.PROLIFIC_WORKSPACE = "trial", WORKSPACE
    settings.RECRUITING_DRY_RUN = False
    settings.PROLIFIC_WEBHOOK_SECRET = there.tell(f"{live_server.url}/hooks/prolific/")
    monkeypatch.setattr(admitting, "keys", Keys(lambda: client_for_settings().jwks()))
    yield there
    there.stop()


def told(number: int) -> None:
    """Wait until Prolific's messages have come, and ask what they are about, as a job does."""
    wait_for(lambda: WebhookEvent.objects.count() >= number)
    for event in WebhookEvent.objects.filter(handled_at=None):
        receiving_webhooks.handle(pk=event.pk, now=timezone.now())


def test_from_recruit_to_prolific_to_the_code_and_back(
    browser: Browser, live_server, axe, fake
) -> None:
    small_study(recruitment="prolific", signed_links=True, pay="1.00")
    rita()
    console = logged_in(browser, live_server.url)
    console.goto(f"{live_server.url}/studies/lamps/1/recruit/")
    console.get_by_role("link", name="Prolific…").click()
    console.get_by_label("Audience").select_option("crowdrag25")
    console.get_by_role("button", name="Update preview").click()
    expect(console.locator("pre.written")).to_contain_text("first-language")
    assert axe(console) == []
    console.locator("[formaction$='/draft/']").click()
    expect(console.locator("[data-prolific-study='UNPUBLISHED']")).to_be_visible()
    console.locator("form[action$='/publish/'] button").click()
    expect(console.locator("[data-prolific-study='ACTIVE']")).to_be_visible()
    assert axe(console) == []

    bob = browser.new_context().new_page()
    bob.goto(f"{fake.site}/")
    bob.get_by_label("Take a place as").select_option("Bob")
    bob.get_by_role("button", name="Take it").click()
    bob.get_by_role("button", name="I agree").click()
    expect(bob.get_by_role("heading", name="Instructions")).to_be_visible()
    assert Assignment.objects.get().signed
    bob.get_by_role("link", name="Start").click()
    expect(bob.locator("[data-item='1']")).to_be_visible()
    bob.wait_for_load_state()
    bob.locator("[data-field]").first.locator("label").first.click()
    expect(bob.locator("[data-answer]:checked")).to_have_count(1)
    bob.locator("[data-next]").click()
    expect(bob.get_by_role("heading", name="Last step")).to_be_visible()
    bob.locator("[data-submit]").click()
    bob.get_by_role("link", name="Return to Prolific").click()
    expect(bob.get_by_text("AWAITING REVIEW")).to_be_visible()

    told(2)
    console.reload()
    expect(console.get_by_text("Awaiting review")).to_be_visible()
    at = PlatformStudy.objects.get()
    assert at.submissions.get().assignment == Assignment.objects.get(state="submitted")


RIGHT = ("y", "n", "y")


def attentive_study():
    """Three questions before the work, of which two have to be right; an attention item in it."""
    options = [{"code": "y", "label": "Yes"}, {"code": "n", "label": "No"}]
    awake = AttentionSpec("awake", "Please choose **Right** here.", [AnswerSpec("better", "b")])
    return small_study(
        instrument=tiny_instrument(attention=[awake]),
        recruitment="prolific",
        signed_links=True,
        pay="1.00",
        screening={
            "introduction": "Look at the lamps.",
            "questions": [
                {"key": f"q{n}", "label": f"Question {n}?", "options": options, "right": right}
                for n, right in enumerate(RIGHT, start=1)
            ],
            "pass_mark": 2,
            "reward": "0.25",
        },
    )


def comes(browser: Browser, fake, person: str, answers: str) -> Page:
    """Take a place at Prolific, agree, and answer the questions before the work."""
    page = browser.new_context().new_page()
    page.goto(f"{fake.site}/")
    page.get_by_label("Take a place as").select_option(person)
    page.get_by_role("button", name="Take it").click()
    page.get_by_role("button", name="I agree").click()
    expect(page.locator("input[name=q1]").first).to_be_visible()
    for n, code in enumerate(answers, start=1):
        page.locator(f"input[name='q{n}'][value='{code}']").check()
    page.get_by_role("button", name="Submit answers").click()
    return page


def works(page: Page) -> None:
    """Answer each page, the one that asks for it with “Right”, hand in, and go back."""
    page.get_by_role("link", name="Start").click()
    expect(page.locator("[data-item='1']")).to_be_visible()
    pages = Presentation.objects.count()
    for position in range(1, pages + 1):
        expect(page.locator(f"[data-item='{position}']")).to_be_visible()
        page.wait_for_load_state()
        awake = page.get_by_text("Please choose Right here.").count() > 0
        chosen = "b" if awake else "a"
        page.locator(f"[data-questions] label:has(input[value='{chosen}'])").click()
        expect(page.locator("[data-save-state='saved']")).to_be_visible()
        page.locator("[data-next]").click()
    page.locator("[data-submit]").click()
    page.get_by_role("link", name="Return to Prolific").click()
    expect(page.get_by_text("AWAITING REVIEW")).to_be_visible()


def pays(console: Page, base: str, study, work) -> None:
    """Approve, and pay a bonus, as previewed."""
    money = f"{base}{study.get_absolute_url()}recruit/money/"
    console.goto(money)
    console.get_by_role("link", name="Pay…").click()
    console.get_by_role("button", name="Pay 1.00 USD").click()
    expect(console.get_by_role("heading", name="Money")).to_be_visible()
    console.goto(f"{money}bonus/{work.pk}/")
    console.get_by_label("Bonus, USD").fill("0.50")
    console.get_by_label("Reason").fill("Very thorough.")
    console.get_by_role("button", name="Pay bonus").click()
    expect(console.get_by_role("heading", name="Money")).to_be_visible()


def test_from_the_signed_link_to_the_bonus_and_the_ledger_is_what_prolific_paid(
    browser: Browser, live_server, fake, axe
) -> None:
    study, now = attentive_study(), timezone.now()
    client = client_for_settings()
    payload = publishing.payload_for(study=study, client=client)
    at = publishing.make_draft(study=study, stamp=offers.stamp_of(payload), now=now)
    publishing.publish(at=at)

    out = comes(browser, fake, "Charlie", "nyn")
    expect(out.locator("[data-end=screened_out]")).to_be_visible()
    out.get_by_role("link", name="Return to Prolific").click()
    expect(out.get_by_text("SCREENED OUT")).to_be_visible()

    told(2)
    publishing.follow_all()  # a screen-out takes no place

    works(comes(browser, fake, "Bob", "yny"))
    told(4)
    reconciling.poll(at=at, now=timezone.now())
    judging_tasks.sweep()
    work = Assignment.objects.get(state="submitted")
    assert (work.signed, work.platform_submissions.get().status) == (True, "AWAITING REVIEW")

    rita()
    console = logged_in(browser, live_server.url)
    console.goto(f"{live_server.url}{study.get_absolute_url()}review/")
    expect(console.locator("[data-keys=ready]")).to_be_attached()
    console.keyboard.press("j")
    expect(console.locator("[data-panel] [data-decision=a]")).to_be_visible()
    console.keyboard.press("a")
    expect(console.locator(".messages")).to_contain_text("Approved")
    pays(console, live_server.url, study, work)
    sending.go_on(desk=client, now=timezone.now())

    kinds = {"paid": "reward", "bonus": "bonus"}
    booked = {
        (entry.assignment.submission, kinds[entry.kind]): entry.amount
        for entry in LedgerEntry.objects.filter(kind__in=kinds).select_related("assignment")
    }
    theirs = {"reward": "reward", "bonus": "bonus", "screen out": "reward"}
    paid = {(key, theirs[kind]): amount for (key, kind), amount in fake.world.paid().items()}
    assert booked == paid
    assert sorted(booked.values()) == [25, 50, 100]
    console.reload()
    expect(console.locator("[data-money=paid]")).to_have_text("1.25 USD")
    expect(console.locator("[data-money=bonus]")).to_have_text("0.50 USD")
    assert axe(console) == []
