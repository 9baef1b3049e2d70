"""Rubric's bank and graded passages come in as a study, and go out again without a difference."""

import gzip
import json

import msgspec
import pytest
from django.core.management import CommandError, call_command

from analysis.exports.exporting import stream
from analysis.exports.source import ExportSource
from analysis.inputs.judged_passages import judged_of_corpus, judged_passages
from analysis.models import AnalysisRun
from annotation.corpora.formats import rubric
from annotation.models import Corpus, Ranking, Study
from judging.banks import deciding
from judging.banks.appending import Change
from judging.instruments.files import BadInstrument
from judging.labels.importing import LabelsRefused
from judging.labels.rubric import instrument_of_bank
from judging.labels.rubric_importing import CannotImport
from judging.models import BankEntry, EntryDecision, Judgment, Rater
from judging.raters.registering import register
from tests.analysis.exports.exported import jsonl
from tests.cast import NOW
from tests.coded_errors import command_ends

pytestmark = pytest.mark.django_db

TEXTS = ("What it is.", "Why it is so.", "An example.", "When it does not hold.")
IDS = [rubric.entry_id("q1", text) for text in TEXTS]
# The hand vector of seed-systems.md, R10: passage -> grades; X ranks p1, p2, Y ranks p3.
VECTOR = {"p1": (5, 2, 0, 0), "p2": (4, 4, 1, 0), "p3": (0, 0, 3, 1)}
PLACES = {"p1": ("x", 1), "p2": ("x", 2), "p3": ("y", 1)}


def bank(**entry):
    items = [
        rubric.RubricEntry(query_id="q1", nugget_id=key, nugget_text=text, **entry)
        for key, text in zip(IDS, TEXTS, strict=True)
    ]
    return rubric.RubricBank(
        query_id="q1", test_collection="dl20", query_text="why?", hash=rubric.digest("why?"),
        items=items,
    )  # fmt: skip


def exam(grades, *, llm="model-1", rater="model", prompt="Crowdwright", **options):
    good = [key for key, grade in zip(IDS, grades, strict=True) if grade >= 1]
    return rubric.ExamGrades(
        correctAnswered=good,
        wrongAnswered=[key for key in IDS if key not in good],
        answers=[(key, f"because of {grade}") for key, grade in zip(IDS, grades, strict=True)],
        llm=llm,
        llm_options={"rater": rater} | options,
        exam_ratio=len(good) / 4,
        prompt_info={"prompt_class": prompt, "is_self_rated": True},
        self_ratings=[
            rubric.SelfRating(nugget_id=key, self_rating=grade)
            for key, grade in zip(IDS, grades, strict=True)
        ],
        prompt_type="nugget",
    )


def passage(key, *exams, judged=()):
    system, rank = PLACES[key]
    place = rubric.PassageRank(
        method=system, paragraphId=key, queryId="q1", rank=rank, score=-float(rank)
    )
    judgments = [
        rubric.Relevance(paragraphId=key, query="q1", relevance=grade, titleQuery="why?")
        for grade in judged
    ]
    return rubric.Paragraph(
        paragraph_id=key,
        text=f"Text of {key}.",
        paragraph_data=rubric.ParagraphData(judgments=judgments, rankings=[place]),
        exam_grades=list(exams),
    )


def files(folder, banks, passages):
    for name, rows in (("bank.jsonl.gz", banks), ("passages.jsonl.gz", passages)):
        (folder / name).write_bytes(gzip.compress(b"".join(rubric.written(rows))))
    return folder / "bank.jsonl.gz", folder / "passages.jsonl.gz"


@pytest.fixture
def given(tmp_path):
    """Two graders, a model and an expert, as our own export writes them."""
    graded = [
        passage(key, exam(row[::-1], llm="expert-1", rater="expert"), exam(row))
        for key, row in VECTOR.items()
    ]
    return files(tmp_path, [bank()], [("q1", graded)])


def exported(name, pool="models"):
    study = Study.objects.get()
    run = AnalysisRun(study=study, parameters={"pool": pool}, seed=1)
    content = b"".join(stream(source=ExportSource.of(study, run=run), name=name))
    return gzip.decompress(content) if name.endswith(".gz") else content


def test_what_goes_out_is_what_came_in(given):
    call_command("import_rubric", "dl20-graded", *map(str, given))
    for name, path in zip(("rubric_bank", "rubric_passages"), given, strict=True):
        assert exported(f"{name}.jsonl.gz") == gzip.decompress(path.read_bytes())
    before = Judgment.objects.count()
    call_command("import_rubric", "dl20-graded", *map(str, given))
    assert Judgment.objects.count() == before == 2 * 12


def test_topics_passages_rankings_and_grades_are_there(given):
    call_command("import_rubric", "dl20-graded", *map(str, given))
    corpus = Corpus.objects.get(slug="dl20")
    assert [topic.query for topic in corpus.topics.all()] == ["why?"]
    assert Ranking.objects.count() == 3
    study = Study.objects.get()
    assert study.launched_at is None
    assert set(Rater.objects.values_list("kind", "pseudonym")) == {
        ("model", "model-1"),
        ("expert", "expert-1"),
    }
    mine = Judgment.objects.get(
        rater__pseudonym="model-1", item__key__contains=IDS[2], item__slots__passage__key="p3"
    )
    assert (mine.value, mine.score, mine.comment) == ("3", 3, "because of 3")


@pytest.mark.parametrize(
    ("by", "grades"),
    [
        ("maximum", {"p1": 5, "p2": 4, "p3": 3}),
        ("count", {"p1": 2, "p2": 3, "p3": 2}),
        ("threshold", {"p1": 1, "p2": 1, "p3": 0}),
    ],
)
def test_imported_grades_become_qrels(given, by, grades):
    call_command("import_rubric", "dl20-graded", *map(str, given))
    lines = exported(f"qrels_{by}.txt").decode().splitlines()
    assert lines == [f"q1 0 {key} {grade}" for key, grade in grades.items()]


def test_graders_of_others_are_models_with_their_prompt(tmp_path, capsys):
    graded = passage(
        "p1",
        exam((1, 2, 3, 4), llm=None, rater="", prompt="NuggetSelfRatedPrompt", temperature=0),
        exam((0, 0, 0, 0), llm=None, rater="", prompt="NuggetSelfRatedPrompt", temperature=0),
        judged=(2,),
    )
    call_command("import_rubric", "g", *map(str, files(tmp_path, [bank()], [("q1", [graded])])))
    rater = Rater.objects.get()
    assert (rater.name, rater.model) == ("flan-t5-large NuggetSelfRatedPrompt", "flan-t5-large")
    assert json.loads(rater.settings)["temperature"] == 0
    assert [j.score for j in Judgment.objects.order_by("item__pk")] == [1, 2, 3, 4]
    output = capsys.readouterr().err
    assert "relevance judgments" not in output
    assert list(judged_passages(Study.objects.get())["grade"]) == [2]
    assert "1 repeated grades" in output


def test_questions_are_asked_as_exam_questions(tmp_path):
    entry = rubric.RubricEntry(
        query_id="q1", question_id="q1/1", question_text="What?", gold_answers=["a"]
    )
    questions = rubric.RubricBank(
        query_id="q1", test_collection="dl20", query_text="why?", hash=1, items=[entry]
    )
    path, _ = files(tmp_path, [questions], [])
    call_command("import_rubric", "exam", str(path))
    assert Study.objects.get().instruments.get().key == "exam-questions"
    assert [row["query_id"] for row in jsonl(path)] == ["q1"]


def test_nothing_comes_in_where_a_line_is_bad(tmp_path, given):
    wrong = passage("p1", exam((9, 0, 0, 0)))
    paths = files(tmp_path, [bank()], [("q1", [wrong])])
    with command_ends(LabelsRefused, match="value"):
        call_command("import_rubric", "g", *map(str, paths))
    assert not Study.objects.exists()
    assert not Corpus.objects.exists()
    paths[0].write_bytes(b"no gzip")
    with command_ends(CannotImport, match=paths[0].name):
        call_command("import_rubric", "g", *map(str, paths))
    twice = bank()
    twice.items.append(twice.items[0])
    path, _ = files(tmp_path, [twice], [])
    with command_ends(CannotImport, match=path.name):
        call_command("import_rubric", "g", str(path))


def test_a_query_or_a_grade_that_is_given_twice_otherwise_is_named(tmp_path):
    other = rubric.RubricBank(
        query_id="q1", test_collection="dl20", query_text="how?", hash=1, items=[]
    )
    path, graded = files(tmp_path, [bank(), other], [])
    with pytest.raises(CommandError, match=r"2: query_text: 'q1'"):
        call_command("import_rubric", "g", str(path))
    unsure = exam((1, 0, 0, 0))
    unsure.self_ratings.append(rubric.SelfRating(nugget_id=IDS[0], self_rating=2))
    path, graded = files(tmp_path, [bank()], [("q1", [passage("p1", unsure)])])
    with pytest.raises(CommandError, match=r"value: .*\b1\b"):
        call_command("import_rubric", "g", str(path), str(graded))
    assert not Study.objects.exists()


def test_a_study_about_something_else_is_not_touched(given, tmp_path):
    call_command("import_rubric", "dl20-graded", *map(str, given))
    other = bank()
    other.items.pop()
    path, _ = files(tmp_path, [other], [])
    with command_ends(CannotImport, match="dl20-graded"):
        call_command("import_rubric", "dl20-graded", str(path))


def test_nuggets_of_nuggetizer_become_points_with_their_importance():
    nuggets = [{"text": text, "importance": "vital"} for text in TEXTS[:2]]
    line = {"qid": "q1", "query": "why?", "nuggets": [*nuggets, {"text": TEXTS[2]}]}
    content = json.dumps(line).encode() + b"\n"
    instrument = instrument_of_bank(content * 2, name="nuggets.jsonl")
    points = [(point.key, point.definition) for point in instrument.criteria if point.topic]
    assert points == [
        *((rubric.entry_id("q1", text, "vital"), text) for text in TEXTS[:2]),
        (rubric.entry_id("q1", TEXTS[2]), TEXTS[2]),
    ]
    with pytest.raises(BadInstrument):
        instrument_of_bank(content + b'{"qid": "q1"}\n', name="nuggets.jsonl")


# -- Files as they came ------------------------------------------------------------------------
def foreign():
    """Return lines of other shapes: one passage alone, markup, direct grades, errors, repeats."""
    rated = json.loads(msgspec.json.encode(exam((5, 4, 0, 1), llm="gpt", rater="", prompt="Nug")))
    first = json.loads(msgspec.json.encode(passage("p1", judged=(3, 1))))
    first |= {"paragraph": {"markup": ["x", {"deep": None}]}, "exam_grades": [rated, rated]}
    first["grades"] = [
        {"correctAnswered": True, "answer": "Yes", "llm": "gpt", "llm_options": {"t": 0.5},
         "self_ratings": 1, "prompt_info": {"prompt_class": "Sun", "extra": [1]},
         "prompt_type": "direct_grading", "relevance_label": 2},
    ]  # fmt: skip
    keyed = {
        "correctAnswered": [IDS[0]], "wrongAnswered": [IDS[1], "q1/not-in-the-bank"],
        "answers": [[IDS[0], "an answer"]], "llm": "t5", "exam_ratio": 0.5,
        "prompt_info": {"prompt_class": "Keyed", "check_answer_key": True},
        "llm_response_errors": {IDS[1]: {"response": "6", "prompt": "?", "failure_reason": "out"}},
    }  # fmt: skip
    second = {"paragraph_id": "p2", "text": "Zw\u00f6lf.", "exam_grades": [keyed], "grades": None}
    return [["q1", first], ["q1", [second, {"paragraph_id": "p3", "text": "Nothing."}]]]


def imported(tmp_path, rows, name="passages.jsonl"):
    bank_file, _ = files(tmp_path, [bank()], [])
    path = tmp_path / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    call_command("import_rubric", "g", str(bank_file), str(path))
    return Study.objects.get()


def exported_rows():
    content = exported("rubric_passages.jsonl.gz")
    return [json.loads(line) for line in content.decode().splitlines()]


def test_a_foreign_file_comes_out_equal(tmp_path):
    for _ in range(2):
        imported(tmp_path, foreign())
        assert exported_rows() == foreign()


def test_judgments_of_a_file_are_labels_beside_its_grades(tmp_path):
    study = imported(tmp_path, foreign())
    rows = judged_passages(study)
    assert rows.values.tolist() == [
        ["Judgments", "q1", "p1", 2],  # 3 and 1: their mean
        ["gpt Sun", "q1", "p1", 1],  # a model's direct grade
    ]
    people = judged_of_corpus(study.corpus)
    assert people.values.tolist() == [["Judgments", "q1", "p1", 2]]


def test_direct_grades_are_labels_of_their_model_and_prompt(tmp_path):
    grade = foreign()[0][1]["grades"][0]
    other = {**grade, "prompt_info": {"prompt_class": "FagB"}, "self_ratings": None}
    failed = {**grade, "llm": "t5", "llm_response_error": {"response": "?", "prompt": "p"}}
    rows = foreign()
    rows[0][1]["paragraph_data"]["judgments"] = []
    rows[0][1]["grades"] = [grade, {**grade, "self_ratings": 0}, other, failed]
    study = imported(tmp_path, rows)
    found = [["gpt FagB", "q1", "p1", 1], ["gpt Sun", "q1", "p1", 1]]
    assert judged_passages(study).values.tolist() == found
    assert judged_of_corpus(study.corpus).values.tolist() == found  # nobody else judged it
    assert study.corpus.labels.get().raters == 2


def test_a_new_grader_is_added_and_a_changed_or_removed_one_is_not_as_in_the_file(tmp_path):
    study = imported(tmp_path, foreign())
    item = Judgment.objects.filter(item__slots__passage__key="p2").first().item
    rater = register(name="Ann", kind="expert", team=study.team)
    question = study.questions.get(scale__kind="range")
    Judgment.objects.create(
        item=item,
        question=question,
        rater=rater,
        raw="4",
        value="4",
        score=4,
        answered_at=NOW,
        first_at=NOW,
    )
    Judgment.objects.filter(rater__model="gpt").delete()
    first, second = exported_rows()
    assert first[1]["exam_grades"] == []
    assert first[1]["grades"] == foreign()[0][1]["grades"]
    old, new = second[1][0]["exam_grades"]
    assert old == foreign()[1][1][0]["exam_grades"][0]
    assert [one["self_rating"] for one in new["self_ratings"]] == [4]
    Judgment.objects.filter(rater__model="t5", score=5).update(score=2, value="2", raw="2")
    _, second = exported_rows()
    assert second[1][0]["exam_grades"][0]["self_ratings"][0]["self_rating"] == 2


def test_words_about_a_secret_entry_stay_in(tmp_path):
    study = imported(tmp_path, foreign())
    entry = BankEntry.objects.get(key=IDS[1])
    newest = EntryDecision.objects.get(entry=entry)
    deciding.decide(
        bank=entry.bank, shown={entry.pk: newest.revision}, change=Change(secret=True),
        by=None, now=NOW,
    )  # fmt: skip
    assert study.instruments.get().bank == entry.bank
    first, second = exported_rows()
    exam_of_model = first[1]["exam_grades"][0]
    assert IDS[1] not in dict(exam_of_model["answers"])
    assert IDS[0] in dict(exam_of_model["answers"])
    assert second[1][0]["exam_grades"][0]["llm_response_errors"] == {}
