"""A file of labels is checked before its import: counts, problems with remedies, nothing saved."""

import gzip
import json

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from annotation.corpora.remedies import Remedy
from annotation.models import AuditEntry, CorpusLabels, Membership, Role
from judging.labels import uploading
from judging.labels.checking import check_labels
from judging.labels.importing_files import LabelChoices, LabelFile
from judging.labels.problems import PROBLEMS, REMEDY_LABELS, LabelProblem, remedies_for, remedies_of
from judging.labels.rubric import Grader
from judging.labels.values import BadMapping
from judging.models import Judgment, LabelUpload, Rater
from tests.annotation.console.api.test_studies_by_program import Program
from tests.cast import NOW, rita, small_study
from tests.hooks import element, elements
from tests.judging.labels.test_importing_files import lines_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return small_study(responses=3)


@pytest.fixture
def check(study, tmp_path):
    def run(text, name="labels.csv", kind="expert", rater="Ann", **remedies):
        (tmp_path / "file").write_text(text)
        choices = LabelChoices(Grader(rater, kind), remedies=remedies_of(remedies.items()))
        file = LabelFile(tmp_path / "file", name)
        return check_labels(study=study, file=file, choices=choices, by=None, now=NOW)

    return run


@pytest.fixture
def send(client, study):
    client.force_login(rita())

    def run(text, name="labels.csv"):
        url = reverse("bring_labels", args=[study.slug, study.version])
        return client.post(url, {"file": SimpleUploadedFile(name, text.encode())}).url

    return run


def nothing_is_saved():
    return not (Judgment.objects.exists() or Rater.objects.exists() or imports())


def imports():
    return AuditEntry.objects.filter(act="imported labels").count()


def test_a_check_counts_and_saves_nothing(check, study):
    found = check(lines_of(study))
    report = found.report
    assert (report.rows, report.labels, report.added, found.may_import) == (3, 3, 3, True)
    assert list(report.kinds) == ["labels.csv"]
    assert (report.raters, report.questions) == ({("Ann", "expert"): 3}, {"better": 3})
    assert list(found.new_raters) == ["Ann"]
    assert nothing_is_saved()


def test_a_rater_without_a_name_is_checked_as_a_new_one(check, study):
    for kind in ("expert", "model"):
        found = check(lines_of(study), kind=kind, rater="")
        assert (found.report.raters, list(found.new_raters)) == ({("", kind): 3}, [""])
        assert found.may_import
    assert nothing_is_saved()


ROWS = {
    LabelProblem.UNKNOWN_ITEM: ("item,value\nnobody,n\n", {}),
    LabelProblem.UNKNOWN_VALUE: ("item,value\n{item},splendid\n", {}),
    LabelProblem.UNKNOWN_QUESTION: ("item,value,question\n{item},n,pw\n", {}),
    LabelProblem.UNKNOWN_COLUMN: ("item,value,mood\n{item},n,good\n", {}),
    LabelProblem.BLANK_FIELD: ("item,value\n{item},\n", {}),
    LabelProblem.BAD_CELL: ("item,value,timestamp\n{item},n,yesterday\n", {}),
    LabelProblem.CONTRADICTION: ("item,value\n{other},n\n{other},a\n", {}),
    LabelProblem.UNREADABLE_ROW: ('{{"item": {{"a": 1}}}}\n', {"name": "labels.jsonl"}),
    LabelProblem.MISSING_CONTENT: ("a,b,value\nx,y,n\n", {"unknown_item": "make"}),
}


@pytest.mark.parametrize("problem", LabelProblem)
def test_every_class_of_problem_has_remedies_that_mend_it(check, study, problem):
    text, how = ROWS[problem]
    items = [item.key for item in study.items.order_by("pk")]
    text = text.format(item=items[0], other=items[1])
    found = check(text, **how)
    assert (set(found.report.problems), found.may_import) == ({problem.value}, False)
    rows = found.report.rows
    assert found.report.problems[problem].samples[0].line
    for remedy in remedies_for(problem):
        if remedy in (Remedy.MAP, "make"):
            continue  # they need words, or texts
        mended = check(text, **how, **{problem.value: remedy})
        assert (mended.may_import, mended.report.rows) == (True, rows)
        assert mended.report.labels + mended.ignored == rows
        assert mended.ignored == (0 if remedy == Remedy.DROP else 1)
    assert nothing_is_saved()


def test_every_class_and_remedy_has_a_title():
    assert set(PROBLEMS) == set(LabelProblem)
    offered = {remedy for problem in LabelProblem for remedy in remedies_for(problem)}
    assert offered <= set(REMEDY_LABELS)


@pytest.mark.parametrize("pair", [("unknown_item", "map"), ("nothing", "skip"), ("bad_cell", "")])
def test_a_remedy_that_is_not_offered_is_refused(pair):
    with pytest.raises(BadMapping):
        remedies_of([pair])
    assert remedies_of([("bad_cell", "ask")]) == {}


def test_a_file_of_which_most_rows_are_ignored_is_never_green(send, client, study):
    page = send(lines_of(study) + "nobody,n\n" * 4)
    form = {"act": "check", "kind": "expert", "name": "Ann", "remedy-unknown_item": "skip"}
    shown = client.post(page, form, follow=True).content.decode()
    banner = element(shown, "id", "banner")
    assert (banner.attributes["data-report"], banner.attributes["data-ignored"]) == ("ignored", "4")
    assert "note-good" not in banner.attributes["class"]
    assert "button-primary" not in element(shown, "data-import").attributes["class"]
    assert element(shown, "id", "check-again").attributes["class"] == "button button-primary"


def test_rows_of_other_raters_are_ignored_rows(check, study):
    keys = [item.key for item in study.items.all()] * 2
    rows = "".join(f"{key},n,Ben\n" for key in keys)
    found = check(f"item,value,rater\n{keys[0]},n,Ann\n{rows}")
    assert (found.report.labels, found.ignored, found.ignores_most) == (1, 6, True)


def test_the_page_goes_from_a_file_to_its_import(send, client, study):
    page = send(lines_of(study))
    shown = client.get(page).content.decode()
    assert element(shown, "id", "banner").attributes["data-report"] == "asking"
    assert elements(shown, "aria-current")  # the rail of the study
    assert not elements(shown, "data-import")
    form = {"kind": "expert", "name": "Ann"}
    shown = client.post(page, form | {"act": "check"}, follow=True).content.decode()
    assert element(shown, "id", "banner").attributes["data-report"] == "good"
    assert element(shown, "data-import").attributes["class"] == "button button-primary"
    assert nothing_is_saved()
    for _ in range(2):  # pressed twice
        done = client.post(page, form | {"act": "import"}, follow=True).content.decode()
        assert elements(done, "data-imported")
    assert (Judgment.objects.count(), imports()) == (3, 1)
    assert len(bytes(LabelUpload.objects.get().content)) < 30  # the file is deleted


@pytest.mark.parametrize(
    ("text", "choices"),
    [
        ("item,value\nx,n\n", {"kind": "expert", "name": ""}),
        ("item,value,rater\nx,n,Ann\ny,n,Ann\n", {"kind": "expert", "name": "Ann"}),
        ("item,value,worker\nx,n,A\ny,n,B\n", {"kind": "crowd"}),
        ("item,value,rater,kind\nx,n,A,model\n", {"kind": "named"}),
    ],
)
def test_whose_labels_a_file_has_is_proposed(send, text, choices):
    send(text)
    assert LabelUpload.objects.get().choices == choices


def test_choices_that_no_page_offers_change_nothing(send, client, study):
    page = send(lines_of(study))
    before = LabelUpload.objects.get().choices
    for odd in ({"remedy-nothing": "skip"}, {"remedy-bad_cell": "burn"}, {"act": "fly"}, {}):
        answer = client.post(page, {"act": "import", "kind": "robot", "question": "\0"} | odd)
        assert answer.status_code == 302
    assert nothing_is_saved()
    assert set(before) <= set(LabelUpload.objects.get().choices)
    assert client.get(page).status_code == 200


def test_a_file_is_its_owners_and_is_discarded(send, client, study):
    page = send(lines_of(study))
    colleague = User.objects.create_user("zoe")
    Membership.objects.create(team=study.team, user=colleague, role=Role.OWNER)
    client.force_login(colleague)
    assert client.get(page).status_code == client.post(page, {"act": "discard"}).status_code == 404
    LabelUpload.objects.update(owner=colleague)
    assert client.get(page).status_code == 200
    Membership.objects.update(role=Role.REVIEWER)
    assert client.get(page).status_code == client.post(page, {"act": "discard"}).status_code == 403
    LabelUpload.objects.update(owner=User.objects.get(username="rita"))
    client.force_login(User.objects.get(username="rita"))
    client.post(page, {"act": "discard"})
    assert not LabelUpload.objects.exists()


def test_a_second_file_takes_the_place_of_the_first_and_old_ones_go(send, study):
    send(lines_of(study))
    send(lines_of(study), name="second.csv")
    assert LabelUpload.objects.get().name == "second.csv"
    assert uploading.clear(now=timezone.now()) == 0
    assert uploading.clear(now=timezone.now() + uploading.KEPT_FOR) == 1


def test_the_command_checks_as_the_page_does(tmp_path, capsys, study):
    path = tmp_path / "labels.csv"
    path.write_text(lines_of(study) + "nobody,n\n")
    command = ("import_labels", study.slug, str(path), "--rater=Ann", "--kind=expert")
    with pytest.raises(CommandError):
        call_command(*command, "--check")
    assert "unknown_item: 1 rows (make, skip)" in capsys.readouterr().out
    call_command(*command, "--check", "--remedy=unknown_item=skip")
    assert nothing_is_saved()
    call_command(*command, "--remedy=unknown_item=skip")
    assert Judgment.objects.count() == 3


CELLS = st.one_of(
    st.sampled_from(["n", "a", "1", "nobody", "", "\x00", "tie", "[[B]]", "9" * 400, "2026"]),
    st.text(max_size=12),
)
COLUMNS = st.lists(
    st.sampled_from(
        ["item", "value", "a", "b", "rater", "kind", "time", "question", "odd", "slot"]
    ),
    min_size=1,
    max_size=5,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_every_row_of_any_table_is_a_label_ignored_or_a_problem(check, study, data):
    names = data.draw(COLUMNS)
    keys = st.sampled_from([item.key for item in study.items.all()])
    rows = data.draw(st.lists(st.tuples(*[CELLS | keys for _ in names]), max_size=6))
    text = "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)
    remedies = {
        problem.value: data.draw(st.sampled_from(["ask", *remedies_for(problem)]))
        for problem in LabelProblem
    }
    remedies = {code: remedy for code, remedy in remedies.items() if remedy != Remedy.MAP}
    kind = data.draw(st.sampled_from(["expert", "crowd", "named"]))
    found = check(text, name="labels.jsonl", kind=kind, **remedies)
    report = found.report
    if not found.fault and rows:
        assert report.labels + found.ignored + report.bad_line_count >= report.rows
        assert report.labels + found.ignored <= report.rows
    assert found.may_import or found.fault or report.bad_lines
    assert nothing_is_saved()


# -- By program ---------------------------------------------------------------------------------
def sent(program, study, **fields):
    at = f"/api/studies/{study.slug}/{study.version}/labels/"
    answer = program.client.post(at, {"kind": "expert", "name": "Ann"} | fields)
    return answer.status_code, answer.json()


def test_a_program_checks_and_chooses_remedies(study):
    program = Program()

    def file():
        return SimpleUploadedFile("labels.csv", (lines_of(study) + "nobody,n\n").encode())

    status, found = sent(program, study, file=file(), check="true")
    assert (status, found["may_import"], found["rows"], found["labels"]) == (200, False, 4, 3)
    (problem,) = found["problems"]
    assert (problem["code"], problem["count"], problem["chosen"]) == ("unknown_item", 1, "ask")
    assert problem["samples"][0]["line"] == 5
    assert nothing_is_saved()
    status, refused = sent(program, study, file=file())
    assert (status, refused["problems"]) == (400, found["problems"])
    status, came = sent(program, study, file=file(), remedies=["unknown_item=skip"])
    assert (status, came["raters"][0]["added"]) == (200, 3)
    assert sent(program, study, file=file(), remedies=["unknown_item=burn"])[0] == 400


def test_a_program_lists_and_imports_labels_of_a_corpus(study):
    program = Program()
    rows = [{"item": item.key, "value": "n"} for item in study.items.all()]
    content = "".join(json.dumps(row) + "\n" for row in rows).encode()
    CorpusLabels.objects.create(
        corpus=study.corpus, name="arena.jsonl", count=3, raters=1, content=gzip.compress(content)
    )
    (listed,) = program.get(f"corpora/{study.corpus.slug}/labels/")
    assert (listed["name"], listed["count"], listed["raters"]) == ("arena.jsonl", 3, 1)
    assert sent(program, study, stored=listed["name"], check="true")[1]["labels"] == 3
    assert sent(program, study, stored=listed["name"])[0] == 200
    assert Judgment.objects.count() == 3
    for odd in ({"stored": "other"}, {"stored": ""}, {}):
        assert sent(program, study, **odd)[0] == 400
    file = SimpleUploadedFile("labels.csv", lines_of(study).encode())
    assert sent(program, study, stored="arena.jsonl", file=file)[0] == 400


def test_a_program_reads_earlier_turns(study):
    program = Program()
    turns = [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": "So."}]
    study.corpus.topics.update(turns=turns)
    (topic,) = program.get(f"corpora/{study.corpus.slug}/topics/")["results"]
    assert topic["turns"] == turns
    responses = program.get(f"corpora/{study.corpus.slug}/responses/")["results"]
    assert {response["turns"] for response in responses} == {None}
    document = json.loads(program.client.get("/api/schema/").content)
    schemas = document["components"]["schemas"]
    for name in ("Topic", "CorpusResponse"):
        turn = {"$ref": "#/components/schemas/Turn"}
        assert schemas[name]["properties"]["turns"]["items"] == turn
    body = document["paths"]["/api/studies/{slug}/{version}/labels/"]["post"]["requestBody"]
    fields = body["content"]["multipart/form-data"]["schema"]
    fields = schemas[fields["$ref"].rpartition("/")[2]] if "$ref" in fields else fields
    assert {"check", "stored", "remedies"} <= set(fields["properties"])
