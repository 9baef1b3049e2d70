"""Rita's bank from its first proposals to the files of its second round.

A model proposes entries and grades, a simulated crowd grades on the real pages, and only an edited
entry is asked again.
"""

import json
import re

import pytest
from django.core.management import call_command
from playwright.sync_api import expect

from annotation.models import Batch, Study
from judging.banks.entries_at import entries_at
from judging.calls.fake.running import FakeEndpoint
from judging.calls.sending import work_on
from judging.models import Bank, EntryRound, Judgment, MachineJudge
from judging.pages import askers
from tests.analysis.pages.banks.cast import rank
from tests.cast import rita
from tests.journeys.test_building_studies import go, launch, write
from tests.judging.queries.cast import passages

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
REWORDED = "Who built the tower, and when?"
CELLS = 2 * 3 + 2 * 1  # two entries for a topic of three passages, and of one
QUOTA = 3


@pytest.fixture
def signed_in(page, live_server, client, settings, monkeypatch):
    settings.MACHINE_ENDPOINTS_INSIDE = True
    # A Celery worker that other tests have left knows nothing of that setting.
    monkeypatch.setattr(askers.jobs, "send_after_commit", lambda *_: None)
    client.force_login(rita())
    cookie = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    return page


def test_a_bank_from_proposals_to_the_files_of_its_second_round(signed_in, live_server, axe):
    page, corpus = signed_in, passages()
    with FakeEndpoint() as fake:
        bank = generated(page, live_server.url, corpus, fake.url)
        rank(bank, {"x": {"t1": ["p1", "p2", "p3"], "t2": ["p1"]}, "y": {"t1": ["p3"]}})
        home = page.url.partition("?")[0]
        study = launched(page, axe)
        there = f"{live_server.url}{study.get_absolute_url()}"
        graded_by_people(study, live_server.url, seed=1)
        judge = graded_by_a_model(page, there, fake.url)
        charged = len(fake.ledger.charges)
        assert charged == 2 + CELLS  # topics, cells
        assert study.batches.get().state == Batch.State.CLOSED  # it is full

        page.goto(f"{home}oversight/")
        assert not axe(page)
        name = page.locator("[data-list-name=universal], [data-list-name=hard]")
        name.and_(page.locator(":not([data-n='0'])")).first.click()
        row = page.locator("[data-oversight] [data-row]").first
        row.locator("[data-edit]").click()
        row.locator("[data-text]").fill(REWORDED)
        revision = Bank.objects.get().revision
        row.locator("button[value=edit]").click()
        expect(page.get_by_text(REWORDED).first).to_be_visible()
        new = next(entry for entry in entries_at(bank) if entry.text == REWORDED)
        cells = 3 if new.topic == "t1" else 1

        page.goto(f"{there}recruit/")
        page.locator("a[href$='/unknown/']").click()
        page.locator("form:has(#effect) button").click()
        expect(page.locator("#batch-2")).to_be_visible()
        second = study.batches.get(number=2)
        page.locator(f"#batch-{second.number} a[href*='/open/']").click()
        page.locator("form:has(#effect) button").click()
        expect(page.locator(f"#batch-{second.number}")).to_be_visible()
        before = Judgment.objects.filter(assignment__isnull=False).count()
        graded_by_people(study, live_server.url, seed=2)
        people = Judgment.objects.filter(assignment__task__batch=second).exclude(raw="")
        assert set(people.values_list("item__slots__criterion__key", flat=True)) <= {new.key, None}
        assert Judgment.objects.filter(assignment__isnull=False).count() > before
        page.goto(f"{there}machines/{judge.pk}/")
        page.locator("button[name=do][value=run]").click()
        expect(page.locator("button[name=do][value=pause]")).to_be_visible()
        finish(judge)
        assert len(fake.ledger.charges) == charged + cells
        second.refresh_from_db()
        assert second.state == Batch.State.CLOSED

    for pool in ("people", "models"):
        page.goto(f"{home}board/?before={revision}&pool={pool}")
        expect(page.locator("[data-system=x]").first).to_be_visible()
        expect(page.locator("[data-cause=replaced]")).to_contain_text(REWORDED)
        expect(page.locator("[data-cause]")).to_have_count(1)
    address = f"{live_server.url}/api/corpora/{corpus.slug}/banks/{bank.pk}/"
    lines = page.request.get(f"{address}grades/?as=rubric").text().splitlines()
    exams = [exam for line in lines for row in json.loads(line)[1] for exam in row["exam_grades"]]
    ratings = [rating for exam in exams for rating in exam["self_ratings"]]
    asked = [rating["question_id"] for rating in ratings].count(new.key)
    assert asked == cells * (QUOTA + 1)
    assert len(ratings) == CELLS * (QUOTA + 1)
    assert REWORDED in page.request.get(f"{address}file/?as=rubric").text()


def generated(page, base, corpus, url):
    """Let a model propose two questions a topic, and accept them all; return the bank."""
    page.goto(f"{base}/corpora/{corpus.slug}/banks/")
    page.locator("#name").fill("Exam")
    page.locator("#kind").select_option("questions")
    page.locator("#name").press("Enter")
    page.locator("a[href$='/rounds/new/']").first.click()
    page.locator("#number").fill("2")
    page.locator("#model").fill("good")
    page.locator("#name").fill("First")
    page.locator("#base_url").fill(url)
    page.locator("button[name=do][value=save]").click()
    page.locator("button[name=do][value=run]").click()
    expect(page.locator("button[name=do][value=pause]")).to_be_visible()
    finish(EntryRound.objects.get())
    expect(page.locator("[data-proposed]")).to_have_text("4")
    page.locator("a[href*='state=proposed']").first.click()
    expect(page.locator("html[data-keys=ready]")).to_be_attached()
    page.locator("[data-choose-page]").check()
    expect(page.locator("[data-choose]:checked")).to_have_count(4)
    page.locator("[data-together] button[value=confirm]").click()
    expect(page.locator("[data-row]")).to_have_count(0)
    return Bank.objects.get()


def launched(page, axe):
    page.locator("[data-new-study]").click()
    expect(page).to_have_url(re.compile("/texts/"))
    page.wait_for_load_state()
    go(page, "instructions")
    write(page, "contact", "Rita, rita@example.org")
    launch(page)
    study = Study.objects.get()
    assert study.pay > 0
    return study


def graded_by_people(study, base, *, seed):
    how = {"workers": QUOTA, "spammers": 0.0, "seed": seed, "http": base}
    call_command("simulate", study.slug, **how)


def graded_by_a_model(page, there, url):
    page.goto(f"{there}machines/new/")
    page.locator("#name").fill("judge")
    page.locator("#model").fill("good")
    page.locator("#base_url").fill(url)
    page.locator("button[name=do][value=save]").click()
    page.locator("button[name=do][value=run]").click()
    expect(page.locator("button[name=do][value=pause]")).to_be_visible()
    judge = MachineJudge.objects.get()
    finish(judge)
    return judge


def finish(asker):
    """Send the calls as the Celery worker does, turn by turn."""
    while work_on(pk=asker.pk, askers=type(asker)):
        pass
