"""The export: every column described, nobody in it who should not be, and nothing that bites."""

import csv
import re
from collections import Counter
from datetime import timedelta
from io import StringIO

import pytest

from analysis.exports.catalogue import FILES, TABLES, offered
from analysis.exports.dictionary import GUIDE, updated_guide
from analysis.exports.exporting import stream, write_bundle
from analysis.exports.source import ExportSource
from analysis.exports.votes_and_labels import ratings as rows_of_ratings
from analysis.inputs import frames
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning
from annotation.models import Assignment, Corpus, Response, ReviewDecision
from annotation.people.pseudonyms import encrypted
from annotation.texts.spreadsheets import BOM, unguarded
from judging.answering import recording
from judging.instruments.schema import OptionSpec, QuestionSpec, ScaleSpec
from judging.items import drawing
from tests.analysis.exports.exported import analysed, columns, content, jsonl, judged_study, table
from tests.analysis.inputs.measured import measure_of
from tests.cast import (
    HOUR,
    MINUTE,
    NOW,
    PREFERENCE,
    alice,
    answer_all,
    begun,
    bob,
    charlie,
    small_corpus,
    small_study,
    submitted,
    tiny_instrument,
    worker,
)

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.storage,
    pytest.mark.usefixtures("few_analyses"),
]

# Tables whose rows name the state of their work; of rejected work here are no comments.
MARKED = ("assignments", "participants", "other_answers")
NASTY = ["=1+1", "a,b", 'c"d', "e\nf", "g\rh", "@sum", "-2", "+3", "\ti", "\rj", "é|ü", "'="]
NASTY += ["\nk", "＝1", "l;=1"]


def answered(study, person, codes, *, comment="", **given):
    """Answer each question with its code in `codes`, and submit."""
    assignment = begun(study, person)
    recording.record(
        assignment=assignment,
        answers=[
            recording.GivenAnswer(presentation.position, question, code, comment=comment, **given)
            for presentation in drawing.draw_presentations(assignment=assignment)
            for question, code in codes.items()
        ],
        now=NOW,
    )
    return recording.submit(assignment=assignment, now=NOW + 10 * MINUTE)


def nasty_corpus():
    corpus = Corpus.objects.create(slug="nasty", name="nasty")
    topic = corpus.topics.create(key="=cmd()", query="why?")
    for key in NASTY:
        Response.objects.create(
            corpus=corpus, topic=topic, key=key, style="essay", origin="llm", text=key, words=50
        )
    return corpus


def test_every_column_is_described(tmp_path):
    pointwise = judged_study("bob", slug="points", instrument="crowdrag-pointwise")
    pairwise = judged_study(
        "bob",
        slug="pairs",
        corpus=small_corpus(slug="pairs"),
        instrument="crowdrag-pairwise",
        topics=1,
        cap=2,
    )
    text = GUIDE.read_text()
    documented = {
        name: {
            column.strip()
            for line in section.splitlines()
            if line.startswith("| ")
            for column in line.split("|")[1].split(",")
        }
        for name, section in (part.split("\n", 1) for part in text.split("\n## ")[1:])
    }
    for study in (pairwise, pointwise):
        write_bundle(study=study, out=tmp_path / study.slug)
        source = ExportSource.of(study)
        names = {asked.key: "{question}" for asked in source.questions}
        for name in FILES:
            for column in columns(tmp_path / study.slug / name):
                for question in names:
                    if column == question or column.startswith(f"{question}_"):
                        column = column.replace(question, "{question}")
                        break
                if column.startswith(("entry_", "exit_", "screening_")):
                    column = column.split("_")[0] + "_{question}"
                column = column.split("p_")[0] + "p_{answer}" if "p_" in column else column
                table = name.split(".")[0]
                assert column in {declared.key for declared in TABLES[table].columns}
                assert column in documented[table]


def test_the_guide_has_the_columns_as_they_are_declared():
    # To mend it: manage.py shell -c "from analysis.exports.dictionary import *; save_guide()"
    assert updated_guide(GUIDE.read_text()) == GUIDE.read_text()


def test_a_pointwise_study_exports_numbers_and_no_grades(tmp_path):
    study = judged_study("bob", "alice", instrument="crowdrag-pointwise")
    manifest = write_bundle(study=study, out=tmp_path)
    row = jsonl(tmp_path / "ratings.jsonl.gz")[0]
    assert list(row)[:4] == ["submission_id", "query_id", "response", "worker"]
    key = "coherence_logical"
    asked = next(
        question for question in ExportSource.of(study).questions if question.key.startswith(key)
    )
    assert row[f"{asked.key}_vote"] == [int(asked.labels[0])] * 2
    assert {f"{asked.key}_p_{label}" for label in asked.labels} <= set(row)
    assert row[f"{asked.key}_gold"] in map(int, asked.labels)
    assert set(manifest.left_out) == {"grades.jsonl.gz", "grades.csv"}
    assert "compares no pairs" in manifest.left_out["grades.csv"]
    line = table(tmp_path / "ratings.csv")[0]
    assert line[f"{asked.key}_vote"] == asked.labels[0]  # -3, a number, not '-3


def test_votes_agree_with_the_frames(tmp_path):
    people, some = ("bob", "alice", "charlie"), {"votes_per_item": 2}
    study = judged_study(*people, analysis=some, quota=4)
    write_bundle(study=study, out=tmp_path)
    frame = frames.votes(study=study, measure=measure_of(study), votes_per_item=2)
    counted = frame[frame["counted"]]
    expected = [
        (a, b, who, value)
        for a, b, who, value in counted[["a", "b", "worker", "value"]].itertuples(index=False)
    ]
    rows = jsonl(tmp_path / "ratings.jsonl.gz")
    ours = [
        (row["response_a"], row["response_b"], who, vote)
        for row in rows
        for who, vote in zip(row["worker"], row["better_vote"], strict=True)
    ]
    assert ours == expected
    assert {vote for *_, vote in ours} == {"a", "b"}  # sides were drawn, all chose the left
    flat = [
        (line["response_a"], line["response_b"], line["worker"], line["better_vote"])
        for line in table(tmp_path / "ratings.csv")
    ]
    assert flat == ours
    votes = jsonl(tmp_path / "votes.jsonl.gz")
    assert len(votes) == len(frame)
    assert Counter(row["worker"] for row in votes if row["counted"]) == Counter(counted["worker"])
    late = submitted(study, worker("dora"))  # after the analysis
    write_bundle(study=study, out=tmp_path)
    votes = jsonl(tmp_path / "votes.jsonl.gz")
    assert {row["counted"] for row in votes if row["worker"] == late.worker.pseudonym} == {False}


@pytest.mark.parametrize("compat", [None, "gienapp2025"])
def test_a_worker_who_answers_twice_is_counted_once(tmp_path, compat):
    study = small_study(topics=2, responses=3, quota=3)
    once = submitted(study, bob())
    again, other = submitted(study, alice()), submitted(study, charlie())
    for judgment in once.judgments.all():  # the same person meets the item with the sides changed
        same = again.judgments.filter(item=judgment.item, question=judgment.question)
        same.update(rater=judgment.rater, shown=",".join(reversed(judgment.shown.split(","))))
    study.analysis = {"compat": compat} if compat else {}
    run = analysed(study)
    write_bundle(study=study, out=tmp_path)
    votes = jsonl(tmp_path / "votes.jsonl.gz")
    counted = Counter(row["worker"] for row in votes if row["counted"])
    name, items = once.worker.pseudonym, study.items.count()
    assert counted == {name: items * (2 if compat else 1), other.worker.pseudonym: items}
    rows = jsonl(tmp_path / "ratings.jsonl.gz")
    assert all(row["worker"].count(name) == (2 if compat else 1) for row in rows)
    source = ExportSource.of(study, run=run)
    assert len(list(rows_of_ratings(source))) == len(rows)
    assert not source.changed


def test_no_vote_counts_on_an_item_that_was_judged_after_the_analysis(tmp_path):
    study = small_study(topics=2, responses=3, quota=2)
    early = submitted(study, bob())
    early.judgments.filter(item=early.judgments.first().item).update(raw="")
    analysed(study)
    late = submitted(study, alice())
    write_bundle(study=study, out=tmp_path)
    counted = {(row["worker"], row["counted"]) for row in jsonl(tmp_path / "votes.jsonl.gz")}
    assert counted == {(early.worker.pseudonym, True), (late.worker.pseudonym, False)}


def test_a_study_that_was_not_analysed_does_not_say_what_counts(tmp_path):
    study = small_study()
    submitted(study, bob())
    write_bundle(study=study, out=tmp_path)
    assert {row["counted"] for row in jsonl(tmp_path / "votes.jsonl.gz")} == {None}


def test_who_leaves_a_question_out_stays_in_the_row_with_a_gap(tmp_path):
    options = [*PREFERENCE.options, OptionSpec(code="?", label="Cannot say", role="abstain")]
    scale = ScaleSpec(key="unsure", kind="options", options=options)
    study = small_study(
        instrument=tiny_instrument(
            scales=[PREFERENCE, scale],
            questions=[
                QuestionSpec("better", "better", "unsure", "Which one is better?"),
                QuestionSpec("nicer", "better", "preference", "Which one is nicer?"),
            ],
        ),
        quota=3,
        presentation={"sides": "fixed"},
    )
    answered(study, bob(), {"better": "a", "nicer": "a"})
    answered(study, alice(), {"better": "?", "nicer": "n"})
    answered(study, charlie(), {"better": "b", "nicer": "b"}, comment="=cmd")
    analysed(study)
    write_bundle(study=study, out=tmp_path)
    (row,) = jsonl(tmp_path / "ratings.jsonl.gz")
    assert row["worker"] == ["bob", "alice", "charlie"]
    assert row["better_vote"] == ["a", None, "b"]
    assert row["nicer_vote"] == ["a", "n", "b"]
    votes = jsonl(tmp_path / "votes.jsonl.gz")
    assert [row["vote"] for row in votes] == ["a", "a", "?", "n", "b", "b"]
    assert [row["comment"] for row in votes][-1] == "=cmd"
    assert table(tmp_path / "votes.csv")[-1]["comment"] == "=cmd"
    assert not set(row) & {"better_p_?"}


def test_votes_tell_where_and_how_each_was_given(tmp_path):
    study = small_study(topics=2, responses=2)
    assignment = begun(study, bob())
    presentations = drawing.draw_presentations(assignment=assignment)
    for code, minutes in (("a", 1), ("b", 2)):
        recording.record(
            assignment=assignment,
            answers=[
                recording.GivenAnswer(presentation.position, "better", code, milliseconds=1500)
                for presentation in presentations
            ],
            now=NOW + timedelta(minutes=minutes),
        )
    recording.comment(assignment=assignment, position=1, text="Short.")
    recording.submit(assignment=assignment, now=NOW + HOUR)
    write_bundle(study=study, out=tmp_path)
    rows = {row["position"]: row for row in jsonl(tmp_path / "votes.jsonl.gz")}
    for presentation in presentations:
        row = rows[presentation.position]
        assert row["raw"] == "b"
        assert row["shown"] == presentation.order
        assert row["vote"] == presentation.order.split(",")[1]  # on the right stood this slot
        assert (row["milliseconds"], row["changes"]) == (1500, 1)
        assert row["first_at"] == "2026-03-02T09:01:00.000+00:00"
        assert row["answered_at"] == "2026-03-02T09:02:00.000+00:00"
    assert rows[1]["item_comment"] == "Short."
    assert rows[2]["item_comment"] == ""
    assert {row["submission_id"] for row in rows.values()} == {assignment.task.key}


def test_answers_for_each_slot_say_which_and_stay_out_of_the_ratings(tmp_path):
    scale = ScaleSpec(key="stars", kind="range", min=-2, max=2)
    study = small_study(
        instrument=tiny_instrument(
            scales=[PREFERENCE, scale],
            questions=[
                QuestionSpec("better", "better", "preference", "Which one is better?"),
                QuestionSpec("stars", "better", "stars", "How good is it?", arity="slot"),
            ],
        )
    )
    assignment = begun(study, bob())
    drawing.draw_presentations(assignment=assignment)
    answers = [
        recording.GivenAnswer(1, "stars", raw, slot) for slot, raw in (("a", "-2"), ("b", "1"))
    ]
    answers.append(recording.GivenAnswer(1, "better", "a"))
    recording.record(assignment=assignment, answers=answers, now=NOW)
    recording.submit(assignment=assignment, now=NOW)
    analysed(study)
    write_bundle(study=study, out=tmp_path)
    votes = {(row["question"], row["slot"]): row for row in jsonl(tmp_path / "votes.jsonl.gz")}
    assert votes["stars", "a"]["vote"] == "-2"  # beside answers that are texts
    assert votes["stars", "b"]["vote"] == "1"
    (row,) = jsonl(tmp_path / "ratings.jsonl.gz")
    assert not [key for key in row if key.startswith("stars")]


# -- Nothing that bites ------------------------------------------------------------------------


def test_ids_with_formulas_commas_and_newlines_come_through(tmp_path):
    study = judged_study("@bob", corpus=nasty_corpus(), items=200)
    write_bundle(study=study, out=tmp_path)
    assert {row["response"] for row in jsonl(tmp_path / "responses.jsonl.gz")} == set(NASTY)
    assert {row["response"] for row in table(tmp_path / "responses.csv")} == set(NASTY)
    ratings = jsonl(tmp_path / "ratings.jsonl.gz")
    pairs = {(row["response_a"], row["response_b"]) for row in ratings}
    assert len(pairs) == len(NASTY) * (len(NASTY) - 1) / 2
    lines = table(tmp_path / "ratings.csv")
    assert {line["query_id"] for line in lines} == {"=cmd()"}
    assert {line["worker"] for line in lines} == {"@bob"}
    assert {(line["response_a"], line["response_b"]) for line in lines} == pairs
    assert len(lines) == len(pairs)


def test_files_for_excel_have_a_mark_and_no_formula():
    """The case excel-bom: umlauts survive a double click on votes.csv."""
    study = judged_study("@bob", "zoë", corpus=nasty_corpus(), items=20)
    source = ExportSource.of(study)
    files = [name for name in offered(source) if name.endswith(".csv")]
    assert {"votes.csv", "responses.csv", "gold.csv"} <= set(files)
    texts = {}
    for name in files:
        plain = b"".join(stream(source=source, name=name)).decode()
        marked = b"".join(stream(source=source, name=name.replace(".csv", ".excel.csv"))).decode()
        assert marked[0] == BOM != plain[0]
        rows = list(csv.reader(StringIO(marked[1:], newline="")))
        assert [[unguarded(cell) for cell in row] for row in rows] == list(
            csv.reader(StringIO(plain, newline=""))
        )
        assert not [cell for row in rows for cell in row if re.match("[=@＝\t\r\n]", cell)]
        texts[name] = marked
    assert "zoë" in texts["votes.csv"]
    assert "'@bob" in texts["votes.csv"]


def test_only_pseudonyms_leave_the_house(tmp_path):
    study = judged_study("bob", "charlie")
    Assignment.objects.update(
        external_id=encrypted("session-of-prolific"), exit_answers={"mail": "b@ob.org"}
    )
    write_bundle(study=study, out=tmp_path)
    secrets = ["session-of-prolific", "b@ob.org", "-of-prolific", "Rita"]
    for assignment in Assignment.objects.select_related("worker"):
        secrets += [
            assignment.token,
            assignment.worker.external_hash,
            bytes(assignment.worker.external_id).decode(),
        ]
    for path in tmp_path.rglob("*.*"):
        data = content(path).decode()
        assert [secret for secret in secrets if secret in data] == []
    assert "charlie" in content(tmp_path / "ratings.jsonl.gz").decode()


def test_who_withdrew_is_in_no_file_and_rejected_work_is_marked(tmp_path):
    study = small_study(quota=4, topics=2, responses=3)
    for name in ("bob", "dora", "rejected-ron", "withdrawn-wendy"):
        submitted(study, worker(name))
    analysed(study)
    out = tmp_path / "before"
    assert write_bundle(study=study, out=out).notes == []
    assert b"wendy" in content(out / "ratings.jsonl.gz")
    wendy = Assignment.objects.get(worker__pseudonym="withdrawn-wendy")
    assigning.withdraw(assignment=wendy, now=NOW + HOUR)
    ron = Assignment.objects.get(worker__pseudonym="rejected-ron")
    reviewing.decide(
        assignment=ron,
        decision=ReviewDecision.Decision.REJECT,
        reviewer="rita",
        reason="Empty.",
        now=NOW + HOUR,
    )
    stale = write_bundle(study=study, out=tmp_path / "stale")
    assert "has withdrawn" in stale.notes[0]
    assert "since run" in stale.notes[1]
    analysed(study)
    fresh = write_bundle(study=study, out=tmp_path / "fresh")
    assert fresh.notes == ["Computed again without 1 person who withdrew."]
    for folder in ("stale", "fresh"):
        assert (tmp_path / folder / "tables" / "competence-competence.csv").exists()
        for path in (tmp_path / folder).rglob("*.*"):
            assert b"wendy" not in content(path)
            is_marked = path.name.split(".")[0] in MARKED
            assert (b"rejected-ron" in content(path)) == is_marked, path.name
    assert b"dora" in content(tmp_path / "fresh" / "votes.csv")


def test_an_unfinished_questionnaire_is_not_exported(tmp_path):
    study = small_study(quota=2)
    submitted(study, bob())
    answer_all(begun(study, alice()))
    write_bundle(study=study, out=tmp_path)
    assert {row["worker"] for row in jsonl(tmp_path / "votes.jsonl.gz")} == {"bob"}
