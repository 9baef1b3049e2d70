"""Labels and Rubric's grades come in through the page of a study: all or nothing, and noted."""

import gzip

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from annotation.corpora.formats import rubric
from annotation.models import AuditEntry, Membership, Role, Study
from judging.labels import importing, importing_files
from judging.labels import rubric as rubric_reading
from judging.labels.rubric import Grader
from judging.labels.rubric_importing import rater_of
from judging.models import Item, Judgment, LabelUpload, Rater
from judging.raters.registering import register
from tests.cast import NOW, rita, small_corpus, small_study
from tests.hooks import element, elements
from tests.judging.labels.test_rubric_importing import bank, exam, files, passage

pytestmark = pytest.mark.django_db

EXPERT = {"kind": "expert", "name": "Ann"}
REMEDIES = {"leave": "skip", "make": "make", "refuse": "ask"}


@pytest.fixture
def study():
    return small_study(responses=3)


@pytest.fixture
def bring(client):
    client.force_login(rita())

    def run(study, content, called="labels.csv", **choices):
        """Send a file, then import it with the choices; return 200 if it was imported."""
        sent = {"file": SimpleUploadedFile(called, content)} if content is not None else {}
        url = reverse("bring_labels", args=[study.slug, study.version])
        answer = client.post(url, sent)
        if answer.status_code != 302:
            return answer.status_code, answer.content.decode()
        remedy = {"remedy-unknown_item": REMEDIES[choices.pop("unknown", "refuse")]}
        form = {"act": "import"} | EXPERT | remedy | choices
        page = client.post(answer.url, form, follow=True)
        is_in = LabelUpload.objects.latest("pk").imported_at is not None
        return 200 if is_in else 422, page.content.decode()

    return run


def bad_rows(page):
    return int(element(page, "id", "banner").attributes["data-bad"])


def places(page, file):
    cells = [cell.text for cell in elements(page, "scope", "row")]
    return [cell for cell in cells if cell.startswith(f"{file}, line")]


def lines_of(study, value="n"):
    return "item,value\n" + "".join(f"{item.key},{value}\n" for item in study.items.all())


def test_labels_come_in_with_their_rater_and_are_noted(bring, study):
    status, page = bring(study, gzip.compress(lines_of(study).encode()), "Gold.CSV.gz")
    assert (status, Judgment.objects.count()) == (200, 3)
    ann = Rater.objects.get()
    assert (ann.name, ann.kind) == ("Ann", "expert")
    assert ann.pseudonym in page
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.what) == ("imported labels", f"3 labels of {ann.pseudonym}")
    bring(study, lines_of(study).encode())  # once more: nothing new, nothing to note
    assert (Judgment.objects.count(), AuditEntry.objects.count()) == (3, 1)


def test_bad_lines_are_named_and_what_was_said_is_kept(bring, study):
    bad = "item,value\n" + "nobody,n\n" * 150
    status, page = bring(study, bad.encode(), kind="model", name="gpt", model="gpt-4o")
    assert (status, Judgment.objects.count(), Rater.objects.count()) == (422, 0, 0)
    assert bad_rows(page) == 150
    assert element(page, "data-bad-lines").numbers == [100, 150]
    assert 'value="gpt-4o"' in page
    assert 'value="gpt"' in page
    rows = places(page, "labels.csv")
    assert (rows[0], rows[-1], len(rows)) == ("labels.csv, line 2", "labels.csv, line 101", 100)


@pytest.mark.parametrize(
    ("typed", "place"),
    [
        ({"name": ""}, "name"),
        ({"kind": "model", "name": "gpt"}, "model"),
        ({"name": "people"}, "name"),
        ({"name": "\x00"}, "name"),
    ],
)
def test_what_is_missing_is_said_at_its_field(bring, study, typed, place):
    status, page = bring(study, lines_of(study).encode(), **typed)
    assert (status, Judgment.objects.count()) == (422, 0)
    faults = [fault for fault in elements(page, "class", "field-error") if fault.text]
    assert [fault.attributes["id"] for fault in faults] == [f"{place}-error"]


@pytest.mark.parametrize(
    ("content", "name", "sentence"),
    [
        (None, "", "file-error"),
        (b"", "a.csv", "is empty"),
        (b"PK\x03\x04 xlsx", "a.xlsx", "damaged"),
        (b"item,value\nx,\x00\xff\n", "a.csv", "text file"),
        (b"\x1f\x8b no gzip", "a.csv.gz", "damaged"),
        (gzip.compress(b"item,value\n" + b"x" * 60_000_000), "a.csv.gz", "unpacks to"),
    ],
)
def test_a_file_that_cannot_be_read_gets_its_sentence(bring, study, content, name, sentence):
    status, page = bring(study, content, name)
    assert (status, Judgment.objects.count()) == (422, 0)
    assert sentence in page


def test_a_file_that_is_too_large_is_not_read(bring, study, monkeypatch):
    monkeypatch.setattr(importing_files, "MOST_BYTES", 1000)
    status, page = bring(study, b"x" * 200_000)
    assert status == 413
    assert element(page, "id", "file-error").numbers == [0]  # MB


def test_a_file_with_too_many_lines_is_not_read_on(bring, study, monkeypatch):
    monkeypatch.setattr(importing, "MOST_LINES", 3)
    assert bring(study, lines_of(study).encode())[0] == 200
    status, page = bring(study, (lines_of(study) + "0\n" * 9).encode())
    assert (status, element(page, "id", "file-error").numbers[-1]) == (422, 3)


def test_a_page_of_others_brings_no_labels(study):
    client = Client(enforce_csrf_checks=True)
    client.force_login(rita())
    file = SimpleUploadedFile("labels.csv", lines_of(study).encode())
    url = reverse("bring_labels", args=[study.slug, study.version])
    assert client.post(url, EXPERT | {"file": file}).status_code == 403
    assert not Judgment.objects.exists()


def test_reviewers_bring_no_labels(client, study):
    reviewer = User.objects.create_user("zoe")
    Membership.objects.create(team=study.team, user=reviewer, role=Role.REVIEWER)
    client.force_login(reviewer)
    url = reverse("bring_labels", args=[study.slug, study.version])
    assert client.get(url).status_code == client.post(url, EXPERT).status_code == 403
    assert url not in client.get(reverse("raters", args=["lamps", 1])).content.decode()


# -- Raters of others ---------------------------------------------------------------------------
@pytest.fixture
def of_others(study):
    """Labels of an expert and a model in a study that zoe, an owner of another, may not see."""
    for grader in (Grader("Anna", "expert"), Grader("judge-x", "model", "m", "p", "secret=1")):
        register(team=study.team, name=grader.name, kind=grader.kind, model=grader.model,
                 prompt_version=grader.prompt_version, settings=grader.settings)  # fmt: skip
    item, question = study.items.first(), study.questions.first()
    for rater in Rater.objects.all():
        Judgment.objects.create(
            rater=rater, item=item, question=question, raw="n", value="n",
            first_at=NOW, answered_at=NOW,
        )  # fmt: skip
    return dict(Rater.objects.values_list("name", "pseudonym"))


@pytest.fixture
def zoe():
    return User.objects.create_user("zoe")


@pytest.fixture
def own(zoe):
    """Return the study of zoe."""
    study = small_study(slug="own", corpus=small_corpus(slug="own"))
    Membership.objects.create(team=study.team, user=zoe, role=Role.OWNER)
    return study


MODEL = {"kind": "model", "name": "judge-x", "model": "m"}
IN_FULL = {"prompt_version": "p", "settings": "secret=1"}


@pytest.mark.parametrize(
    "said",
    [{"name": "Anna"}, MODEL, MODEL | {"model": "other"}, MODEL | IN_FULL,
     MODEL | IN_FULL | {"name": "mine"}],
)  # fmt: skip
def test_raters_of_studies_that_one_may_not_see_are_not_told(
    bring, client, own, zoe, of_others, said
):
    client.force_login(zoe)
    before = list(Judgment.objects.filter(rater__name__in=of_others).order_by("pk").values())
    status, page = bring(own, lines_of(own).encode(), **said)
    assert status == 200
    assert of_others["Anna"] not in page
    mine = Rater.objects.get(team=own.team)
    assert (mine.name, mine.judgments.count()) == (said["name"], own.items.count())
    assert not Judgment.objects.filter(item__study=own).exclude(rater=mine).exists()
    assert list(Judgment.objects.exclude(rater=mine).order_by("pk").values()) == before


def test_an_expert_may_be_called_as_one_of_others(client, own, zoe, of_others):
    client.force_login(zoe)
    url = reverse("change_raters", args=[own.slug, own.version])
    answer = client.post(url, {"do": "add", "name": "Anna"}, follow=True)
    assert [message.level_tag for message in answer.context["messages"]] == ["success"]
    page = answer.content.decode()
    assert "Anna" in page
    assert of_others["Anna"] not in page
    named = rater_of(Grader(of_others["Anna"], "expert"), team=own.team)  # as a file names them
    assert (named.team, named.pseudonym) == (own.team, of_others["Anna"])
    assert Rater.objects.get(team=own.team, name="Anna").pseudonym != of_others["Anna"]


def test_who_was_added_and_who_answered_here_is_found_again(bring, client, own, zoe):
    client.force_login(zoe)
    client.post(reverse("change_raters", args=["own", 1]), {"do": "add", "name": "Berta"})
    for value in ("n", "a"):
        assert bring(own, lines_of(own, value).encode(), name="Berta")[0] == 200
    assert Rater.objects.count() == 1


# -- Grades of Rubric ---------------------------------------------------------------------------
@pytest.fixture
def points(tmp_path):
    """Return a study on the points of a bank, which somebody has graded already."""
    paths = files(tmp_path, [bank()], [("q1", [passage("p1", exam((5, 2, 0, 0)))])])
    call_command("import_rubric", "points", *map(str, paths))
    return Study.objects.get()


def test_grades_come_in_under_the_graders_that_the_file_names(bring, points):
    graded = [passage("p1", exam((5, 2, 0, 0)), exam((1, 1, 1, 1), llm="expert-1", rater="expert"))]
    content = gzip.compress(b"".join(rubric.written([("q1", graded)])))
    status, page = bring(points, content, "graded.jsonl.gz", kind="rubric", name="")
    assert status == 200
    expert = Rater.objects.get(kind="expert")
    assert [j.score for j in expert.judgments.order_by("item__pk")] == [1, 1, 1, 1]
    assert Judgment.objects.exclude(rater=expert).count() == 4  # said before, and left alone
    assert [
        audit_entry.what for audit_entry in AuditEntry.objects.filter(act="imported labels")
    ] == ["4 labels of expert-1"]
    assert "expert-1" in page


def test_grades_of_passages_that_are_not_there_are_named_or_left_out(bring, points):
    other = rubric.Paragraph(
        paragraph_id="p9", text="Elsewhere.", exam_grades=[exam((1, 1, 1, 1), llm="m2")]
    )
    content = b"".join(rubric.written([("q1", [other])]))
    for unknown in ("refuse", "make"):
        status, page = bring(points, content, "g.jsonl", kind="rubric", unknown=unknown)
        assert (status, bad_rows(page)) == (422, 4)
    before = Item.objects.count()
    status, page = bring(points, content, "g.jsonl", kind="rubric", unknown="leave")
    assert (status, Item.objects.count()) == (200, before)
    assert element(page, "data-remarks").attributes["data-remarks"] == "4"


def test_a_file_that_is_not_rubrics_is_refused(bring, points):
    status, page = bring(points, b'{"item": 1}\n', "g.jsonl", kind="rubric")
    assert (status, places(page, "g.jsonl")) == (422, ["g.jsonl, line 1"])
    nothing = b"".join(rubric.written([("q1", [passage("p1")])]))
    status, page = bring(points, nothing, "g.jsonl", kind="rubric")
    assert (status, "g.jsonl" in page) == (422, True)


def test_a_nul_in_what_a_grader_said_is_a_bad_line(bring, points):
    graded = exam((1, 1, 1, 1), llm="other")
    graded.answers = [(key, f"{text}\x00") for key, text in graded.answers]
    content = b"".join(rubric.written([("q1", [passage("p1", graded)])]))
    status, page = bring(points, content, "g.jsonl", kind="rubric")
    assert (status, "NUL character" in page) == (422, True)
    assert not Rater.objects.filter(name="other").exists()


def test_too_many_grades_are_not_read_on_and_bad_lines_are_counted(bring, points, monkeypatch):
    graded = [passage("p1", exam((1, 1, 1, 1), llm="m2")), passage("p2", exam((1, 1, 1, 1)))]
    content = b"".join(rubric.written([("q1", graded)]))
    monkeypatch.setattr(rubric_reading, "MOST_SHOWN", 2)
    status, page = bring(points, b"0\n" * 5 + content, "g.jsonl", kind="rubric")
    assert (status, places(page, "g.jsonl")) == (422, ["g.jsonl, line 1", "g.jsonl, line 2"])
    assert element(page, "data-bad-lines").numbers == [2, 5]
    monkeypatch.setattr(rubric_reading, "MOST_LINES", 7)
    for many in (content, b"0\n" * 8):
        status, page = bring(points, many, "g.jsonl", kind="rubric")
        assert (status, element(page, "id", "file-error").numbers[-1]) == (422, 7)
    assert not Rater.objects.filter(name="m2").exists()
