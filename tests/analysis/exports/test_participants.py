"""Everything that a participant was asked is in a file, finished or not; withdrawn work in none."""

import pytest
from django.urls import reverse

from analysis.exports.catalogue import offered
from analysis.exports.exporting import write_bundle
from analysis.exports.source import ExportSource
from analysis.pages.entities.catalogue import LISTS
from annotation.fieldwork.consenting import erasing_participants
from annotation.fieldwork.recruiting.completion_codes import code_after
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.screening.scoring import take
from annotation.fieldwork.work import assigning
from annotation.models import Assignment, ReviewDecision, ScreeningResult, Study
from judging.answering import recording
from judging.items import drawing
from judging.models import Judgment, Presentation
from tests.analysis.exports.exported import jsonl, table
from tests.cast import (
    HOUR,
    MINUTE,
    NOW,
    alice,
    begun,
    bob,
    charlie,
    handed_in,
    rita,
    small_study,
    submitted,
    worker,
    writing_study,
)
from tests.judging.review.checked import checked
from tests.planted import WORD
from tests.writing.editor.typing_hands import typed
from writing.editor import drafting
from writing.log.collecting import collect
from writing.log.eventlog import encode

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
OF_PEOPLE = ("assignments", "participants", "other_answers", "comments", "written_texts")
EXIT = [
    {
        "key": "ease",
        "kind": "scale",
        "label": "How easy?",
        "options": [{"code": "1", "label": "hard"}, {"code": "2", "label": "easy"}],
    },
    {"key": "remarks", "kind": "text", "label": "Remarks?", "options": []},
]
SCREENING = {
    "questions": [
        {
            "key": "sky",
            "label": "Which colour?",
            "options": [{"code": "b", "label": "blue"}, {"code": "g", "label": "green"}],
            "right": "b",
        }
    ],
    "pass_mark": 1,
    "reward": "0.50",
}


def answered_pages(work, n):
    """Answer the first `n` pages of a questionnaire, and stop."""
    pages = drawing.draw_presentations(assignment=work)[:n]
    questions = recording.questions_of(work.study_id)
    given = [
        recording.GivenAnswer(page.position, key, question.scale.spec["options"][0]["code"])
        for page in pages
        for key, question in questions[page.instrument_id].items()
    ]
    recording.record(assignment=work, answers=given, now=NOW)
    return pages


def exported(study, tmp_path):
    write_bundle(study=study, out=tmp_path)
    return {
        name: jsonl(tmp_path / f"{name}.jsonl.gz")
        for name in OF_PEOPLE
        if (tmp_path / f"{name}.jsonl.gz").exists()
    }


def passed(study, person):
    """Let somebody pass the screening."""
    ScreeningResult.objects.create(
        study=study, slug=study.slug, worker=person, answers={"sky": "b"}, right=1, asked=1,
        is_passed=True, answered_at=NOW,
    )  # fmt: skip
    return person


@pytest.fixture
def study():
    """Bob handed in and was approved, Alice left after two pages, Charlie was rejected."""
    study = small_study(responses=4, quota=4, pay=2, screening=SCREENING, recruitment="prolific")
    Study.objects.filter(pk=study.pk).update(exit_form=EXIT)
    study.refresh_from_db()
    for person in (bob(), charlie()):
        passed(study, person)
    done = submitted(study, bob())
    left = begun(study, alice())
    answered_pages(left, 2)
    assigning.expire_due(now=NOW + 1000 * HOUR)
    refused = submitted(study, charlie())
    for work, decision in ((done, "accept"), (refused, "reject")):
        reviewing.decide(
            assignment=work, decision=ReviewDecision.Decision(decision), reviewer="rita",
            reason="Read.", now=NOW + HOUR,
        )  # fmt: skip
    answers = {"ease": "2", "remarks": "12"}
    Assignment.objects.filter(pk=done.pk).update(exit_answers=answers)
    Presentation.objects.filter(assignment=left, position=1).update(comment="Hard to read.")
    return study


def test_each_assignment_has_times_state_decision_pay_and_forms(study, tmp_path):
    rows = {row["worker"]: row for row in exported(study, tmp_path)["assignments"]}
    assert {name: (row["state"], row["finished"]) for name, row in rows.items()} == {
        "bob": ("accepted", True),
        "alice": ("expired", False),
        "charlie": ("rejected", True),
    }
    bobs, alices = rows["bob"], rows["alice"]
    assert (bobs["decision"], bobs["reason"]) == ("accept", "Read.")
    assert (bobs["pay"], bobs["owed"], bobs["approved"], bobs["paid"]) == (2.0, 2.0, 2.0, 0.0)
    assert (bobs["exit_ease"], bobs["exit_remarks"]) == (2, "12")
    assert bobs["submitted_at"] == (NOW + 10 * MINUTE).isoformat(timespec="milliseconds")
    assert bobs["completion_code"]
    assert (alices["owed"], alices["submitted_at"], alices["completion_code"]) == (0.0, None, "")
    assert (alices["pages"], alices["answered_pages"]) == (6, 2)
    assert (bobs["pages"], bobs["answered_pages"]) == (6, 6)
    flat = {row["worker"]: row for row in table(tmp_path / "assignments.csv")}
    assert list(flat["bob"]) == list(bobs)


def test_each_participant_has_a_row_with_the_screening(study, tmp_path):
    rows = {row["worker"]: row for row in exported(study, tmp_path)["participants"]}
    assert (rows["bob"]["screening_sky"], rows["bob"]["screening_passed"]) == ("b", True)
    assert rows["alice"]["screening_sky"] is None
    counts = ("assignments", "submitted", "accepted", "rejected", "unfinished")
    assert [rows["alice"][name] for name in counts] == [1, 0, 0, 0, 1]
    assert [rows["charlie"][name] for name in counts] == [1, 1, 0, 1, 0]
    assert rows["bob"]["approved"] == 2.0


def test_the_codes_of_other_outcomes_and_failed_screenings_are_exported(study, tmp_path):
    """At Prolific a failed check and a failed screening show codes of their own."""
    failed = submitted(study, passed(study, worker("emil")))
    reviewing.decide(
        assignment=failed, decision=ReviewDecision.Decision.REJECT, reviewer="rule: attention",
        reason="Missed two.", now=NOW + HOUR,
    )  # fmt: skip
    out = begun(study, worker("fay"))
    take(assignment=out, answers={"sky": "g"}, now=NOW)
    works = {work.worker.pseudonym: work for work in study.assignments.all()}
    shown = {name: code_after(works[name]) for name in ("bob", "charlie", "emil", "fay")}
    found = exported(study, tmp_path)
    codes = {row["worker"]: row["completion_code"] for row in found["assignments"]}
    assert codes == {**shown, "alice": ""}
    assert len({shown["bob"], shown["emil"], shown["fay"]}) == 3
    (row,) = (row for row in found["participants"] if row["worker"] == "fay")
    assert (row["screening_sky"], row["screening_passed"]) == ("g", False)


def test_unfinished_work_is_exported_and_marked(study, tmp_path):
    """The case partial-work: two pages answered, then nothing."""
    rows = exported(study, tmp_path)["other_answers"]
    mine = [row for row in rows if row["worker"] == "alice"]
    assert len(mine) == 2
    assert {(row["state"], row["finished"], row["check"]) for row in mine} == {
        ("expired", False, "")
    }
    assert {row["position"] for row in mine} == {1, 2}
    assert {row["worker"] for row in rows} == {"alice", "charlie"}
    votes = jsonl(tmp_path / "votes.jsonl.gz")
    assert {row["worker"] for row in votes} == {"bob"}
    comment = jsonl(tmp_path / "comments.jsonl.gz")[0]
    assert (comment["comment"], comment["finished"]) == ("Hard to read.", False)


def test_answers_to_checks_are_exported(tmp_path):
    study = small_study(instrument=checked(), responses=4, quota=2)
    work = handed_in(begun(study, bob()))
    rows = exported(study, tmp_path)["other_answers"]
    checks = Judgment.objects.filter(assignment=work, item__check_of__isnull=False)
    assert len(rows) == checks.count() > 0
    assert {row["check"] for row in rows} == set(
        checks.values_list("item__check_of__role", flat=True)
    )


def test_a_writing_study_exports_unfinished_texts(tmp_path):
    study = writing_study(topics=2)
    done = handed_in(begun(study, bob()))
    left = begun(study, alice())
    drafting.acknowledge(assignment=left, now=NOW, answers={})
    collect(assignment=left, number=1, events_json=encode(typed("So far.")), now=NOW, tab="t")
    assigning.expire_due(now=NOW + 1000 * HOUR)
    tables = exported(study, tmp_path)
    rows = {row["worker"]: row for row in tables["written_texts"]}
    assert (rows["alice"]["text"], rows["alice"]["finished"]) == ("So far.", False)
    assert (rows["bob"]["text"], rows["bob"]["state"]) == ("Lamps shine.", "submitted")
    work = {row["worker"]: row for row in tables["assignments"]}
    assert work["bob"]["assignment"] == done.pk
    assert work["alice"]["style"] == "essay"
    assert "other_answers" not in tables


def test_who_did_not_agree_or_withdrew_is_in_no_file(study, tmp_path):
    place = assigning.claim(study=study, worker=worker("dora"), now=NOW)
    assigning.return_task(assignment=place, now=NOW)
    Presentation.objects.filter(assignment__worker=bob()).update(comment=WORD)
    Assignment.objects.filter(worker=bob()).update(exit_answers={"remarks": WORD})
    exported(study, tmp_path)
    assert WORD in (tmp_path / "assignments.csv").read_text()
    erasing_participants.erase(study=study, worker=bob(), reason="Asked.", now=NOW + HOUR)
    tables = exported(study, tmp_path)
    for name, rows in tables.items():
        assert not {"bob", "dora"} & {row["worker"] for row in rows}, name
    for path in tmp_path.iterdir():
        data = path.read_bytes()
        assert WORD not in (str(jsonl(path)) if path.suffix == ".gz" else data.decode())


def test_the_columns_have_one_type(study, tmp_path):
    """A text field keeps its text, also where somebody wrote a number."""
    for name, rows in exported(study, tmp_path).items():
        for column in rows[0]:
            types = {type(row[column]) for row in rows} - {type(None)}
            assert len(types) <= 1, (name, column, types)


def test_a_study_with_nothing_but_unfinished_work_has_these_files(tmp_path):
    study = writing_study()
    assert offered(ExportSource.of(study)) == ()
    begun(study, bob())
    assert set(offered(ExportSource.of(study))) == {
        f"{name}.{ending}"
        for name in ("assignments", "participants")
        for ending in ("jsonl.gz", "csv")
    }
    assert list(exported(study, tmp_path)) == ["assignments", "participants"]


def test_the_page_and_the_api_offer_the_files(study, client):
    client.force_login(rita())
    page = client.get(f"/studies/{study.slug}/1/exports/").text
    listed = str(client.get(f"/api/studies/{study.slug}/1/exports/").json())
    for name in ("assignments", "participants", "other_answers", "comments"):
        assert f"{name}.csv" in page
        assert f"{name}.csv" in listed
        file = client.get(f"/api/studies/{study.slug}/1/exports/{name}.csv")
        assert b"".join(file.streaming_content).count(b"\r\n") > 1


def test_comments_on_pages_are_listed_and_searched(study, client):
    client.force_login(rita())
    address = reverse("comment_list", args=[study.slug, study.version])
    page = client.get(address)
    assert page.text.count("data-comment") == 1
    assert "Hard to read." in page.text
    for found, asked in ((1, {"q": "hard to"}), (1, {"q": "alice"}), (0, {"q": "easy"}),
                         (1, {"state": "expired"}), (0, {"state": "accepted"}),
                         (1, {"worker": "alice"})):  # fmt: skip
        assert client.get(address, asked).context["page"].paginator.count == found, asked
    assert address in client.get(reverse("vote_list", args=[study.slug, study.version])).text
    assert LISTS["comments"].kinds == ("judging",)


def test_reasons_and_texts_of_forms_are_comments(study, client, tmp_path):
    judgment = Judgment.objects.filter(assignment__worker=bob(), item__check_of=None).first()
    Judgment.objects.filter(pk=judgment.pk).update(comment="The left one is shorter.")
    text = next(field["key"] for field in study.exit_form if field["kind"] == "text")
    Assignment.objects.filter(worker=bob()).update(exit_answers={text: "Ein schönes Ende"})
    client.force_login(rita())
    place = [study.slug, study.version]
    for name, words, pseudonym in (
        ("reason_list", "SHORTER", "bob"),
        ("form_comment_list", "schönes", "bob"),
        ("comment_list", "hard to", "alice"),
    ):
        page = client.get(reverse(name, args=place), {"q": words})
        assert page.context["page"].paginator.count == 1, name
        assert page.text.count("data-comment") == 1, name
        assert reverse("worker_page", args=[*place, pseudonym]) in page.text or name.startswith("f")
        none = client.get(reverse(name, args=place), {"q": "nothing like it"})
        assert none.context["page"].paginator.count == 0
    response = judgment.item.slots.first().response
    for name in ("reason_list", "comment_list"):
        page = client.get(reverse(name, args=place), {"response": response.key})
        other = client.get(reverse(name, args=place), {"response": "other"})
        assert other.context["page"].paginator.count == 0
        n = page.context["page"].paginator.count
        about = client.get(reverse("response_page", args=[*place, response.key]))
        assert about.context[f"{name.removesuffix('_list')}_count"] == n
    method = study.instruments.get().key
    for asked, found in ((method, 1), ("other", 0)):
        page = client.get(reverse("reason_list", args=place), {"method": asked, "worker": "bob"})
        assert page.context["page"].paginator.count == found
    rows = exported(study, tmp_path)["comments"]
    assert {(row["kind"], row["worker"], row["question"], row["comment"]) for row in rows} >= {
        ("page", "alice", "", "Hard to read."),
        ("reason", "bob", judgment.question.key, "The left one is shorter."),
        ("exit", "bob", text, "Ein schönes Ende"),
    }
    Assignment.objects.filter(worker=bob()).update(state=Assignment.State.WITHDRAWN)
    assert {row["worker"] for row in exported(study, tmp_path)["comments"]} == {"alice"}
