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
from judging.banks import adding
from judging.banks.adding import NewEntry
from judging.models import BankEntry, Item
from tests.cast import NOW
from tests.config.askers import client_of, person
from tests.config.test_odd_requests import patterns
from tests.judging.banks.cast import bank_of, entry
from tests.judging.banks.test_bank_studies import graded, study_of

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
PLANTED = "quokkas of Zanzibar"
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
    study.analysis = {"draws": 5}
    study.save()
    run = running.start(study=study, enqueue=print, pool="experts")
    while step := run.steps.filter(state="queued").first():
        running.perform(pk=step.pk, enqueue=print)
    return study


def bank_of_secret(bank):
    topic = bank.corpus.topics.order_by("pk").first()
    new = [NewEntry(topic, PLANTED, secret=True)]
    adding.add_all(bank=bank, entries=new, state="confirmed", by=None, now=NOW)


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
    assert {"export.zip", "rubric_bank.jsonl.gz", "entries", "document", *FORMATS} <= chosen
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
    secret = BankEntry.objects.get(text=PLANTED)
    item = Item.objects.filter(study=study, slots__criterion__key=secret.key).first()
    places = {"version": 1, "entry": secret.pk, "name": "export.zip", "section": "methods"}
    numbers = {"banks/": bank(study).pk, "drafts/": draft.pk, "items/": item.pk}
    for pattern in patterns(get_resolver()):
        names = PLACE.findall(pattern)
        number = next((pk for part, pk in numbers.items() if part in pattern), None)
        thing = study.slug if "studies/" in pattern else study.corpus.slug
        values = places | {"slug": thing, "pk": number, "item": item.pk}
        if names and all(values.get(name) for name in names):
            yield "/" + PLACE.sub(lambda place, of=values: str(of[place[1]]), pattern)


def test_viewers_read_the_words_nowhere(study):
    draft = making.make_draft(document=making.document_of(study), user=None, now=NOW, base=study)
    Draft.objects.filter(pk=draft.pk).update(team=study.team)
    client = client_of(person("viewer", study), raise_request_exception=False)
    read, leaks = 0, []
    for address in addresses(study, draft):
        answer = client.get(address)
        read += answer.status_code == 200
        if answer.status_code == 200 and PLANTED.encode() in content_of(answer):
            leaks.append(address)
    assert read > 20
    assert " ".join(leaks) == ""


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
