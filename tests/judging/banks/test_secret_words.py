"""Planted words about a secret entry leave in no export without an owner's choice.

People and models wrote them: comments on pages, reasons, extracted answers, answers before a redo
and codes of comments.
"""

from contextlib import suppress
from datetime import timedelta

import pytest
from django.urls import get_resolver

from analysis.exports.catalogue import files_of, offered_tables
from analysis.exports.exporting import stream
from analysis.exports.source import CannotExport, ExportSource
from analysis.runs import running
from annotation.models import ReviewDecision
from annotation.studies import batching
from judging.answering import recording
from judging.banks import deciding
from judging.banks.appending import Change
from judging.banks.studies import method_of
from judging.coding import coding_units, reconciling
from judging.items import drawing
from judging.models import (
    AnswersBefore,
    Coding,
    Item,
    Judgment,
    ModeratedSession,
    Presentation,
)
from judging.raters.registering import register
from judging.sessions import alignment
from tests.cast import NOW, begun, draft_study, open_study, worker
from tests.config.askers import client_of, person
from tests.config.test_odd_requests import patterns
from tests.judging.banks.cast import bank_of, entry
from tests.judging.banks.test_secret_exports import PLACE, unpacked
from tests.judging.coding.cast import KEYS, code_all, coding_of, two_coders
from tests.judging.sessions.cast import PAGE, recorded, session_of, tone

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
DAY = 24 * 60 * 60
WAYS = {"", " added", " noted", " said", " heard"}  # of writing words down
WITH_WORDS = {
    "votes", "votes_before_redo", "other_answers", "comments", "codes", "labels", "rubric_passages",
    "utterances",
}  # fmt: skip
SECRET, OPEN = "Built in 1889", "Built by Eiffel"
PLANTED, SEEN = "numbats of Timbuktu", "about the open one"


def words_on(item):
    return PLANTED if item.slots.filter(criterion__definition=SECRET).exists() else SEEN


def answer(assignment, *, pages=None):
    """Answer pages: the best grade, or words about the entry where words are asked."""
    presentations = drawing.draw_presentations(assignment=assignment)[:pages]
    questions = recording.questions_of(assignment.study_id)
    given = [
        recording.GivenAnswer(
            page.position,
            key,
            words_on(page.item) if question.scale.kind == "text" else "5",
        )
        for page in presentations
        for key, question in questions[page.instrument_id].items()
    ]
    recording.record(assignment=assignment, answers=given, now=NOW)
    for page in presentations:
        Presentation.objects.filter(pk=page.pk).update(comment=words_on(page.item))


def redone(work):
    """Keep the answers of submitted work as those before a redo."""
    decision = ReviewDecision.objects.create(
        assignment=work, decision="redo", reviewer="rita", decided_at=NOW
    )
    names = (
        "item", "question", "slot", "shown", "raw", "value", "score", "milliseconds", "comment",
        "first_at", "answered_at", "changes",
    )  # fmt: skip
    answers = [
        row | {name: row[name].isoformat() for name in ("first_at", "answered_at")}
        for row in Judgment.objects.filter(assignment=work).values(*names)
    ]
    AnswersBefore.objects.create(
        assignment=work, decision=decision, submitted_at=NOW, answers=answers
    )


def coded(study):
    """Close a coding of all comments, with the words in notes and in names of added codes."""
    coding = coding_of(study, kinds=("page", "reason", "utterance"))
    coders = two_coders(coding)
    for coder, code in zip(coders, KEYS, strict=False):
        code_all(coder, [[code]] * coding.units.count())
    for unit in (unit_of(coding, PLANTED), unit_of(coding, SEEN)):
        name = f"{unit.text} added"
        coding_units.record(coder=coders[0], unit=unit, codes=[KEYS[0]], now=NOW, added=name)
    reconciling.close(coding=coding, by=None, now=NOW)
    for unit in coding.units.all():
        reconciling.decide(
            coding=coding, unit=unit, codes=KEYS, note=f"{unit.text} noted", by=None, now=NOW
        )


def unit_of(coding, text):
    return coding.units.filter(text=text).first()


def spoken(work):
    """Add a recorded session, whose participant and moderator speak about each page on it."""
    for page in Presentation.objects.filter(assignment=work):
        at = NOW + page.position * timedelta(seconds=PAGE)
        Judgment.objects.filter(assignment=work, item=page.item_id).update(
            first_at=at, answered_at=at, milliseconds=PAGE * 1000
        )
    session = session_of(work)
    recorded(session, tone(seconds=1))
    for n, visit in enumerate(alignment.visits_of(work), start=1):
        words = words_on(Item.objects.get(pk=visit.item))
        at = visit.start + 1
        session.utterances.create(position=n, start=at, end=at + 1, text=f"{words} said")
        session.notes.create(at=at, text=f"{words} heard", made_at=NOW)
    session.utterances.create(position=n + 1, start=DAY, end=DAY, text=f"{PLANTED} said")


@pytest.fixture
def study():
    bank = bank_of([OPEN, SECRET], state="confirmed")
    row = entry(bank, SECRET)
    shown = {row.pk: row.revision}
    deciding.decide(bank=bank, shown=shown, change=Change(secret=True), by=None, now=NOW)
    method = method_of(bank, method="nugget-extraction")
    study = open_study(
        draft_study(
            corpus=bank.corpus,
            instruments=[method],
            slug="words",
            recorded=True,
        ),
        quota=3,
    )
    works = [begun(study, worker(name)) for name in ("Ann", "Ben", "Cem")]
    for work in works:
        answer(work, pages=None if work is not works[2] else 4)
    judge = register(name="judge", kind="model", team=study.team, model="m")
    for judgment in works[0].judgments.all():
        judgment.pk, judgment.assignment, judgment.rater = None, None, judge
        judgment.save()
    judgments = Judgment.objects.filter(item__study=study)
    for judgment in judgments:
        Judgment.objects.filter(pk=judgment.pk).update(comment=words_on(judgment.item))
    for work in works[:2]:
        recording.submit(assignment=work, now=NOW)
        redone(work)
    spoken(works[0])
    coded(study)
    batching.close_batch(batch=study.batches.get(), now=NOW)
    run = running.start(study=study, enqueue=print)
    while step := run.steps.filter(state="queued").first():
        running.perform(pk=step.pk, enqueue=print)
    return study


def exported(study, *, secret):
    """Return the content of each file of each table that the study has, by its table."""
    contents = {}
    for pool in ("", "everybody"):
        source = ExportSource.of(study, pool=pool, secret=secret)
        for table in offered_tables(source):
            for file in files_of(source, table):
                with suppress(CannotExport):  # no row
                    content = b"".join(stream(source=source, name=file.name))
                    contents[table.name, file.ending, pool] = unpacked(file.name, content).decode()
    return contents


def test_no_table_has_the_words_unless_an_owner_chose_them(study):
    default, chosen = exported(study, secret=False), exported(study, secret=True)
    assert {name for name, *_ in chosen} >= WITH_WORDS
    assert [name for name, content in default.items() if PLANTED in content] == []
    assert {name for (name, *_), content in chosen.items() if PLANTED in content} == WITH_WORDS
    assert {name for (name, *_), content in default.items() if SEEN in content} == WITH_WORDS


def addresses(study):
    """Return the address of every page and answer about the study, its coding and session."""
    coding = Coding.objects.get(study=study)
    session = ModeratedSession.objects.get(assignment__study=study)
    places = {"slug": study.slug, "version": 1, "name": "export.zip", "kind": "jsonl"}
    numbers = {"coding/": coding.pk, "sessions/": session.pk}
    numbers |= {"codebooks/": coding.version.codebook_id, "assignments/": session.assignment_id}
    for pattern in patterns(get_resolver()):
        names = PLACE.findall(pattern)
        number = next((pk for part, pk in numbers.items() if part in pattern), None)
        values = places | {"pk": number}
        if "studies/" in pattern and all(values.get(name) for name in names):
            yield "/" + PLACE.sub(lambda place, of=values: str(of[place[1]]), pattern)
    for words in (SEEN, PLANTED):
        yield f"{study.get_absolute_url()}votes/?q={words[1:]}"
    for unit in coding.units.values_list("position", flat=True):
        for page in ("code", "reconcile"):
            yield f"{study.get_absolute_url()}coding/{coding.pk}/{page}/?unit={unit}"


@pytest.mark.parametrize(
    ("role", "reads"), [("viewer", False), ("reviewer", False), ("owner", True)]
)
def test_words_about_a_secret_entry_are_read_by_editors_alone(study, role, reads):
    client = client_of(person(role, study), raise_request_exception=False)
    seen, planted = set(), set()
    for address in addresses(study):
        answer = client.get(address)
        content = b"" if answer.status_code != 200 or answer.streaming else answer.content
        assert "?q=" not in address or (b'data-total="0"' not in content) is (
            reads or SEEN[1:] in address
        )
        for end in WAYS:
            if f"{SEEN}{end}".encode() in content:
                seen.add(end)
            if f"{PLANTED}{end}".encode() in content:
                planted.add((end, address))
    assert seen == (WAYS - {" noted", " said", " heard"} if role == "viewer" else WAYS)
    assert {end for end, _ in planted} == (WAYS if reads else set()), planted


@pytest.mark.parametrize(("role", "status"), [("reviewer", 403), ("owner", 200)])
def test_a_recording_about_a_secret_entry_is_heard_by_editors_alone(study, role, status):
    session = ModeratedSession.objects.get(assignment__study=study)
    address = f"{study.get_absolute_url()}sessions/{session.pk}/"
    client = client_of(person(role, study), raise_request_exception=False)
    assert client.get(f"{address}recording/").status_code == status
    assert ("data-unheard" in client.get(address).content.decode()) is (status == 403)


def test_a_coder_who_may_not_edit_reads_no_comment_on_a_secret_entry(study):
    Coding.objects.update(closed_at=None)
    coding = Coding.objects.get()
    place = f"{study.get_absolute_url()}coding/{coding.pk}/"
    for role, reads in (("reviewer", False), ("owner", True)):
        client = client_of(person(role, study))
        pages = [
            client.get(f"{place}code/", {"unit": n}).content.decode()
            for n in coding.units.values_list("position", flat=True)
        ]
        assert any(PLANTED in page for page in pages) is reads
        assert any(SEEN in page for page in pages)


def test_a_codebook_takes_no_code_that_was_added_at_a_secret_entry(study):
    client = client_of(person("owner", study))
    coding = Coding.objects.get()
    for unit in coding.units.all():  # names that quote no comment
        coding.added_codes.filter(unit=unit).update(
            name="Numbats" if unit.text == PLANTED else "Open"
        )
    client.post(f"{study.get_absolute_url()}coding/{coding.pk}/act/", {"act": "adopt"})
    newest = coding.version.codebook.versions.order_by("-number").first()
    names = set(newest.codes.values_list("name", flat=True))
    assert "Open" in names
    assert "Numbats" not in names
