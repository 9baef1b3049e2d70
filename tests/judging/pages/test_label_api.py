"""Labels come into a study by program as by the page: all or nothing, and noted."""

import json

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from annotation.corpora.formats import rubric
from annotation.models import AuditEntry
from annotation.people.access import making_keys
from judging.labels import importing_files
from judging.models import Judgment, Rater
from judging.raters.counts import counted
from tests.annotation.console.api.test_studies_by_program import Program
from tests.cast import small_study
from tests.judging.labels.test_importing_files import lines_of
from tests.judging.labels.test_importing_files import points as points
from tests.judging.labels.test_rubric_importing import exam, passage

pytestmark = pytest.mark.django_db
EXPERT = {"kind": "expert", "name": "Ann"}


def sent(program, study, content, said=200, called="gold.csv", **how):
    file = SimpleUploadedFile(called, content.encode())
    answer = program.client.post(
        f"/api/studies/{study.slug}/{study.version}/labels/", {"file": file, **EXPERT, **how}
    )
    assert answer.status_code == said, answer.text
    return answer.json()


def test_labels_come_in_with_their_rater_and_are_noted():
    program, study = Program(), small_study(responses=3)
    (came,) = sent(program, study, lines_of(study))["raters"]
    ann = Rater.objects.get()
    assert (came["rater"], came["added"], came["unchanged"]) == (ann.pseudonym, 3, 0)
    assert Judgment.objects.filter(rater=ann).count() == 3
    assert AuditEntry.objects.get(act="imported labels").user.username == "rita"
    (again,) = sent(program, study, lines_of(study))["raters"]
    assert (again["added"], again["unchanged"]) == (0, 3)
    (rater,) = program.get(f"studies/{study.slug}/{study.version}/raters/")["results"]
    assert (rater["name"], rater["kind"], rater["imported"]) == ("Ann", "expert", 3)


def test_whose_labels_are_taken_out_while_they_are_counted_has_none():
    study = small_study(responses=3)
    ann = Rater.objects.create(kind="expert", name="Ann", pseudonym="ann", team=study.team)
    (shown,) = counted(study, [ann])
    assert (shown.answers, shown.items, shown.imported) == (0, 0, 0)


def test_a_model_is_described():
    program, study = Program(), small_study(responses=3)
    how = {"kind": "model", "name": "gpt"}
    refused = sent(program, study, lines_of(study), 400, **how)
    assert list(refused) == ["detail"]
    assert not Rater.objects.exists()
    sent(program, study, lines_of(study), **how, model="gpt-4o", settings="temperature=0")
    assert Rater.objects.get().settings == "temperature=0"


def test_bad_lines_are_counted_and_named_and_nothing_is_written():
    program, study = Program(), small_study(responses=3)
    refused = sent(program, study, "item,value\n" + "nobody,n\n" * 150, 400)
    assert (refused["bad"], len(refused["lines"])) == (150, 100)
    assert (refused["lines"][0]["line"], refused["lines"][0]["field"]) == (2, "item")
    assert not Rater.objects.exists()
    (came,) = sent(program, study, lines_of(study) + "nobody,n\n", unknown="leave")["raters"]
    assert (came["added"], came["remark_count"], came["remarks"][0]["line"]) == (3, 1, 5)


def test_what_is_no_file_of_labels_is_refused(monkeypatch):
    program, study = Program(), small_study(responses=3)
    at = f"/api/studies/{study.slug}/{study.version}/labels/"
    assert "file" in program.client.post(at, EXPERT).json()
    assert "kind" in sent(program, study, lines_of(study), 400, kind="robot")
    assert "is empty" in sent(program, study, "", 400)["lines"][0]["reason"]
    sent(program, study, "x", 400, called="gold.xlsx")
    assert "no question" not in sent(program, study, "x", 400, kind="rubric")["detail"]
    monkeypatch.setattr(importing_files, "MOST_BYTES", 1000)
    assert "larger than" in sent(program, study, "x" * 200_000, 413)["detail"]
    assert "larger than" in sent(program, study, "x" * 2_000, 413)["detail"]
    assert not Judgment.objects.exists()


def test_grades_of_rubric_come_in_under_the_graders_that_the_file_names(points):
    graded = [passage("p1", exam((1, 1, 1, 1), llm="expert-1", rater="expert"))]
    content = b"".join(rubric.written([("q1", graded)])).decode()
    (came,) = sent(Program(), points, content, called="graded.jsonl", kind="rubric")["raters"]
    assert (came["rater"], came["added"]) == ("expert-1", 4)


def test_a_key_needs_the_scope_and_its_owner_the_role():
    program, study = Program(), small_study(responses=3)
    stranger = User.objects.create_user("rob")
    for user, scopes, status in (
        (User.objects.get(username="rita"), ["edit", "export"], 403),
        (stranger, ["run"], 404),
    ):
        _, secret = making_keys.make_key(user=user, name="n", scopes=scopes, now=timezone.now())
        program.client = Client(headers={"authorization": f"Bearer {secret}"})
        sent(program, study, lines_of(study), status)
    assert not Judgment.objects.exists()


def test_the_description_says_what_is_sent():
    data = json.loads(Program().client.get("/api/schema/").content)
    labels = data["paths"]["/api/studies/{slug}/{version}/labels/"]["post"]
    assert "multipart/form-data" in labels["requestBody"]["content"]
