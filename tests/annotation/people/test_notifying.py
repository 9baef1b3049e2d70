"""E-mails at the end of long work: who gets one, when, and that it is sent once."""

from datetime import timedelta
from smtplib import SMTPException

import pytest
from django.core import mail
from django.utils import timezone

from analysis import tasks as analysis_tasks
from analysis.models import AnalysisRun, AnalysisStep
from annotation.models import AccountSettings, CorpusUpload, WorkNotice
from annotation.people import mailing, notifying
from annotation.people.notifying import STOPPED, WorkEnd
from annotation.tasks import clear
from judging import tasks as judging_tasks
from judging.machines.preparing import prepare
from judging.models import MachineJudge
from tests.analysis.runs.polls import analysed, poll
from tests.annotation.corpora.uploads.cast import GOOD, checked, uploaded
from tests.cast import rita, small_study
from tests.hooks import elements
from tests.judging.machines.cast import machine

pytestmark = [pytest.mark.django_db]
NOW = timezone.now()
MINUTES = timedelta(minutes=1)
Kind = WorkNotice.Kind


@pytest.fixture(autouse=True)
def post_office(settings):
    settings.EMAIL_HOST = "smtp.example.org"
    settings.PUBLIC_URL = "https://lamps.example.org"


@pytest.fixture
def person():
    user = rita()
    user.email = "rita@example.org"
    user.save()
    AccountSettings.objects.create(user=user, emails_when_done=True)
    return user


def expect(person, kind=Kind.ANALYSIS, work=1, title="Lamps", **more):
    notifying.expect(
        user=person, kind=kind, work=work, title=title, path="/there/", **{"now": NOW} | more
    )


def follow(end, now=NOW + 5 * MINUTES):
    notifying.follow(kind=Kind.ANALYSIS, end_of=lambda work: end, now=now)


def test_long_work_sends_one_letter(person):
    expect(person)
    follow(None)
    assert not mail.outbox
    for _ in range(2):
        follow(WorkEnd(NOW + 2 * MINUTES))
    (letter,) = mail.outbox
    assert letter.to == ["rita@example.org"]
    assert "https://lamps.example.org/there/" in letter.body
    assert "Lamps" in letter.subject
    assert not WorkNotice.objects.exists()


@pytest.mark.parametrize("end", [WorkEnd(NOW + 0.9 * MINUTES), WorkEnd(NOW - MINUTES), STOPPED])
def test_short_or_stopped_work_sends_none(person, end):
    expect(person)
    follow(end)
    assert not mail.outbox
    assert not WorkNotice.objects.exists()


@pytest.mark.parametrize("lacks", ["setting", "address", "server"])
def test_nobody_gets_a_letter_who_did_not_ask(person, lacks, settings):
    if lacks == "setting":
        AccountSettings.objects.update(emails_when_done=False)
    elif lacks == "address":
        person.email = ""
    else:
        settings.EMAIL_HOST = ""
    expect(person)
    assert not WorkNotice.objects.exists()


def test_a_letter_that_cannot_be_sent_is_tried_again_later(person, monkeypatch):
    expect(person)
    tries = []

    def refuse(*args, **kwargs):
        tries.append(args)
        raise SMTPException

    monkeypatch.setattr(mailing, "send_mail", refuse)
    end = WorkEnd(NOW + 2 * MINUTES)
    for minutes in (5, 6, 20):
        follow(end, NOW + minutes * MINUTES)
    assert len(tries) == 2  # not at once
    follow(end, NOW + timedelta(days=8))
    assert len(tries) == 2
    assert not WorkNotice.objects.exists()


def test_a_title_cannot_add_headers(person):
    expect(person, title="Lamps\r\nBcc: all@example.org")
    follow(WorkEnd(NOW + 2 * MINUTES))
    (letter,) = mail.outbox
    assert letter.recipients() == ["rita@example.org"]
    assert "\n" not in letter.subject


def test_the_end_of_an_upload_is_found(person):
    upload = uploaded(GOOD)
    expect(person, Kind.UPLOAD, upload.pk)
    CorpusUpload.objects.update(state="checking")
    clear()
    assert WorkNotice.objects.exists()
    CorpusUpload.objects.update(state="open")
    checked(upload)
    CorpusUpload.objects.update(changed_at=timezone.now() + 2 * MINUTES)  # since it was asked for
    clear()
    assert len(mail.outbox) == 1


def test_the_end_of_an_analysis_is_found(person):
    study = poll()
    analysed(study)
    expect(person, work=study.pk)
    AnalysisRun.objects.update(state="running", finished_at=None)
    AnalysisStep.objects.update(state="running", touched_at=timezone.now())
    analysis_tasks.sweep()
    assert WorkNotice.objects.exists()
    AnalysisRun.objects.update(state="done", finished_at=NOW + 2 * MINUTES)
    analysis_tasks.sweep()
    assert len(mail.outbox) == 1


@pytest.mark.parametrize(
    ("state", "reason", "letters"), [("done", "", 1), ("paused", "No money.", 1), ("paused", "", 0)]
)
def test_the_end_of_a_judge_is_found(person, state, reason, letters):
    judge = machine(small_study(responses=4))
    prepare(judge=judge)
    expect(person, Kind.JUDGE, judge.pk)
    judge.calls.update(answered_at=NOW + 2 * MINUTES)
    MachineJudge.objects.update(state=state, said=reason)
    judging_tasks.resume_judges()
    assert len(mail.outbox) == letters
    assert not WorkNotice.objects.exists()


def test_the_account_page_sets_it(client, person, settings):
    client.force_login(person)
    sent = {"email": person.email, "introduction": "", "emails_when_done": "on"}
    AccountSettings.objects.all().delete()
    client.post("/account/", sent)
    assert AccountSettings.objects.get().emails_when_done
    client.post("/account/", {"email": person.email})  # a part of the form changes nothing else
    assert AccountSettings.objects.get().emails_when_done
    client.post("/account/", {"email": person.email, "introduction": ""})
    assert not AccountSettings.objects.get().emails_when_done
    settings.EMAIL_HOST = ""
    assert not elements(client.get("/account/").text, "name", "emails_when_done")
