"""The receipt of a consent: it works as long as the study is there, and tells what is kept."""

import re

import pytest

from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.ownership import proof_of
from tests.cast import (
    NOW,
    answer_all,
    begun,
    bob,
    proof,
    small_study,
    submitted,
    writing_study,
)
from tests.hooks import element, values
from writing.editor import drafting

pytestmark = pytest.mark.django_db


def receipt(client, assignment):
    response = client.get(f"/w/{assignment.token}/receipt/")
    assert response.status_code == 200
    return response.content.decode()


def test_it_says_what_was_agreed_to_and_what_is_kept(client):
    work = submitted(small_study(), bob())
    page = receipt(client, work)
    assert "You may stop at any time." in page
    assert "2 March 2026" in page
    assert element(page, "data-kept").numbers == [1]
    assert f"/w/{work.token}/withdraw/" in page
    assert f"/w/{work.token}/receipt/" in page


def test_it_works_after_the_study_is_closed_and_after_a_withdrawal(client):
    study = small_study()
    work = submitted(study, bob())
    assert study.batches.get().state == "closed"  # it was full
    assert element(receipt(client, work), "data-kept").numbers == [1]
    client.post(f"/w/{work.token}/withdraw/")
    page = receipt(client, work)
    assert values(page, "data-kept") == ["nothing"]
    assert "data-withdrawn" in page
    assert f"/w/{work.token}/withdraw/" not in page


def test_it_is_offered_when_somebody_consents_and_at_the_end(client):
    study = small_study()
    work = begun(study, bob())
    for path in ("instructions", "done"):
        page = client.get(f"/w/{work.token}/{path}/").content.decode()
        assert f'data-copy-address="/w/{work.token}/receipt/"' in page
        if path == "instructions":
            answer_all(work)
            assigning.submit(assignment=work, now=NOW)


def test_it_counts_texts_and_records(client):
    work = begun(writing_study(), bob())
    drafting.acknowledge(assignment=work, now=NOW, answers={})
    assert values(receipt(client, work), "data-kept") == ["nothing"]


def test_it_shows_nothing_of_what_somebody_else_did_under_the_same_name(client):
    study = small_study(topics=2, items=1, cap=2, recruitment="prolific")
    mine = begun(study, bob(), proof=proof("bob"))
    answer_all(mine)
    assigning.submit(assignment=mine, now=NOW)
    other = begun(study, bob(), proof=proof("bob", submission="stolen"))
    page = receipt(client, other)
    assert element(page, "data-kept").numbers == []


def test_a_forged_address_shows_nothing(client):
    work = submitted(small_study(), bob())
    forged = work.token[:-1] + ("a" if work.token[-1] != "a" else "b")
    assert client.get(f"/w/{forged}/receipt/").status_code == 404
    assert client.post(f"/w/{forged}/withdraw/").status_code == 404
    work.refresh_from_db()
    assert work.state == "submitted"


def test_who_did_not_agree_is_told_so(client):
    study = small_study()
    place = assigning.claim(study=study, worker=bob(), now=NOW)
    assert "data-not-agreed" in receipt(client, place)


def test_it_is_in_the_language_of_the_study(client):
    work = begun(small_study(language="de"), bob())
    assert "Der Beleg Ihrer Einwilligung" in receipt(client, work)


def test_the_browser_forgets_every_work_that_a_withdrawal_reached_and_no_other(client):
    study = small_study(topics=3, items=1, cap=3, recruitment="prolific")
    mine = []
    for browser in ("ours", "ours", "other"):
        session = f"{len(mine)} of bob"
        shown = proof_of(platform="prolific", submission=session, browser=browser)
        mine.append(begun(study, bob(), proof=shown))
        answer_all(mine[-1])
        assigning.submit(assignment=mine[-1], now=NOW)
    first, second, _ = (work.token for work in mine)
    assert f'data-forget="{first}"' in client.get(f"/w/{first}/done/").content.decode()
    client.post(f"/w/{first}/withdraw/")
    assert f'data-forget="{first} {second}"' in client.get(f"/w/{first}/done/").content.decode()


def test_what_is_recorded_is_said_before_anybody_agrees_and_in_the_same_words(client):
    study = writing_study(of_corpus="letters")
    consent = recorded(client.get(study.public_path).text)
    token = client.post(study.public_path, {"agree": "yes"}).url.split("/")[2]
    assert len(consent) == 10  # two headings with five and three entries
    assert consent == recorded(client.get(f"/w/{token}/writing/entry/").text)
    assert consent == recorded(client.get(f"/w/{token}/receipt/").text)
    assert "data-recording-notice" not in client.get(small_study().public_path).text


def recorded(page):
    """Return the lists of recorded data; before writing, they follow a summary sentence."""
    part = re.search(r"<section [^>]*data-recording-notice.*?</section>", page, re.DOTALL)[0]
    return re.findall(r"<h3[^>]*>(.*?)</h3>|<li>(.*?)</li>", part)
