"""Measures that are kept: made once after a submission, made again when they are out of date."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from annotation import jobs
from annotation.fieldwork.review import reviewing
from annotation.fieldwork.work import assigning
from annotation.models import Assignment
from tests.cast import HOUR, MINUTE, NOW, alice, begun, bob, rita, worker, writing_study
from tests.writing.editor.typing_hands import typed
from tests.writing.log import simulated_log
from writing import tasks
from writing.editor import drafting
from writing.log.collecting import collect, events_of
from writing.log.eventlog import Edit, encode
from writing.models import PackedLog, ProcessRecord
from writing.process import measured, measures, measuring
from writing.process.evidence import flags, standing
from writing.process.meanings import MEANINGS
from writing.process.process import process_of
from writing.process.replay import Replay
from writing.process.timeline import timeline

TEXT = "Lamps shine in many colours, and nobody knows why. "
FOREIGN = [
    "Maples grow in the northern half of the world, and many kinds of them are known. ",
    "Whoever walks through a wood in October sees that their leaves are red or yellow. ",
    "Sugar is made of the sap that rises in spring, when the nights are still cold then. ",
]


def handed_in(study, person, *, foreign=0, at=NOW):
    """Submit a typed text with foreign insertions, and its log in one chunk."""
    work = begun(study, person, now=at)
    drafting.acknowledge(assignment=work, now=at, answers={})
    events = typed(TEXT)
    text = TEXT
    for n, piece in enumerate(FOREIGN[:foreign], start=1):
        more = {"at": len(text), "deleted": 0, "inserted": piece, "input": "insertFromPaste"}
        events.append(Edit(seq=len(events) + 1, ms=60_000 * n, **more))
        text += piece
    late = at + foreign * MINUTE
    for number, some in enumerate((events[:5], events[5:]), start=1):
        now = at if number == 1 else late
        collect(assignment=work, number=number, events_json=encode(some), now=now, tab="")
    drafting.submit(assignment=work, text=text, last_number=2, now=late + MINUTE)
    return work


def redo(work, *, more="More."):
    """Asked for a redo, written on, and handed in again."""
    reviewing.decide(
        assignment=work, decision="redo", reviewer="rita", reason="More, please.", now=NOW + HOUR
    )
    draft = drafting.current_text(work)
    events = typed(more, first=draft.next_seq, at=len(draft.text), ms=draft.ms)
    number = draft.next_number
    collect(assignment=work, number=number, events_json=encode(events), now=NOW + HOUR, tab="")
    text = draft.text + more
    drafting.submit(assignment=work, text=text, last_number=number, now=NOW + 2 * HOUR)


def final(work):
    return ProcessRecord.objects.get(writing__assignment=work).values["final"][0]


# -- When -------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_task_after_a_submission_measures_it_once(django_assert_num_queries):
    work = handed_in(writing_study(), alice(), foreign=1)
    tasks.pack(work.pk)
    record = ProcessRecord.objects.get()
    assert record.version == measures.VERSION
    assert [flag["kind"] for flag in record.flags] == ["foreign insertion"]
    assert record.flags[0]["points"] == [[len(TEXT) + 2, 60_000]]
    assert record.values["longest_foreign"] == [len(FOREIGN[0]), None]
    tasks.pack(work.pk)
    again = ProcessRecord.objects.get()
    assert (again.pk, again.computed_at) == (record.pk, record.computed_at)
    assert not measuring.outdated().exists()


@pytest.mark.django_db
def test_work_that_is_redone_is_measured_again():
    work = handed_in(writing_study(), alice())
    tasks.pack(work.pk)
    assert final(work) == len(TEXT)
    redo(work)
    assert list(measuring.outdated()) == [work]
    tasks.pack(work.pk)
    assert final(work) == len(TEXT) + len("More.")


@pytest.mark.django_db
def test_the_sweep_measures_what_a_killed_worker_left(monkeypatch):
    monkeypatch.setattr(jobs, "send", lambda task, *given: task(*given))
    study = writing_study(topics=3)
    packed, untouched = handed_in(study, alice()), handed_in(study, bob())
    begun(study, worker("dora"))
    tasks.pack(packed.pk)
    ProcessRecord.objects.all().delete()  # killed between the two
    tasks.sweep()
    assert {
        process_record.writing.assignment for process_record in ProcessRecord.objects.all()
    } == {packed, untouched}


@pytest.mark.django_db
def test_measures_of_an_earlier_version_are_made_again(monkeypatch):
    work = handed_in(writing_study(), alice())
    tasks.pack(work.pk)
    monkeypatch.setattr(measuring, "VERSION", measures.VERSION + 1)
    assert list(measuring.outdated()) == [work]
    tasks.pack(work.pk)
    assert ProcessRecord.objects.get().version == measures.VERSION + 1
    assert not measuring.outdated().exists()


@pytest.mark.django_db
def test_a_log_that_cannot_be_measured_is_not_tried_again():
    study = writing_study()
    work = handed_in(study, alice())
    tasks.pack(work.pk)
    ProcessRecord.objects.all().delete()
    PackedLog.objects.update(data=b"\x01damaged")
    tasks.pack(work.pk)
    record = ProcessRecord.objects.get()
    assert (record.values, record.flags) == ({}, [])
    assert record.fault == "This packed log is damaged."
    assert not measuring.outdated().exists()
    assert measured.ranks_of(study) == {}


@pytest.mark.django_db
def test_withdrawing_erases_the_measures():
    work = handed_in(writing_study(), alice())
    stale = Assignment.objects.get(pk=work.pk)
    tasks.pack(work.pk)
    assigning.withdraw(assignment=work, now=NOW + HOUR)
    assert not ProcessRecord.objects.exists()
    tasks.pack(work.pk)
    assert measuring.measure(assignment=stale, now=NOW) is None
    assert not ProcessRecord.objects.exists()


@pytest.mark.django_db
def test_who_measured_for_long_does_not_overwrite_a_later_submission():
    work = handed_in(writing_study(), alice())
    early = Assignment.objects.get(pk=work.pk)
    tasks.pack(work.pk)
    redo(work)
    tasks.pack(work.pk)
    late = ProcessRecord.objects.get()
    found = {"values": {}, "flags": [], "version": measures.VERSION, "computed_at": NOW}
    assert measuring._keep(early, found) == late
    assert final(work) == len(TEXT) + len("More.")


# -- The records of an import -----------------------------------------------------------------


def records():
    """All records but for their keys."""
    said = ("version", "submitted_at", "values", "flags", "fault", "attempts", "computed_at")
    return list(ProcessRecord.objects.order_by("writing").values_list("writing", *said))


@pytest.mark.django_db
def test_what_is_imported_is_measured_as_each_alone_and_what_was_measured_stays():
    study = writing_study(topics=3)
    works = [
        handed_in(study, person, foreign=n) for n, person in enumerate(map(worker, "abc"), start=1)
    ]
    for work in works:
        measuring.measure(assignment=work, now=NOW)
    alone = records()
    assert len({str(values) for _, _, _, values, *_ in alone}) == 3
    ProcessRecord.objects.exclude(writing__assignment=works[0]).delete()
    ProcessRecord.objects.update(version=0)
    logs = {work.pk: events_of(work) for work in works}
    measuring.measure_imported(study=study, logs=logs, now=NOW)
    assert records()[1:] == alone[1:]
    assert records()[0][1] == 0
    assert [work.pk for work in measuring.outdated()] == [works[0].pk]


@pytest.mark.django_db
def test_what_is_withdrawn_or_handed_in_again_meanwhile_has_no_record_of_before():
    study = writing_study(topics=3)
    works = [handed_in(study, person) for person in map(worker, "abc")]
    found = {work.pk: measuring._found(work, NOW, measuring._passages_of(work)) for work in works}
    assigning.withdraw(assignment=works[0], now=NOW + HOUR)
    redo(works[1])
    measuring._keep_new(found)
    assert ProcessRecord.objects.get().writing.assignment == works[2]


# -- The pages --------------------------------------------------------------------------------


def address(study, name="review", *more):
    return reverse(name, args=[study.slug, study.version, *more])


@pytest.mark.django_db
def test_the_review_page_measures_what_is_missing(client):
    client.force_login(rita())
    study = writing_study()
    work = handed_in(study, alice(), foreign=1)
    page = client.get(address(study, "review_evidence", work.pk)).content.decode()
    assert "Foreign insertion" in page
    assert "more extreme" not in page  # than nobody
    panel = client.get(address(study, "review_panel", work.pk)).text
    assert re.search(r"Foreign insertion: \d+ characters", panel)
    assert ProcessRecord.objects.count() == 1


@pytest.mark.django_db
def test_the_order_by_evidence_replays_no_log(client):
    client.force_login(rita())
    study = writing_study(topics=4)
    expected, counts = [], []
    for name, foreign in (("ada", 1), ("ben", 0), ("cem", 3), ("dan", 2)):
        work = handed_in(study, worker(name), foreign=foreign)
        tasks.pack(work.pk)
        expected.append((-foreign, work.pk))
        with CaptureQueriesContext(connection) as asked:
            page = client.get(address(study) + "?order=evidence")
        counts.append(len(asked))
        told = " ".join(each["sql"] for each in asked)
        assert "writing_packedlog" not in told
        assert "writing_logchunk" not in told
    assert [row["work"].pk for row in page.context["rows"]] == [pk for _, pk in sorted(expected)]
    assert len(set(counts[1:])) == 1
    ProcessRecord.objects.filter(writing__assignment=work).delete()
    page = client.get(address(study) + "?order=evidence")
    assert page.context["rows"][-1]["work"] == work


# -- In the study -----------------------------------------------------------------------------


def kept(**values):
    return {name: [value, None] for name, value in values.items()}


def test_a_flag_says_how_far_out_it_lies_once_twenty_others_are_there():
    paces = [kept(typing_pace=40 + n) for n in range(20)]
    found = measures.flag_standing("pace", 55.0, paces)
    assert (found.percentile, found.n) == (77.5, 20)
    assert measures.flag_standing("pace", 55.0, paces[1:]) is None
    unknown = [*paces[1:], kept(typing_pace=None), {}]
    assert measures.flag_standing("pace", 55.0, unknown) is None
    few = [kept(deleted_by_typed=0.1 + n / 100) for n in range(20)]
    assert measures.flag_standing("no corrections", 0.01, few).percentile == 100


columns = st.lists(
    st.fixed_dictionaries({
        "typing_pace": st.none() | st.floats(0, 200),
        "deleted_by_typed": st.none() | st.sampled_from([0.0, 0.1, 0.2]),
    }),
    max_size=12,
)  # fmt: skip


@given(columns)
def test_extremity_is_the_furthest_of_the_standings(rows):
    works = [kept(**row) for row in rows]
    for row, far in zip(rows, measures.extremities(works), strict=True):
        signs = {"typing_pace": 1, "deleted_by_typed": -1}
        places = [
            standing(sign * row[name], [sign * r[name] for r in rows if r[name] is not None])
            for name, sign in signs.items()
            if row[name] is not None
        ]
        assert far == max((place.percentile for place in places), default=0)


def test_whoever_changes_a_measure_raises_the_version():
    """What version 5 measures of a simulated writer; other numbers need another version."""
    events = simulated_log.written(words=120, seed=3).events
    replay = Replay(events)
    process = process_of(events, replay=replay)
    kinds = flags(process, events)
    values = measures.values_of(process, timeline(events, replay.steps).marks, kinds)
    told = {name: (value and round(value, 4), ms) for name, (value, ms) in values.items()}
    assert set(told) == set(MEANINGS)
    assert measures.VERSION == 5
    assert told == {
        "active_minutes": (4.8457, None),
        "typing_pace": (57.4181, 254043),
        "copy_pace": (None, None),
        "typed_share": (0.8983, 254043),
        "paste_ratio": (0.0985, 174332),
        "deletion_ratio": (0.0309, None),
        "deleted_by_typed": (0.0343, None),
        "away_seconds": (40.0, 82837),
        "away_before_paste": (0, None),
        "key_variation": (0.2793, 254043),
        "foreign_insertions": (0, None),
        "longest_foreign": (0, None),
        "leading_edge_share": (1.0, None),
        "produced_to_final": (1.0319, None),
        "p_bursts": (17, None),
        "r_bursts": (20, None),
        "pauses": (17, None),
        "inserted": (680, None),
        "deleted": (21, None),
        "typed": (613, None),
        "replaced": (0, None),
        "pasted": (67, 174332),
        "moved": (0, None),
        "without_paste": (0, None),
        "elsewhere": (0, None),
        "elsewhere_share": (0.0, None),
        "passages_share": (0.1017, None),
        "without_paste_share": (0.0, None),
        "own_share": (0.0, None),
        "at_once_share": (0.0, None),
        "rewritten": (0, None),
        "window_recorded": (0, None),
        "passages_viewed": (6, None),
        "viewed_seconds": (36.648, None),
        "final": (659, None),
        "unsupported": (0, None),
        "clock_ahead_minutes": (None, None),
        "at_once_minutes": (0, None),
        "burst_minutes": (None, None),
    }
