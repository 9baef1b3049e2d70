"""Programs that take the type of a column from its first rows read every file."""

import gzip
import json

import pytest

from analysis.exports.exporting import write_bundle
from judging.answering import recording
from judging.instruments.schema import OptionSpec, QuestionSpec, ScaleSpec
from judging.items import drawing
from tests.analysis.exports.exported import analysed, jsonl, judged_study
from tests.cast import NOW, PREFERENCE, begun, small_corpus, small_study, tiny_instrument, worker

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_analyses")]

# Their rows are lists, or of other schemas.
OF_OTHERS = ("rubric_passages.jsonl.gz",)


def types_in(path):
    """Column (of lists: of their entries) -> the types of its cells in JSON."""
    found = {}

    def note(name, value):
        if isinstance(value, dict):
            for key, inner in value.items():
                note(f"{name}.{key}", inner)
        elif isinstance(value, list):
            found.setdefault(name, set()).add("list")
            for inner in value:
                note(f"{name}[]", inner)
        elif value is not None:
            found.setdefault(name, set()).add(type(value).__name__)

    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            for name, value in json.loads(line).items():
                note(name, value)
    return found


def mixed(folder):
    mixture = {}
    for path in folder.glob("*.jsonl.gz"):
        if path.name not in OF_OTHERS:
            for name, types in types_in(path).items():
                if len(types) > 1:
                    mixture[path.name, name] = types
    return mixture


def study_of_many_scales():
    """Preferences, numbers on two ranges, codes that are numbers, and words."""
    scales = [
        PREFERENCE,
        ScaleSpec(key="percent", kind="range", min=0, max=1, step=0.5),
        ScaleSpec(key="stars", kind="range", min=1, max=5, step=1),
        ScaleSpec(
            key="grade",
            kind="options",
            options=[
                OptionSpec(code=code, label=code, role="label") for code in ("-1", "1", "2.5")
            ],
        ),
        ScaleSpec(key="words", kind="text"),
    ]
    return small_study(
        instrument=tiny_instrument(
            scales=scales,
            questions=[
                QuestionSpec("better", "better", "preference", "Which one is better?"),
                *(
                    QuestionSpec(key, "better", key, f"How {key}?")
                    for key in ("percent", "stars", "grade", "words")
                ),
            ],
        ),
        quota=3,
        topics=2,
        presentation={"sides": "fixed"},
    )


ANSWERS = {
    "bob": {"better": "a", "percent": "1", "stars": "2", "grade": "-1", "words": "3"},
    "alice": {"better": "n", "percent": "0.5", "stars": "5", "grade": "2.5", "words": "So."},
    "charlie": {"better": "b", "percent": "0", "stars": "1", "grade": "1", "words": "-"},
}


def test_every_column_of_a_study_of_many_scales_has_one_type(tmp_path):
    study = study_of_many_scales()
    for name, codes in ANSWERS.items():
        assignment = begun(study, worker(name))
        given = [
            recording.GivenAnswer(presentation.position, question, code)
            for presentation in drawing.draw_presentations(assignment=assignment)
            for question, code in codes.items()
        ]
        recording.record(assignment=assignment, answers=given, now=NOW)
        recording.submit(assignment=assignment, now=NOW)
    analysed(study)
    write_bundle(study=study, out=tmp_path)
    assert mixed(tmp_path) == {}
    types = types_in(tmp_path / "ratings.jsonl.gz")
    assert types["percent_vote[]"] == {"float"}
    assert types["stars_vote[]"] == {"int"}
    assert types["grade_vote[]"] == types["better_vote[]"] == {"str"}
    assert types_in(tmp_path / "votes.jsonl.gz")["vote"] == {"str"}


@pytest.mark.parametrize("instrument", ["crowdrag-pairwise", "crowdrag-pointwise"])
def test_every_column_of_a_study_has_one_type(tmp_path, instrument):
    study = judged_study("bob", "alice", instrument=instrument)
    write_bundle(study=study, out=tmp_path)
    assert mixed(tmp_path) == {}
    votes = types_in(tmp_path / "votes.jsonl.gz")["vote"]
    assert votes == ({"str"} if instrument == "crowdrag-pairwise" else {"int"})
    if instrument == "crowdrag-pairwise":
        grades = types_in(tmp_path / "grades.jsonl.gz")
        assert {frozenset(types) for name, types in grades.items() if name != "response"} == {
            frozenset({"float"})
        }


def test_votes_name_both_systems_and_the_winner(tmp_path):
    corpus = small_corpus(topics=1, responses=3)
    first, second, third = corpus.responses.order_by("key")
    for response in (first, second):
        response.system = corpus.systems.create(key=f"RAG-{response.key[-1]}", name="RAG")
        response.save()
    study = judged_study("bob", "alice", corpus=corpus, topics=1)
    write_bundle(study=study, out=tmp_path)
    systems = {first.key: first.system.key, second.key: second.system.key, third.key: None}
    rows = jsonl(tmp_path / "votes.jsonl.gz")
    assert {row["vote"] for row in rows} >= {"a", "b"}
    for row in rows:
        assert row["system_a"] == systems[row["response_a"]]
        assert row["system_b"] == systems[row["response_b"]]
        winner = {"a": row["response_a"], "b": row["response_b"]}.get(row["vote"])
        assert row["winner"] == winner
        assert row["winner_system"] == (systems[winner] if winner else None)
    assert "| winner_system |" in (tmp_path / "DATA.md").read_text()


def test_codes_of_answers_are_the_same_in_every_file(tmp_path):
    study = judged_study("bob", "alice", topics=1)
    write_bundle(study=study, out=tmp_path)
    votes = jsonl(tmp_path / "votes.jsonl.gz")
    (name,) = {row["question"] for row in votes}
    codes = {row["vote"] for row in votes if row["question"] == name}
    ratings = jsonl(tmp_path / "ratings.jsonl.gz")
    assert {code for row in ratings for code in row[f"{name}_vote"]} == codes
    assert {row[f"{name}_gold"] for row in ratings} <= codes
    assert all(f"{name}_p_{code}" in ratings[0] for code in codes)


def test_ratings_have_capitals_where_the_analysis_is_as_published(tmp_path):
    study = judged_study("bob", "alice", topics=1, analysis={"compat": "gienapp2025"})
    write_bundle(study=study, out=tmp_path)
    (name,) = {row["question"] for row in jsonl(tmp_path / "votes.jsonl.gz")}
    ratings = jsonl(tmp_path / "ratings.jsonl.gz")
    assert {code for row in ratings for code in row[f"{name}_vote"]} <= {"A", "N", "B"}
    assert {row[f"{name}_gold"] for row in ratings} <= {"a", "n", "b"}
