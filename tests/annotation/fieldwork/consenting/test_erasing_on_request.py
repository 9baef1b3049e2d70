"""An owner erases a participant's data on request, as the participant's own withdrawal would."""

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone

from annotation.fieldwork.consenting import erasing_participants
from annotation.fieldwork.work import assigning
from annotation.models import Assignment, AuditEntry, Consent, LedgerEntry, Role, Worker
from annotation.people.access import making_keys
from annotation.refusals import Refusal
from judging.models import Judgment
from tests.annotation.people.access.people import join, somebody
from tests.cast import (
    HOUR,
    NOW,
    begun,
    bob,
    charlie,
    handed_in,
    prolific_id,
    proof,
    rita,
    small_corpus,
    small_study,
)
from tests.coded_errors import command_ends
from tests.config.askers import client_of
from tests.refusals import refused

pytestmark = pytest.mark.django_db
WHY = "Asked by e-mail on 2 March."


def page_of(study, name="bob"):
    return f"/studies/{study.slug}/{study.version}/workers/{name}/erase/"


def worked(**of_study):
    """Return a study in which Bob handed in two tasks in two sessions, and Charlie one."""
    study = small_study(topics=2, items=1, cap=2, quota=2, recruitment="prolific", **of_study)
    first = handed_in(begun(study, bob(), proof=proof("bob")))
    second = handed_in(begun(study, bob(), proof=proof("bob", submission="second")))
    other = handed_in(begun(study, charlie(), proof=proof("charlie")))
    return study, [first, second], other


def state_after(works):
    rows = Assignment.objects.filter(pk__in=[work.pk for work in works]).order_by("pk")
    fields = ("state", "ended_at", "entry_answers", "exit_answers", "place")
    return {
        "works": list(rows.values_list(*fields)),
        "answers": Judgment.objects.filter(assignment__in=works).count(),
        "consents": list(Consent.objects.order_by("pk").values_list("withdrawn_at", flat=True)),
        "ledger": list(LedgerEntry.objects.order_by("pk").values_list("kind", "amount", "key")),
    }


def erase(study, **said):
    wanted = {"worker": bob(), "reason": WHY, "now": NOW + HOUR, "user": None} | said
    return erasing_participants.erase(study=study, **wanted)


def test_the_effect_is_that_of_the_participants_own_withdrawals():
    study, works, other = worked(pay=2)
    with transaction.atomic():
        for work in works:
            assigning.withdraw(assignment=work, now=NOW + HOUR)
        own = state_after(works)
        transaction.set_rollback(True)
    assert erase(study) == 2
    assert state_after(works) == own
    other.refresh_from_db()
    assert other.state == "submitted"


def test_the_preview_counts_what_is_erased_and_nothing_else():
    study, works, _ = worked()
    Assignment.objects.filter(pk=works[0].pk).update(exit_answers={"remarks": "Fine.", "age": 3})
    preview = erasing_participants.preview(study=study, worker=bob())
    answers = Judgment.objects.filter(assignment__in=works).count()
    counts = {"works": 2, "forms": 2, "answers": answers}
    assert dict(preview.counts) == {
        str(erasing_participants.NAMES[key]): number for key, number in counts.items()
    }
    assert (preview.undecided, preview.at_work, preview.elsewhere) == (2, False, [])
    assert Judgment.objects.filter(assignment__in=works).count() == answers
    erase(study)
    assert erasing_participants.preview(study=study, worker=bob()).counts == []


def test_the_audit_log_has_the_reason_and_the_person_who_erased():
    study, _, _ = worked()
    user = rita()
    erase(study, user=user, reason=f"  {WHY} ")
    entry = AuditEntry.objects.get(act="erased a participant's data")
    assert (entry.user, entry.team) == (user, study.team)
    assert entry.what == f"bob: 2 submissions. Reason: {WHY}"


@pytest.mark.parametrize("reason", ["", "  ", "x" * 301, "a\x00b"])
def test_nothing_is_erased_without_a_reason_that_can_be_kept(reason):
    study, works, _ = worked()
    with refused("bad_reason" if reason.strip() else "no_reason"):
        erase(study, reason=reason)
    assert Judgment.objects.filter(assignment__in=works).exists()
    assert not AuditEntry.objects.filter(act="erased a participant's data").exists()


def test_nothing_is_erased_if_the_preview_showed_something_else():
    study, _, _ = worked()
    with refused("changed"):
        erase(study, expected=1)
    assert erase(study, expected=2) == 2
    with refused("nothing"):
        erase(study)


def test_work_that_goes_on_ends_and_saves_nothing_more():
    study = small_study()
    work = begun(study, bob())
    assert erasing_participants.preview(study=study, worker=bob()).at_work
    erase(study)
    work.refresh_from_db()
    assert work.state == "withdrawn"
    assert study.batches.get().tasks.get().places.get().assignment is None


def test_other_versions_of_the_study_are_named():
    study, _, _ = worked()
    later = small_study(corpus=small_corpus(slug="more"), version=2, recruitment="prolific")
    handed_in(begun(later, bob(), proof=proof("bob", submission="third")))
    assert erasing_participants.preview(study=later, worker=bob()).elsewhere == [study]


def test_an_owner_sees_the_preview_and_erases(client):
    study, works, _ = worked()
    owner = somebody()
    join(owner, study, Role.OWNER)
    client.force_login(owner)
    worker_page = f"/studies/{study.slug}/1/workers/bob/"
    assert "data-erase" in client.get(worker_page).text
    page = client.get(page_of(study))
    assert page.context["preview"].works == 2
    assert "data-erased" in page.text
    assert client.post(page_of(study), {"reason": "", "expected": "2"}).status_code == 422
    assert client.post(page_of(study), {"reason": WHY, "expected": "1"}).status_code == 409
    done = client.post(page_of(study), {"reason": WHY, "expected": "2"})
    assert (done.status_code, done.url) == (302, worker_page)
    assert not Judgment.objects.filter(assignment__in=works).exists()
    assert client.post(page_of(study), {"reason": WHY, "expected": "2"}).status_code == 409
    assert client.get(page_of(study, "charlie2")).status_code == 404


def test_nobody_but_owners_may(client):
    study, _, _ = worked()
    for role in (Role.RESEARCHER, Role.REVIEWER, Role.VIEWER):
        member = somebody(role.value)
        join(member, study, role)
        asker = client_of(member)
        assert asker.get(page_of(study)).status_code == 403
        assert asker.post(page_of(study), {"reason": WHY}).status_code == 403
        assert "data-erase" not in asker.get(f"/studies/{study.slug}/1/workers/bob/").text
    assert client_of(somebody("stranger")).get(page_of(study)).status_code == 404
    assert not Assignment.objects.filter(state="withdrawn").exists()


def test_the_command_shows_first_and_finds_people_by_platform_id(capsys):
    study, works, _ = worked()
    call_command("erase_participant", study.slug, prolific_id("bob"))
    assert "Submissions: 2" in capsys.readouterr().out
    assert Judgment.objects.filter(assignment__in=works).exists()
    with command_ends(Refusal, match="reason"):
        call_command("erase_participant", study.slug, "bob", "--yes")
    call_command("erase_participant", study.slug, prolific_id("bob"), "--yes", "--reason", WHY)
    assert not Judgment.objects.filter(assignment__in=works).exists()
    for unknown in (("lamps", "dora"), ("nowhere", "bob")):
        with pytest.raises(CommandError):
            call_command("erase_participant", *unknown)


def test_a_program_needs_the_scope_and_an_owner(client):
    study, works, _ = worked()
    owner, researcher = somebody(), somebody("researcher")
    join(owner, study, Role.OWNER)
    join(researcher, study, Role.RESEARCHER)
    address = f"/api/studies/{study.slug}/1/workers/bob/erase/"

    def ask(user, scopes, **sent):
        _, secret = making_keys.make_key(user=user, name="k", scopes=scopes, now=timezone.now())
        headers = {"Authorization": f"Bearer {secret}"}
        if not sent:
            return client.get(address, headers=headers)
        return client.post(address, sent, content_type="application/json", headers=headers)

    assert ask(owner, ["run"]).status_code == 403
    assert ask(researcher, ["manage"]).status_code == 403
    answer = ask(owner, ["manage"]).json()
    assert answer["submissions"] == 2
    assert answer["erased"]["Submissions"] == 2
    assert ask(owner, ["manage"], reason="").status_code == 400
    assert ask(owner, ["manage"], reason=WHY, expected=7).status_code == 409
    assert ask(owner, ["manage"], reason=WHY, expected=2).json()["submissions"] == 0
    assert not Judgment.objects.filter(assignment__in=works).exists()
    entry = AuditEntry.objects.get(act="erased a participant's data")
    assert entry.user == owner


def test_the_participant_reads_that_it_is_erased(client):
    study, works, _ = worked()
    erase(study)
    page = client.get(f"/w/{works[0].token}/receipt/")
    assert page.context["receipt"].withdrawn_at
    assert page.context["receipt"].kept == []
    assert not page.context["receipt"].can_withdraw
    assert Worker.objects.filter(pseudonym="bob").exists()
