"""Files with several raters, their times, and our own exports on their way back."""

import csv
import json
from datetime import UTC, datetime
from io import StringIO

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from analysis.exports.exporting import stream
from analysis.exports.source import ExportSource
from annotation.models import Response
from judging.labels.importing import LabelsRefused
from judging.labels.importing_files import LabelFile, bring_labels
from judging.labels.lookup import UnfitLabel
from judging.labels.moments import moment_of
from judging.labels.rubric import Grader
from judging.models import Judgment, Rater
from judging.raters.pools import Pool, offered
from judging.raters.registering import BadRater, register
from tests.cast import HOUR, NOW, PREFERENCE, alice, bob, rita, small_corpus, small_study, submitted
from tests.coded_errors import raises
from tests.judging.labels.test_importing import relevance_study

DATABASE = [pytest.mark.django_db, pytest.mark.storage]
CODES = [option.code for option in PREFERENCE.options]


@pytest.fixture
def bring(tmp_path):
    """Import a text as a file of several raters."""

    def run(study, text, name="labels.csv", kind="named", now=NOW, **how):
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        grader = how.pop("grader", None) or Grader("", kind)
        brought = bring_labels(
            study=study, file=LabelFile(path), grader=grader, by=None, now=now, **how
        )
        return {rater.name: report for rater, report in brought.reports}

    return run


def counted(reports):
    """Return the sums of added, changed and unchanged labels."""
    rows = [(report.added, report.changed, report.unchanged) for report in reports.values()]
    return tuple(map(sum, zip(*rows, strict=True)))


def exported(study, name):
    return b"".join(stream(source=ExportSource.of(study), name=name))


# -- Times --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-02T09:00:00Z", datetime(2026, 3, 2, 9, tzinfo=UTC)),
        ("2026-03-02T09:00:00.250+00:00", datetime(2026, 3, 2, 9, 0, 0, 250_000, tzinfo=UTC)),
        ("2026-03-02T09:00:00-05:00", datetime(2026, 3, 2, 14, tzinfo=UTC)),
        ("2026-03-02 09:00", datetime(2026, 3, 2, 9, tzinfo=UTC)),
        ("2026-03-02", datetime(2026, 3, 2, tzinfo=UTC)),
        ("1772442000", datetime(2026, 3, 2, 9, tzinfo=UTC)),
        ("1772442000.5", datetime(2026, 3, 2, 9, 0, 0, 500_000, tzinfo=UTC)),
        ("1772442000000", datetime(2026, 3, 2, 9, tzinfo=UTC)),
        ("", None),
    ],
)
def test_a_time_is_read_in_utc_unless_it_names_a_zone(text, moment):
    assert moment_of("answered_at", text) == moment


@pytest.mark.parametrize(
    "text", ["yesterday", "2026-13-01", "nan" * 3, "1e300", "-99999999999", "0001-01-01", "12"]
)
def test_what_is_no_time_is_refused(text):
    with pytest.raises(UnfitLabel):
        moment_of("answered_at", text)


# -- Several raters -----------------------------------------------------------------------------


@pytest.mark.django_db
def test_each_rater_of_a_file_gets_their_labels_and_times(bring):
    study = small_study(responses=3)
    first, second, _ = study.items.order_by("key")
    text = (
        "item,value,rater,kind,timestamp\n"
        f"{first.key},a,Ann,expert,2026-03-02T09:00:00Z\n"
        f"{second.key},tie,Ann,Expert,\n"
        f"{first.key},B,gpt-4o,model,1772442000\n"
        f"{first.key},left,A3XB,crowd,\n"
    )
    assert counted(bring(study, text)) == (4, 0, 0)
    raters = {rater.name: rater for rater in Rater.objects.all()}
    kinds = {name: rater.kind for name, rater in raters.items()}
    assert kinds == {"Ann": "expert", "gpt-4o": "model", "A3XB": "crowd"}
    assert raters["A3XB"].pseudonym.startswith("crowd-")
    times = dict(Judgment.objects.filter(item=first).values_list("rater__name", "answered_at"))
    nine = datetime(2026, 3, 2, 9, tzinfo=UTC)
    assert times == {"Ann": nine, "gpt-4o": nine, "A3XB": NOW}
    assert counted(bring(study, text, now=NOW + HOUR)) == (0, 0, 4)


@pytest.mark.django_db
def test_an_imported_crowd_is_a_pool_of_its_own_and_never_among_people(bring):
    study = small_study(responses=3)
    submitted(study, bob())
    item = study.items.order_by("key").first()
    bring(study, f"item,value,worker\n{item.key},a,w-0123456789ab\n{item.key},b,w2\n", kind="crowd")
    assert {rater.kind for rater in Rater.objects.filter(worker=None)} == {"crowd"}

    def raters(pool):
        return set(Pool(pool).judgments(study=study).values_list("rater__name", flat=True))

    assert raters("imported-crowd") == {"w-0123456789ab", "w2"}
    assert raters("people") == raters("crowd") == {"worker bob"}
    assert "imported-crowd" in [pool.name for pool in offered(study)]
    pseudonyms = set(Rater.objects.filter(worker=None).values_list("pseudonym", flat=True))
    assert not pseudonyms & {"w-0123456789ab", "w2"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "field"),
    [
        ("item,value\n{key},a\n", "rater"),
        ("item,value,rater,kind\n{key},a,Ann,robot\n", "kind"),
        ("item,value,rater\n{key},a,Ann\n{key},q,Ben\n", "value"),
        ("item,value,rater,time\n{key},a,Ann,soon\n", "time"),
    ],
)
def test_a_fault_of_one_rater_refuses_the_file(bring, text, field):
    study = small_study(responses=3)
    key = study.items.first().key
    with pytest.raises(LabelsRefused) as refused:
        bring(study, text.replace("{key}", key))
    (bad,) = refused.value.report.bad_lines
    assert bad.field == field.replace("time", "answered_at")
    assert not Judgment.objects.exists()
    assert not Rater.objects.exists()


@pytest.mark.django_db
def test_a_rater_of_another_kind_is_refused(bring):
    study = small_study(responses=3)
    register(name="Ann", kind="expert", team=study.team)
    with raises(BadRater, "other_kind"):
        bring(study, f"item,value,rater\n{study.items.first().key},a,Ann\n", kind="crowd")


@pytest.mark.django_db
def test_a_file_of_too_many_raters_is_refused(bring, monkeypatch):
    monkeypatch.setattr("judging.labels.named_raters.MOST_RATERS", 1)
    study = small_study(responses=3)
    key = study.items.first().key
    with pytest.raises(LabelsRefused):
        bring(study, f"item,value,rater\n{key},a,Ann\n{key},b,Ben\n")


@pytest.mark.django_db
def test_the_page_and_the_command_take_a_crowd(client, tmp_path, capsys):
    client.force_login(rita())
    study = small_study(responses=3)
    text = f"item,value,worker\n{study.items.first().key},a,A1\n"
    url = reverse("bring_labels", args=[study.slug, study.version])
    file = SimpleUploadedFile("crowd.csv", text.encode())
    upload = client.post(url, {"file": file}).url
    client.post(upload, {"act": "import", "kind": "crowd", "name": ""})
    assert Judgment.objects.count() == 1
    (tmp_path / "crowd.csv").write_text(text)
    call_command("import_labels", study.slug, str(tmp_path / "crowd.csv"), "--kind=crowd")
    assert "0 added, 0 changed, 1 unchanged" in capsys.readouterr().out
    with pytest.raises(CommandError):
        call_command("import_labels", study.slug, str(tmp_path / "crowd.csv"), "--kind=expert")


# -- Pairs of systems ---------------------------------------------------------------------------


def systems_study(responses=2):
    corpus = small_corpus(responses=responses)
    for response in Response.objects.order_by("key"):
        name = {"a": "RAG", "b": "RAGF", "c": "RAG"}[response.key[-1]]
        response.system, _ = corpus.systems.get_or_create(key=name, defaults={"name": name})
        response.save()
    return small_study(corpus=corpus)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("qid,agent_a,agent_b,answer,rater\nt1,RAGF,RAG,A,Ann\n", ["t1b"]),
        ("qid,agent_a,agent_b,answer,rater\nt1,RAG,RAGF,C,Ann\n", ["n"]),
        ("question_id,model_a,model_b,winner,judge\nt1,ragf,rag,model_b,Ann\n", ["t1a"]),
        ("question_id,model_a,model_b,winner,judge\nt1,rag,ragf,tie (bothbad),Ann\n", ["n"]),
        ("topic,system_a,system_b,label,annotator\nt1,RAG,RAGF,RAGF,Ann\n", ["t1b"]),
    ],
)
def test_a_pair_is_found_by_its_systems(bring, text, values):
    bring(systems_study(), text)
    assert list(Judgment.objects.values_list("value", flat=True)) == values


@pytest.mark.django_db
@pytest.mark.parametrize(("pair", "n"), [("RAG,RAGF", 3), ("RAG,Other", 2)])
def test_systems_of_no_or_several_items_are_refused(bring, pair, n):
    study = systems_study(responses=n)
    with pytest.raises(LabelsRefused) as refused:
        bring(study, f"qid,agent_a,agent_b,answer,rater\nt1,{pair},A,Ann\n")
    assert [bad.field for bad in refused.value.report.bad_lines] == ["item"]


# -- There and back -----------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["labels.csv", "labels.jsonl.gz", "labels.excel.csv"])
def test_labels_of_all_raters_come_back_unchanged(bring, name):
    study = small_study(responses=3, quota=3)
    submitted(study, bob())
    submitted(study, alice())

    @given(st.lists(st.sampled_from(CODES), min_size=6, max_size=6))
    def there_and_back(values):
        items = list(study.items.order_by("key"))
        lines = [
            {"item": item.key, "value": value, "rater": rater, "kind": kind, "comment": "=1, “x”"}
            for (item, rater, kind), value in zip(
                [(item, *of) for item in items for of in (("Ann", "expert"), ("A3", "crowd"))],
                values,
                strict=True,
            )
        ]
        bring(study, "\n".join(map(json.dumps, lines)), "first.jsonl")
        before = list(Judgment.objects.order_by("pk").values())
        assert counted(bring(study, exported(study, name), name, now=NOW + HOUR)) == (0, 0, 12)
        assert list(Judgment.objects.order_by("pk").values()) == before

    there_and_back()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name", ["votes.csv", "votes.jsonl.gz", "pairwise_answers_evaluations.csv"]
)
def test_our_votes_come_back_unchanged_and_none_can_be_changed(bring, name):
    study = systems_study()
    submitted(study, bob())
    before = list(Judgment.objects.order_by("pk").values())
    data = exported(study, name)
    assert counted(bring(study, data, name, kind="crowd")) == (0, 0, len(before))
    assert list(Judgment.objects.order_by("pk").values()) == before
    if name == "votes.csv":
        rows = list(csv.DictReader(StringIO(data.decode())))
        rows[0]["vote"] = next(code for code in CODES if code != rows[0]["vote"])
        out = StringIO()
        writer = csv.DictWriter(out, rows[0])
        writer.writeheader()
        writer.writerows(rows)
        with pytest.raises(LabelsRefused):
            bring(study, out.getvalue(), name, kind="crowd")


@pytest.mark.django_db
def test_votes_of_one_study_are_those_of_a_crowd_in_another(bring):
    study = systems_study()
    submitted(study, bob())
    data = exported(study, "votes.csv")
    values = list(Judgment.objects.values_list("value", "shown", "first_at", "answered_at"))
    Judgment.objects.all().delete()
    Rater.objects.all().delete()
    other = small_study(slug="other", corpus=study.corpus)
    bring(other, data.replace(b"bob", b"w-000000000001"), "votes.csv", kind="crowd")
    rows = Judgment.objects.filter(item__study=other)
    assert list(rows.values_list("value", "shown", "first_at", "answered_at")) == values
    assert {rater.kind for rater in Rater.objects.all()} == {"crowd"}


@pytest.mark.django_db
def test_exported_qrels_come_back_as_the_same_grades(bring):
    study = relevance_study()
    submitted(study, bob())

    def grades(**rater):
        rows = Judgment.objects.filter(**rater).order_by("item__key")
        return list(rows.values_list("item__key", "value", "score"))

    bring(study, exported(study, "qrels.txt"), "qrels.txt", grader=Grader("TREC", "expert"))
    assert grades(rater__name="TREC") == grades(rater__worker=bob())
    assert len(grades(rater__name="TREC")) == 2
