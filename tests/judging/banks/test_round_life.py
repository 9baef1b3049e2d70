"""A round of entries is deleted and restored, run by command and API, and e-mails its end."""

import json
import re

import pytest
from django.core.management import CommandError, call_command

from annotation.models import AccountSettings, AuditEntry, Membership, WorkNotice
from judging.banks import deciding, deleting_rounds
from judging.banks.appending import Change
from judging.banks.wording import SUBTOPIC
from judging.calls import running_rounds
from judging.calls.asking import BadAsker
from judging.calls.fake.running import FakeEndpoint
from judging.models import EntryCall, EntryRound
from judging.pages import round_api
from tests.cast import NOW, rita
from tests.coded_errors import raises
from tests.config.askers import client_of, person
from tests.judging.banks.cast import bank_of, entry, states
from tests.judging.banks.test_rounds import round_of, run

pytestmark = pytest.mark.django_db
HOW = {"by": None, "now": NOW}


@pytest.fixture
def bank():
    return bank_of([])


@pytest.fixture
def endpoint(settings):
    settings.MACHINE_ENDPOINTS_INSIDE = True
    with FakeEndpoint() as fake:
        yield fake


@pytest.fixture
def asked(bank, endpoint):
    return run(round_of(bank, endpoint.url, number=3))


def test_deletion_retires_what_waits_and_restoring_proposes_it_again(bank, asked):
    first, second, *_ = sorted(states(bank))
    for text, state in ((first, "confirmed"), (second, "retired")):
        row = entry(bank, text)
        deciding.decide(bank=bank, shown={row.pk: row.revision}, change=Change(state), **HOW)
    before, calls = states(bank), list(EntryCall.objects.order_by("pk").values())
    assert deleting_rounds.delete(round=asked, **HOW)
    after = states(bank)
    assert after == {text: "confirmed" if text == first else "retired" for text in before}
    assert list(EntryCall.objects.order_by("pk").values()) == calls
    deleting_rounds.restore(round=asked, **HOW)
    assert states(bank) == before
    asked.refresh_from_db()
    assert asked.state == EntryRound.State.PAUSED
    acts = AuditEntry.objects.filter(act__contains="a round of entries").order_by("pk")
    assert [act for act in acts.values_list("act", flat=True) if "set up" not in act][-2:] == [
        "deleted a round of entries", "restored a round of entries",
    ]  # fmt: skip


def test_a_deleted_round_is_not_run_or_made_again(bank, asked, endpoint):
    deleting_rounds.delete(round=asked, **HOW)
    for code, act in (
        ("deleted", lambda: running_rounds.run(round=asked, by=None)),
        ("deleted", lambda: running_rounds.retry(round=asked, error="", by=None)),
        ("already_deleted", lambda: deleting_rounds.delete(round=asked, **HOW)),
        ("name_of_deleted_round", lambda: round_of(bank, endpoint.url)),
    ):
        with raises(BadAsker, code):
            act()


def test_a_round_without_calls_is_deleted_for_good(bank):
    asked = round_of(bank, "http://127.0.0.1:9/v1")
    assert not deleting_rounds.delete(round=asked, **HOW)
    assert not EntryRound.objects.exists()
    with raises(BadAsker, "not_deleted"):
        deleting_rounds.restore(round=asked, **HOW)


def test_the_page_deletes_and_restores(bank, asked):
    client = client_of(rita())
    at = f"/corpora/{bank.corpus.slug}/banks/{bank.pk}/rounds/{asked.pk}/"
    assert 'value="delete"' in client.get(at).content.decode()
    client.post(f"{at}act/", {"do": "delete"})
    shown = client.get(at).content.decode()
    assert 'value="bring_back"' in shown
    assert 'value="delete"' not in shown
    client.post(f"{at}act/", {"do": "bring_back"})
    asked.refresh_from_db()
    assert asked.state == EntryRound.State.PAUSED


def test_a_copy_of_a_round_shows_its_subtopics(bank):
    asked = round_of(bank, "http://127.0.0.1:9/v1", ready=SUBTOPIC[bank.kind], subtopics=["a", "b"])
    here = f"/corpora/{bank.corpus.slug}/banks/{bank.pk}/rounds/new/?like={asked.pk}"
    page = client_of(rita()).get(here).content.decode()
    assert re.search(r'name="subtopics"[^>]*>\s*a\nb</textarea>', page)


def test_who_starts_a_round_gets_an_email_at_its_end(bank, settings, monkeypatch):
    monkeypatch.setattr("annotation.jobs.send_after_commit", lambda *_: None)
    settings.EMAIL_HOST = "mail.example.org"
    user = rita()
    user.email = "rita@example.org"
    user.save()
    client = client_of(user)
    AccountSettings.objects.update_or_create(user=user, defaults={"emails_when_done": True})
    asked = round_of(bank, "http://127.0.0.1:9/v1")
    client.post(
        f"/corpora/{bank.corpus.slug}/banks/{bank.pk}/rounds/{asked.pk}/act/", {"do": "run"}
    )
    notice = WorkNotice.objects.get()
    assert (notice.kind, notice.work) == ("entries", asked.pk)


# -- Command and API ---------------------------------------------------------------------------
def test_a_round_is_made_run_and_listed_by_command(bank, endpoint, capsys):
    slug = bank.corpus.slug
    call_command("bank", slug, "propose", "towers", "first", model="good", url=endpoint.url)
    assert set(states(bank).values()) == {"proposed"}
    capsys.readouterr()
    call_command("bank", slug, "rounds", "towers")
    (line,) = capsys.readouterr().out.splitlines()
    row = json.loads(line)
    assert (row["state"], row["added"], row["failed"]) == ("done", bank.entries.count(), 0)
    with pytest.raises(CommandError):
        call_command("bank", slug, "propose", "towers", "unknown")


def test_a_round_by_subtopic_is_made_by_command(bank, endpoint):
    subtopics = ["height", "builder"]
    call_command(
        "bank", bank.corpus.slug, "propose", "towers", "deep", model="good", url=endpoint.url,
        subtopic=subtopics, responses=1,
    )  # fmt: skip
    made = EntryRound.objects.get()
    assert (made.subtopics, made.responses, made.prompt.key) == (
        subtopics, 1, f"subtopic-{bank.kind}",
    )  # fmt: skip
    assert made.calls.filter(state="answered").count() == 2 * bank.corpus.topics.count()


def api(bank, more=""):
    return f"/api/corpora/{bank.corpus.slug}/banks/{bank.pk}/rounds/{more}"


def sent(client, address, **data):
    return client.post(address, data, content_type="application/json")


def test_a_round_is_made_and_read_by_api(bank, endpoint, monkeypatch):
    tasks = []
    monkeypatch.setattr(round_api.jobs, "send_after_commit", lambda task, pk: tasks.append(pk))
    client = client_of(rita())
    how = {"name": "first", "model": "good", "base_url": endpoint.url, "number": 3}
    how |= {"responses": 1, "subtopics": ["height"]}
    made = sent(client, api(bank), **how)
    assert made.status_code == 201
    assert tasks == [made.json()["id"]]
    assert (EntryRound.objects.get().subtopics, EntryRound.objects.get().responses) == (
        ["height"], 1,
    )  # fmt: skip
    run(EntryRound.objects.get())
    (row,) = client.get(api(bank)).json()
    assert (row["state"], row["added"]) == ("done", bank.entries.count())
    assert client.get(api(bank, f"{row['id']}/")).json() == row
    assert sent(client, api(bank), **how).status_code == 400
    for do, state in (("delete", "withdrawn"), ("restore", "paused"), ("run", "running")):
        assert sent(client, api(bank, f"{row['id']}/"), do=do).json()["state"] == state
    assert sent(client, api(bank, f"{row['id']}/"), do="run").status_code == 409


def test_only_those_who_run_studies_start_rounds(bank):
    client = client_of(viewer(bank))
    assert client.get(api(bank)).status_code == 200
    assert (
        sent(client, api(bank), name="x", model="m", base_url="https://a.example").status_code
        == 403
    )


def viewer(bank):
    user = person("viewer")
    Membership.objects.create(team=bank.team, user=user, role="viewer")
    return user
