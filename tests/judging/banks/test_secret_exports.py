"""Planted words of a secret entry leave in no export, page or answer without an owner's choice."""

import gzip
import io
import re
import zipfile

import pytest
from django.core.management import call_command
from django.urls import get_resolver

from analysis.exports.catalogue import files_of, offered_tables
from analysis.exports.source import ExportSource
from analysis.runs import running
from annotation.corpora.formats.bank_files import FORMATS
from annotation.models import AuditEntry, Draft
from annotation.studies.drafts import making
from judging.banks import adding, deciding
from judging.banks.adding import NewEntry
from judging.banks.appending import Change
from judging.machines import preparing
from judging.models import BankEntry, Item, Judgment, MachineJudge
from judging.pages.banks import OVERSIGHT
from tests.cast import NOW
from tests.config.askers import client_of, person
from tests.config.test_odd_requests import patterns
from tests.judging.banks.cast import bank_of, entry
from tests.judging.banks.test_bank_studies import graded, study_of
from tests.judging.machines.cast import machine

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
PLANTED = "quokkas of Zanzibar"
REMARK = "numbats of Timbuktu"  # of raters on it, who may quote it
EARLIER = "the quokkas of Zanzibar"  # the wording that it replaced
OPEN = "Built by Eiffel"
PLACE = re.compile(r"<(?:\w+:)?(\w+)>")


@pytest.fixture
def study():
    bank = bank_of([OPEN], state="confirmed")
    bank_of_secret(bank)
    study = study_of(bank)
    for text in (OPEN, PLANTED):
        for name in ("Ann", "Ben"):
            graded(study, bank, text, "p1", 5, name=name)
        graded(study, bank, text, "p2", 1, kind="model", name="judge")
    Judgment.objects.filter(item__slots__criterion__key=secret_of(bank).key).update(comment=REMARK)
    judge = machine(study)
    preparing.prepare(judge=judge)
    judge.calls.update(state="failed", error="unparsed")
    judge.calls.filter(item__slots__criterion__key=secret_of(bank).key).update(raw=PLANTED)
    study.analysis = {"draws": 5}
    study.save()
    run = running.start(study=study, enqueue=print, pool="experts")
    while step := run.steps.filter(state="queued").first():
        running.perform(pk=step.pk, enqueue=print)
    return study


def bank_of_secret(bank):
    topic = bank.corpus.topics.order_by("pk").first()
    new = [NewEntry(topic, EARLIER)]
    adding.add_all(bank=bank, entries=new, state="confirmed", by=None, now=NOW)
    old = entry(bank, EARLIER)
    how = {"bank": bank, "by": None, "now": NOW}
    deciding.edit(entry=old.pk, shown=old.revision, text=PLANTED, **how)
    secret = entry(bank, PLANTED)
    deciding.decide(shown={secret.pk: secret.revision}, change=Change(secret=True), **how)


def secret_of(bank):
    return BankEntry.objects.get(bank=bank, text=PLANTED)


def bank(study):
    return study.instruments.get().bank


def unpacked(name, content):
    """Return the bytes of an answer, of all its files if it is an archive."""
    if name.endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return b"".join(unpacked(inner, archive.read(inner)) for inner in archive.namelist())
    return gzip.decompress(content) if name.endswith(".gz") else content


def content_of(answer, name=""):
    return unpacked(name, b"".join(answer) if answer.streaming else answer.content)


def export_names(study):
    source = ExportSource.of(study, pool="experts")
    names = [file.name for table in offered_tables(source) for file in files_of(source, table)]
    return ["export.zip", *names]


def exported(client, study, **chosen):
    """Return the bytes of every export of a study and its bank."""
    query = {"pool": "experts"} | chosen
    here = f"/studies/{study.slug}/1"
    texts = {}
    for name in export_names(study):
        for address in (f"{here}/export/{name}", f"/api{here}/exports/{name}"):
            answer = client.get(address, query)
            texts[address] = content_of(answer, name) if answer.status_code == 200 else b""
    towers = f"/api/corpora/{study.corpus.slug}/banks/{bank(study).pk}"
    for name in FORMATS:
        texts[name] = content_of(client.get(f"{towers}/file/", {"as": name} | chosen))
    texts["entries"] = content_of(client.get(f"{towers}/entries/", chosen))
    texts["document"] = content_of(client.get(f"/studies/{study.slug}/1/document.json", chosen))
    draft = making.make_draft(document=making.document_of(study), user=None, now=NOW, base=study)
    texts["draft"] = content_of(client.get(f"/drafts/{draft.pk}/document.json", chosen))
    return texts


def test_no_export_has_the_words_by_default(study):
    for role in ("owner", "researcher"):
        texts = exported(client_of(person(role, study)), study)
        assert [name for name, text in texts.items() if PLANTED.encode() in text] == []
        assert any(OPEN.encode() in text for text in texts.values())
        assert OPEN.encode() in texts["document"]
    assert not AuditEntry.objects.filter(act="exported secret entries").exists()


def test_an_owner_may_choose_them_and_the_log_says_so(study):
    texts = exported(client_of(person("owner", study)), study, secret="yes")
    chosen = {name.rpartition("/")[2] for name, text in texts.items() if PLANTED.encode() in text}
    assert {
        "export.zip",
        "rubric_bank.jsonl.gz",
        "entries",
        "document",
        "draft",
        *FORMATS,
    } <= chosen
    assert AuditEntry.objects.filter(act="exported secret entries").count() >= len(chosen)


def test_nobody_else_may_choose_them(study):
    client = client_of(person("researcher", study))
    towers = f"/api/corpora/{study.corpus.slug}/banks/{bank(study).pk}"
    for address in (
        f"/studies/{study.slug}/1/export/export.zip",
        f"/studies/{study.slug}/1/document.json",
        f"/api/studies/{study.slug}/1/exports/export.zip",
        f"{towers}/file/",
        f"{towers}/entries/",
    ):
        assert client.get(address, {"secret": "yes"}).status_code == 403, address


def test_the_page_of_exports_offers_owners_the_choice(study):
    address = f"/studies/{study.slug}/1/exports/"
    owner, other = (client_of(person(role, study)) for role in ("owner", "researcher"))
    assert 'data-secret="out"' in owner.get(address).content.decode()
    page = owner.get(address, {"secret": "yes"}).content.decode()
    assert 'data-secret="in"' in page
    assert re.search(r"export/export.zip\?[^\"]*secret=yes", page)
    assert "data-secret" not in other.get(address).content.decode()


def addresses(study, draft):
    """Return the address of every page and answer about the study, its corpus and its bank."""
    secret, old = (BankEntry.objects.get(text=text) for text in (PLANTED, EARLIER))
    item = Item.objects.filter(study=study, slots__criterion__key=secret.key).first()
    places = {"version": 1, "entry": secret.pk, "name": "export.zip", "section": "methods"}
    places |= {"screen": "page", "part": "responses", "kind": "jsonl"}
    judge = MachineJudge.objects.get(study=study)
    numbers = {"banks/": bank(study).pk, "drafts/": draft.pk, "items/": item.pk}
    numbers |= {"machines/": judge.pk}
    passage = item.slots.exclude(passage=None).get().passage_id
    of_bank, of_study = (
        f"/corpora/{study.corpus.slug}/banks/{bank(study).pk}",
        study.get_absolute_url(),
    )
    for revision in range(1, bank(study).revision + 1):
        yield f"/api{of_bank}/entries/?revision={revision}"
    yield f"{of_bank}/?state=all"
    yield f"{of_bank}/?q=Zanzibar&state=all"
    for one in (secret, old):
        yield f"{of_bank}/entries/{one.pk}/"
        yield f"{of_bank}/grid/cell/?entry={one.pk}&text=passage-{passage}"
    yield f"{of_bank}/grid/block/?topic={secret.topic_id}"
    yield f"{of_bank}/board/?before=1"
    for name in OVERSIGHT:
        yield f"{of_bank}/oversight/?list={name}"
    for number in range(1, study.items.count() + 1):
        yield f"{of_study}machines/{judge.pk}/?item={number}&error=unparsed"
    yield f"{of_study}items/?q=Zanzibar"
    for pattern in patterns(get_resolver()):
        names = PLACE.findall(pattern)
        number = next((pk for part, pk in numbers.items() if part in pattern), None)
        thing = study.slug if "studies/" in pattern else study.corpus.slug
        values = places | {"slug": thing, "pk": number, "item": item.pk}
        if names and all(values.get(name) for name in names):
            yield "/" + PLACE.sub(lambda place, of=values: str(of[place[1]]), pattern)


@pytest.mark.parametrize("role", ["viewer", "reviewer"])
def test_others_than_editors_read_the_words_nowhere(study, role):
    draft = making.make_draft(document=making.document_of(study), user=None, now=NOW, base=study)
    Draft.objects.filter(pk=draft.pk).update(team=study.team)
    client = client_of(person(role, study), raise_request_exception=False)
    read, leaks = 0, []
    for address in addresses(study, draft):
        answer = client.get(address)
        read += answer.status_code == 200
        content = content_of(answer).replace(b"?q=Zanzibar", b"")
        if answer.status_code == 200 and any(
            word.encode() in content for word in (PLANTED, REMARK)
        ):
            leaks.append(address)
    assert read > 40
    assert " ".join(leaks) == ""


def test_an_earlier_revision_gives_no_words_of_an_entry_that_is_secret_now(study):
    for role in ("owner", "researcher"):
        client = client_of(person(role, study))
        towers = f"/api/corpora/{study.corpus.slug}/banks/{bank(study).pk}"
        for revision in range(1, bank(study).revision + 1):
            texts = [
                client.get(f"{towers}/file/", {"as": name, "revision": revision})
                for name in FORMATS
            ]
            texts.append(client.get(f"{towers}/entries/", {"revision": revision}))
            texts.append(client.get(f"{towers}/assignments/", {"revision": revision}))
            assert all(answer.status_code == 200 for answer in texts)
            assert [answer for answer in texts if PLANTED.encode() in content_of(answer)] == []


def test_a_later_open_wording_keeps_the_secret_one_hidden(study):
    secret = entry(bank(study), PLANTED)
    how = {"bank": bank(study), "by": None, "now": NOW}
    new = deciding.edit(entry=secret.pk, shown=secret.revision, text="Wombats", **how)
    row = entry(bank(study), "Wombats")
    deciding.decide(shown={row.pk: row.revision}, change=Change(secret=False), **how)
    client = client_of(person("viewer", study))
    address = f"/corpora/{study.corpus.slug}/banks/{bank(study).pk}/entries/{new.pk}/"
    page = client.get(address).content.decode()
    assert "Wombats" in page
    assert PLANTED not in page


def test_commands_print_them_only_when_told(study, tmp_path, capsys):
    names = (study.corpus.slug, bank(study).name)
    for act, more in (("entries", ()), ("method", ()), ("export", ("--format=rubric",))):
        call_command("bank", names[0], act, names[1], *more)
        assert PLANTED not in capsys.readouterr().out
        call_command("bank", names[0], act, names[1], *more, "--secret")
        assert PLANTED in capsys.readouterr().out
    for more, has in (({}, False), ({"secret": True}, True)):
        out = tmp_path / str(has)
        call_command("export", study.slug, out=out, pool="experts", **more)
        files = [path for path in out.rglob("*") if path.is_file()]
        words = b"".join(unpacked(path.name, path.read_bytes()) for path in files)
        assert (PLANTED.encode() in words) is has
    assert entry(bank(study), PLANTED).secret
