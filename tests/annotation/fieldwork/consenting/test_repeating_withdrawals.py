"""The journal of withdrawals: what it has, and what is withdrawn again after a restore."""

from datetime import UTC, datetime

import pytest
from django.utils import timezone

from annotation.fieldwork.consenting import repeating_withdrawals
from annotation.fieldwork.work import assigning, withdrawal_journal
from annotation.models import Assignment
from config import health
from judging.models import Judgment
from tests.cast import answer_all, begun, bob, charlie, small_study

pytestmark = pytest.mark.django_db
State = Assignment.State
THEN = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def folder(settings, tmp_path):
    settings.UPLOADS_DIR = tmp_path
    return tmp_path


def journal() -> list[tuple[datetime, str]]:
    return list(withdrawal_journal.noted())


def test_a_withdrawal_is_noted_once_and_only_after_its_commit(django_capture_on_commit_callbacks):
    work = begun(small_study(), bob())
    with django_capture_on_commit_callbacks(execute=True):
        assigning.withdraw(assignment=work, now=THEN)
        assert journal() == []
    assert journal() == [(THEN, work.token_hash)]
    with django_capture_on_commit_callbacks(execute=True):
        assigning.withdraw(assignment=work, now=THEN)
    assert len(journal()) == 1


def test_the_file_is_private_and_has_no_address(folder):
    work = begun(small_study(), bob())
    withdrawal_journal.note(THEN, [work.token_hash])
    assert withdrawal_journal.path().stat().st_mode & 0o777 == 0o600
    assert work.token not in withdrawal_journal.path().read_text()


def test_work_of_the_journal_is_withdrawn_again_at_its_time():
    study = small_study(quota=2)
    mine, other = begun(study, bob()), begun(study, charlie())
    answer_all(mine)
    answer_all(other)
    withdrawal_journal.note(THEN, ["0" * 64, mine.token_hash])
    assert [repeating_withdrawals.repeat() for _ in range(2)] == [1, 0]
    mine.refresh_from_db()
    other.refresh_from_db()
    assert (mine.state, mine.ended_at) == (State.WITHDRAWN, THEN)
    assert other.state == State.ACTIVE
    assert {judgment.rater.worker for judgment in Judgment.objects.all()} == {charlie()}


@pytest.mark.parametrize("cut", ["", "2026-03", "2026-03-02T10:00:00+00:00 0a1b"])
def test_a_line_that_was_cut_off_is_skipped(cut):
    withdrawal_journal.path().write_text(cut)
    withdrawal_journal.note(THEN, ["a" * 64])
    assert journal() == [(THEN, "a" * 64)]


def test_withdrawals_that_the_disk_refused_follow_when_it_takes_them(
    folder, settings, django_capture_on_commit_callbacks
):
    study = small_study(quota=2)
    works = [begun(study, bob()), begun(study, charlie())]
    settings.UPLOADS_DIR = folder / "away"
    for work in works:
        with django_capture_on_commit_callbacks(execute=True):
            assigning.withdraw(assignment=work, now=timezone.now())
        assert Assignment.objects.get(pk=work.pk).state == State.WITHDRAWN
    assert not health.journal().is_ok
    withdrawal_journal.catch_up()
    assert not health.journal().is_ok
    settings.UPLOADS_DIR = folder
    withdrawal_journal.catch_up()
    assert health.journal().is_ok
    assert {token_hash for _, token_hash in journal()} == {work.token_hash for work in works}


def test_without_a_journal_nothing_is_repeated():
    assert repeating_withdrawals.repeat() == 0
