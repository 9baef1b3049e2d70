"""The steps of the Rubric workbench over the API: grade, verify, evaluate, analyse, export."""

import gzip
import json

import pytest

from analysis.exports.bank_passages import grade_lines, graded_passages, qrels
from annotation.corpora.formats.rubric import passages as read_passages
from annotation.models import CorpusLabels
from judging.banks import adding, deciding, grading
from judging.banks.adding import NewEntry
from judging.banks.appending import Change
from judging.banks.entries_at import entries_at
from judging.labels.files import LabelLine
from judging.labels.importing import import_lines
from judging.labels.saving import LabelReport
from judging.models import Bank, MachineJudge, PassageFile
from judging.pages import bank_grading_api
from judging.raters.registering import register
from tests.cast import NOW, rita
from tests.config.askers import client_of
from tests.judging.banks.cast import bank_of, entry
from tests.judging.banks.test_bank_studies import graded, study_of
from tests.judging.banks.test_round_life import sent, viewer
from tests.judging.machines.cast import run
from tests.judging.queries.cast import passages
from tests.refusals import refused

pytestmark = pytest.mark.django_db
BY = {"by": None, "now": NOW}
JUDGED = {"p1": 3, "p2": 0, "p3": 2}


@pytest.fixture
def bank():
    bank = bank_of(state="confirmed")
    rows = [
        {"topic": "t1", "passage": key, "rater": "NIST", "value": str(value)}
        for key, value in JUDGED.items()
    ]
    content = gzip.compress("".join(json.dumps(row) + "\n" for row in rows).encode())
    CorpusLabels.objects.create(
        corpus=bank.corpus, name="qrels", count=3, raters=1, content=content
    )
    bank.refresh_from_db()
    return bank


def api(bank, more):
    return f"/api/corpora/{bank.corpus.slug}/banks/{bank.pk}/{more}"


def test_a_model_grades_a_bank_and_the_steps_read_it(bank, endpoint, monkeypatch):
    tasks = []
    monkeypatch.setattr(bank_grading_api.jobs, "send_after_commit", lambda _, pk: tasks.append(pk))
    client = client_of(rita())
    how = {"model": "good", "base_url": endpoint.url}
    made = sent(client, api(bank, "graders/"), **how)
    assert made.status_code == 201
    assert tasks == [made.json()["id"]]
    run(MachineJudge.objects.get())
    assert len(endpoint.ledger.charges) == 9
    again = sent(client, api(bank, "graders/"), **how).json()
    assert (again["id"], again["state"], again["answered"]) == (tasks[0], "done", 9)
    assert client.get(api(bank, "graders/")).json() == [again]
    found = client.get(api(bank, "agreement/?pool=models")).json()
    assert {(row["judge"], row["passages"]) for row in found["kappas"]} == {("NIST", 3)}
    assert found["level"] == 4
    for by in ("maximum", "count", "threshold"):
        lines = client.get(api(bank, f"grades/?as={by}")).content.decode().splitlines()
        assert [line.split()[2] for line in lines] == ["p1", "p2", "p3"]
    lines = client.get(api(bank, "grades/?as=entries")).content.decode().splitlines()
    keys = {row.key for row in entries_at(bank)}
    assert (len(lines), {line.split()[1] for line in lines}) == (9, keys)
    lines = client.get(api(bank, "grades/")).content.decode().splitlines()
    ((_, (topic, shown)),) = read_passages(lines)
    assert (topic, [one.paragraph_id for one in shown]) == ("t1", ["p1", "p2", "p3"])
    assert all(len(one.exam_grades[0].self_ratings) == 3 for one in shown)
    assert client.get(api(bank, "board/")).json()["cells"]["models"] == 9


def test_refusals_say_why(bank):
    client = client_of(rita())
    assert sent(client, api(bank, "graders/"), model="good", base_url="x").status_code == 400
    how = {"model": "good", "base_url": "https://a.example", "method": "none"}
    assert sent(client, api(bank, "graders/"), **how).status_code == 400
    assert not MachineJudge.objects.exists()
    assert not bank.instruments.exists()
    assert client.get(api(bank, "grades/?as=x")).status_code == 400
    assert client.get(api(bank, "agreement/?pool=x")).status_code == 400
    other = client_of(viewer(bank))
    how = {"model": "good", "base_url": "https://a.example"}
    assert sent(other, api(bank, "graders/"), **how).status_code == 403
    graded(study_of(bank), bank, "Built by Eiffel", "p1", 5)
    bank.corpus.topics.filter(key="t1").update(key="t 1")
    assert client.get(api(bank, "grades/?as=maximum")).status_code == 409


def test_qrels_of_facets_have_the_highest_grade_of_each():
    bank = bank_of(["one", "two"], state="confirmed", facet="height")
    topic = bank.corpus.topics.get(key="t1")
    adding.add_all(bank=bank, entries=[NewEntry(topic, "three")], state="confirmed", **BY)
    study = study_of(bank)
    for text, grade in (("one", 2), ("two", 5), ("three", 1)):
        graded(study, bank, text, "p1", grade)
    lines = list(qrels(Bank.objects.get(), "facets"))
    assert lines == ["t1 0 p1 1\n", "t1/height 0 p1 5\n"]


def test_the_grades_of_all_studies_are_in_one_file_without_retired_entries(bank):
    first, second = study_of(bank), study_of(bank, slug="second")
    graded(first, bank, "Built by Eiffel", "p1", 5, name="Ann")
    graded(second, bank, "Finished in 1889", "p1", 2, name="Ann")
    graded(second, bank, "330 metres high", "p2", 4, name="Ben")

    def ratings():
        ((_, rows),) = graded_passages(Bank.objects.get())
        return {
            (row.paragraph_id, rating.nugget_id.rpartition("/")[0], rating.self_rating)
            for row in rows
            for exam in row.exam_grades
            for rating in exam.self_ratings
        }

    assert ratings() == {("p1", "t1", 5), ("p1", "t1", 2), ("p2", "t1", 4)}
    row = entry(bank, "Finished in 1889")
    entries = [{"id": row.pk, "revision": row.revision}]
    address = api(bank, "entries/")
    assert sent(client_of(rita()), address, entries=entries, state="retired").status_code == 200
    assert ratings() == {("p1", "t1", 5), ("p2", "t1", 4)}


def test_words_on_an_earlier_wording_of_a_secret_entry_stay_in_an_imported_file(bank):
    before = entry(bank, "Built by Eiffel")
    exam = {"llm": "m", "exam_ratio": 0, "correctAnswered": [], "wrongAnswered": []}
    exam["answers"] = [[before.key, "Gustave"]]
    passage = {"paragraph_id": "p1", "text": "", "exam_grades": [exam]}
    content = gzip.compress(json.dumps(["t1", [passage]]).encode() + b"\n")
    PassageFile.objects.create(
        study=study_of(bank), name="grades.jsonl", content=content, graders=[], created_at=NOW
    )
    assert "Gustave" in str(list(graded_passages(bank)))
    deciding.edit(bank=bank, entry=before.pk, shown=before.revision, text="By Eiffel", **BY)
    row = entry(bank, "By Eiffel")
    deciding.decide(bank=bank, shown={row.pk: row.revision}, change=Change(secret=True), **BY)
    assert "Gustave" not in str(list(graded_passages(Bank.objects.get())))
    assert "Gustave" in str(list(graded_passages(Bank.objects.get(), secret=True)))


def test_a_study_of_another_team_with_the_slug_is_left_alone(bank):
    other = bank_of(corpus=passages("other"), state="confirmed")
    slug = grading.slug_of(bank)
    study = study_of(other, slug=slug)
    with refused("StudyExists"):
        grading.study_of(bank)
    assert not study.machine_judges.exists()


def test_extracted_answers_name_experts_by_pseudonym(bank):
    study = study_of(bank, method="answer-extraction")
    expert = register(name="Ann Adams", kind="expert", team=study.team)
    contents = {"criterion": entry(bank, "Built by Eiffel").key, "passage": "p1"}
    label = LabelLine(number=1, value="Gustave", topic="t1", comment="", contents=contents)
    question = study.questions.get(scale__kind="text").key
    how = {"study": study, "question": question, "rater": expert, "now": NOW}
    import_lines(lines=[label], report=LabelReport("f"), **how)
    (line,) = grade_lines(bank, "answers")
    assert json.loads(line)["rater"] == expert.pseudonym != expert.name
