"""Platform ids are deleted in one step, and data are erased on the day that was promised."""

from datetime import date, datetime, timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from annotation.fieldwork.consenting import erasing_expired, erasing_study_data
from annotation.fieldwork.consenting.erasing_study_data import CannotForget, StillOwed, forget
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning
from annotation.models import (
    Assignment,
    AuditEntry,
    Demographics,
    LedgerEntry,
    ReviewDecision,
    Worker,
)
from annotation.people.pseudonyms import (
    known_worker,
    revealed,
    worker_for,
)
from annotation.studies.setting_retention import PLATFORM_IDS, promise
from tests.annotation.fieldwork.consenting.test_erasing import written
from tests.cast import (
    HOUR,
    NOW,
    begun,
    bob,
    handed_in,
    prolific_id,
    proof,
    rita,
    small_corpus,
    small_study,
    writing_study,
)
from tests.coded_errors import command_ends
from tests.hooks import element, elements, outlined, values
from writing.models import PackedLog, ProcessRecord, Writing
from writing.process import measuring

pytestmark = pytest.mark.django_db


def closed(submission="first", **of_study):
    """Return a study on Prolific, closed, with Bob's accepted and unpaid-for work."""
    corpus = small_corpus(slug=of_study.get("slug", "lamps"))
    study = small_study(recruitment="prolific", corpus=corpus, **of_study)
    place = assigning.claim(
        study=study,
        worker=bob(),
        now=NOW,
        proof=proof("bob", submission=submission),
        external_id="a" * 24,
    )
    work = handed_in(assigning.begin(assignment=place, now=NOW))
    assert study.batches.get().state == "closed"
    return study, work


def ids_of(study):
    return forget(study=study, what=PLATFORM_IDS, now=NOW + HOUR)


def test_the_pseudonym_stays_and_matching_ends():
    study, work = closed()
    assert ids_of(study).n == 1
    person = Worker.objects.get(pseudonym="bob")
    with pytest.raises(LookupError, match="bob"):
        revealed(person)
    assert known_worker("prolific", prolific_id("bob")) is None
    again = worker_for(platform="prolific", external_id=prolific_id("bob"))
    assert again != person
    work.refresh_from_db()
    assert (work.submission, work.worker) == ("", person)
    assert work.session_hash not in ("", proof("bob").session)
    assert AuditEntry.objects.filter(act="erased platform IDs").exists()


def test_the_receipt_and_the_withdrawal_go_on_working(client):
    study, work = closed()
    ids_of(study)
    assert client.get(f"/w/{work.token}/receipt/").status_code == 200
    client.post(f"/w/{work.token}/withdraw/")
    work.refresh_from_db()
    assert work.state == "withdrawn"


def test_the_address_of_one_person_still_reaches_no_work_of_another():
    study = small_study(topics=2, items=1, cap=2, recruitment="prolific")
    mine = handed_in(begun(study, bob(), proof=proof("bob")))
    other = handed_in(begun(study, bob(), proof=proof("bob", submission="stolen")))
    ids_of(study)
    assigning.withdraw(assignment=Assignment.objects.get(pk=other.pk), now=NOW + HOUR)
    mine.refresh_from_db()
    assert mine.state == "submitted"


def test_who_takes_part_in_another_study_is_still_known_there():
    study, _ = closed()
    other, _ = closed(slug="other", submission="second")
    assert [*erasing_study_data.consequences(study)][-1].startswith(
        "1 person takes part in other studies"
    )
    done = ids_of(study)
    assert (done.n, done.shared) == (0, 1)
    assert known_worker("prolific", prolific_id("bob")) == bob()
    assert ids_of(other).n == 1
    assert known_worker("prolific", prolific_id("bob")) is None


def test_it_is_refused_while_people_are_at_work_or_owed_money():
    study = small_study(quota=2, pay=3, slug="open", corpus=small_corpus(slug="open"))
    with pytest.raises(CannotForget):
        ids_of(study)
    paid, work = closed(slug="paid", pay=3)
    reviewing.decide(
        assignment=work, decision=ReviewDecision.Decision.ACCEPT, reviewer="rita",
        reason="", now=NOW,
    )  # fmt: skip
    assert LedgerEntry.objects.filter(study=paid).exists()
    with pytest.raises(StillOwed, match=r"3\.00 USD"):
        ids_of(paid)
    with command_ends(StillOwed, match="--although-owed"):
        call_command("forget_platform_ids", "paid", "--yes")
    call_command("forget_platform_ids", "paid", "--yes", "--although-owed")
    assert known_worker("prolific", prolific_id("bob")) is None


def test_the_command_only_says_what_it_means_without_yes(capsys):
    study, _ = closed()
    call_command("forget_platform_ids", "lamps")
    out = capsys.readouterr().out
    assert all(sentence in out for sentence in erasing_study_data.consequences(study))
    assert known_worker("prolific", prolific_id("bob")) is not None


# -- By date -------------------------------------------------------------------------------------

LAST = date(2026, 3, 10)


def at(day):
    return datetime(2026, 3, day, 1, tzinfo=NOW.tzinfo)


def test_demographics_and_ids_are_erased_after_their_day():
    study, work = closed()
    Demographics.objects.create(assignment=work, said={"age": 34}, imported_at=NOW)
    promise(study=study, until={"demographics": LAST, "platform_ids": LAST}, user=rita())
    assert erasing_expired.sweep(now=at(10)) == 0
    assert erasing_expired.sweep(now=at(11)) == 2
    assert erasing_expired.sweep(now=at(11)) == 0
    assert not Demographics.objects.exists()
    assert known_worker("prolific", prolific_id("bob")) is None
    said = AuditEntry.objects.filter(act="erased demographic data").get().what
    assert said == "1 in all. Retention period ended."


def test_logs_go_and_texts_and_measures_stay(client):
    work = written()
    study = work.study
    promise(study=study, until={"logs": LAST}, user=None)
    assert erasing_expired.sweep(now=at(11)) == 1
    assert not PackedLog.objects.exists()
    assert Writing.objects.get().text
    assert ProcessRecord.objects.get().fault == ""
    ProcessRecord.objects.update(version=0)  # the measures change
    assert not measuring.outdated().exists()
    client.force_login(rita())
    page = client.get(f"/studies/{study.slug}/1/review/{work.pk}/")
    assert page.status_code == 200


def test_what_is_still_needed_waits_and_the_overview_says_so():
    study, _ = closed(pay=3)
    promise(study=study, until={"platform_ids": LAST}, user=None)
    assert erasing_expired.sweep(now=at(11)) == 0
    told = erasing_expired.tell_due(studies=[study])[study.pk]
    assert (told.is_bad, told.code) == (True, "erasure_late")
    assert outlined([told.sentence], "… platform IDs … 10 March 2026")


def test_it_is_announced_before():
    study, _ = closed()
    soon = timezone.now().date() + timedelta(days=3)
    promise(study=study, until={"platform_ids": soon}, user=None)
    told = erasing_expired.tell_due(studies=[study])[study.pk]
    assert told.code == "erasure_soon"
    assert "platform IDs" in told.sentence
    study.keeping.platform_ids_until = soon + timedelta(days=60)
    study.keeping.save()
    assert erasing_expired.tell_due(studies=[study]) == {}


def test_the_dates_are_said_before_anybody_agrees(client):
    study = small_study()
    assert "data-until" not in client.get(study.public_path).text
    promise(study=study, until={"platform_ids": date(2027, 3, 31)}, user=None)
    page = client.get(study.public_path).text
    assert values(page, "data-day") == ["2027-03-31"]
    text = element(page, "data-day").text
    assert page.index("data-how-long") < page.index(text) < page.index('name="agree"')
    token = client.post(study.public_path, {"agree": "yes"}).url.split("/")[2]
    assert text in client.get(f"/w/{token}/receipt/").text


def test_a_date_that_people_read_is_brought_forward_and_not_put_off(client):
    study, work = closed()
    client.force_login(rita())
    page = f"/studies/{study.slug}/1/recruit/data/"
    client.post(page, {"platform_ids": "2027-03-31"})
    assert values(client.get(f"/w/{work.token}/receipt/").text, "data-day") == ["2027-03-31"]
    for later in ("2027-04-30", ""):
        answer = client.post(page, {"platform_ids": later})
        assert answer.status_code == 422
        assert len(elements(answer.text, "data-fault")) == 1
    assert client.post(page, {"platform_ids": "soon"}).status_code == 422
    assert client.post(page, {"platform_ids": "2027-01-31"}).status_code == 302
    assert study.team.audit_entries.filter(act="set data retention").count() == 2


def test_the_page_asks_before_it_deletes_ids_that_money_needs(client):
    study, _ = closed(pay=3)
    client.force_login(rita())
    page = f"/studies/{study.slug}/1/recruit/data/ids/delete/"
    answer = client.post(page)
    assert answer.status_code == 409
    assert element(answer.text, "data-owed").attributes["role"] == "alert"
    client.post(page, {"although_owed": "yes"})
    assert known_worker("prolific", prolific_id("bob")) is None


def test_a_study_without_dates_keeps_everything():
    writing_study()
    assert erasing_expired.sweep(now=at(11)) == 0
