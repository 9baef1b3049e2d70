"""Every page of the console and of participants, looked at by axe on a desk and on a phone."""

import re
from collections import deque
from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

import pytest
from django.urls import Resolver404, resolve
from playwright.sync_api import expect

from annotation.models import Study
from annotation.studies.drafts import making
from benchmarks.console_pages import LEFT_OUT, LINK, SAME, wanted
from judging.instruments.files import available, load
from tests.analysis.pages.banks.cast import bank_with, grade, study_of
from tests.analysis.runs.polls import analysed, poll
from tests.cast import (
    NOW,
    begun,
    bob,
    charlie,
    draft_study,
    handed_in,
    open_study,
    rita,
    writing_study,
)
from tests.journeys.writer import DESK, begin, editor, lamps_study, saved
from tests.judging.instruments.test_every_instrument import corpus

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PHONE = {"width": 390, "height": 844}
HELD = "scrollTo(0, document.documentElement.scrollHeight)"  # then a dock covers nothing
LEAST_PAGES = 80
NUGGETS = {"t1": {"tower": "vital", "iron": "okay"}}
ANY = (*SAME, "slug", "version")  # what pages of a kind differ in
PARTICIPANT = ("", "instructions/", "return/", "withdraw/", "receipt/", "done/")
OPEN = ("login/", "forgotten/", "s/lamps/", "nothing-here/")
METHOD_BY_KIND = {load(name).item_kind: name for name in available()}


@pytest.fixture
def world(settings):
    """Return a researcher and first paths: an analysed study, its draft, a bank with grades."""
    from analysis.analyses.catalogue import CATALOGUE

    settings.ANALYSES = {name: CATALOGUE[name] for name in ("agreement", "means")}
    study = poll({"dora": "abn", "emil": "naa"}, analysis={"draws": 50})
    analysed(study)
    bank = bank_with(NUGGETS, ["x", "y"], slug="monuments")
    grade(study_of(bank), lambda system, topic, text: 1.0 if system == "x" else 0.5)
    researcher = rita()
    draft = making.make_version(study=study, user=researcher, now=NOW)
    return researcher, ["/", draft.get_absolute_url()]


def console_paths(client, starts: list[str]) -> Iterator[str]:
    """Yield a path of each kind of page, found by links."""
    waiting, seen, kinds = deque(starts), set(starts), set()
    asked = wanted() | {name for name in LEFT_OUT if name.startswith("corpus_bank")}
    while waiting:
        path = waiting.popleft()
        try:
            match = resolve(urlsplit(path).path)
        except Resolver404:
            continue
        named = {key: value for key, value in match.kwargs.items() if key not in ANY}
        kind = (match.view_name, *named.values())
        if match.view_name not in asked or kind in kinds:
            continue
        answer = client.get(path)
        if answer.status_code != 200 or answer.streaming or "<main" not in answer.text:
            continue
        kinds.add(kind)
        yield path
        for link in LINK.findall(answer.text):
            there = urljoin(path, link.replace("&amp;", "&")).split("#")[0]
            if there.startswith("/") and there not in seen:
                seen.add(there)
                waiting.append(there)


def participant_paths() -> Iterator[str]:
    """Yield the pages of a writer, and of judges who are at work and who are done."""
    study = Study.objects.get(slug="lamps")
    letters = writing_study(of_corpus="sources")
    works = [begun(letters, bob()), begun(study, bob()), begun(study, charlie())]
    handed_in(works[-1])
    yield from (f"/{path}" for path in OPEN)
    yield from (f"/w/{work.token}/{path}" for work in works for path in PARTICIPANT)


def test_no_page_has_a_fault_at_either_width(page, live_server, client, axe, world):
    researcher, starts = world
    client.force_login(researcher)
    cookie = client.cookies["sessionid"].value
    paths = list(console_paths(client, starts))
    faults, shown = {}, {}

    def look(paths):
        for path in paths:
            answer = page.goto(f"{live_server.url}{path}")
            shown[path] = answer.status, page.url
            for size in (DESK, PHONE):
                page.set_viewport_size(size)
                page.evaluate(HELD)
                faults[path, size["width"]] = axe(page)

    look(participant_paths())
    page.context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    look(paths)
    assert len(paths) >= LEAST_PAGES
    for path in paths:  # not a page to sign in, nor a failure
        assert shown[path] == (200, f"{live_server.url}{path}")
    assert not {place: found for place, found in faults.items() if found}


@pytest.mark.parametrize("kind", METHOD_BY_KIND)
def test_no_judging_page_has_a_fault_before_and_after_an_answer(page, live_server, axe, kind):
    study = open_study(draft_study(instrument=METHOD_BY_KIND[kind], corpus=corpus()), items=1)
    work = begun(study, bob())
    page.goto(f"{live_server.url}/w/{work.token}/judging/1/")
    expect(page.locator(f".item-{kind}")).to_be_visible()
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        assert axe(page) == []
        page.locator("[data-answer]").first.check(force=True)
        assert axe(page) == []


def test_an_editor_with_text_has_no_fault(page, live_server, axe):
    lamps_study()
    begin(page, f"{live_server.url}/s/lamps/", axe)
    page.keyboard.type("Gas lit the first lamps [0]. Their makers are unknown [9].")
    expect(page.locator("[data-faults] button")).to_have_count(1)
    saved(page)
    for size in (DESK, PHONE):
        page.set_viewport_size(size)
        assert axe(page) == []
    page.locator("[data-passages-open]").click()
    expect(page.locator("[data-passages-list]")).to_be_visible()
    assert axe(page) == []
    expect(editor(page)).to_have_value(re.compile(r"\[9\]"))
