"""The copy task: a personal baseline of typing instead of a fixed limit."""

import pytest

from annotation.models import Assignment
from tests.cast import NOW, alice, begun, writing_study
from tests.writing.editor.typing_hands import Page, answers_to
from tests.writing.process.test_process import at, typed
from writing.editor import drafting
from writing.log.collecting import collect
from writing.log.eventlog import encode
from writing.models import Brief, ProcessRecord, Writing
from writing.process.baseline import Copied, copied
from writing.process.measuring import measure


@pytest.mark.parametrize(
    ("units", "ms", "found"),
    [
        ("120", "24000", Copied(120, 24_000)),
        ("59", "24000", None),  # too short to say anything
        ("501", "24000", None),
        ("120", "999", None),
        ("", "", None),
        ("-1", "1", None),
        ("1e9", "2", None),
        ("٣٠٠", "24000", Copied(300, 24_000)),
        ("1" * 40, "1" * 40, None),
    ],
)
def test_what_a_page_sends_is_a_baseline_or_none(units, ms, found):
    assert copied(units, ms) == found


def test_the_limit_follows_the_own_pace():
    assert Copied(100, 12_000).words_per_minute == pytest.approx(100)
    assert Copied(100, 12_000).limit == pytest.approx(150)
    assert Copied(100, 60_000).limit == 80  # some copy slowly


def written(study, *, gap, copy):
    """Alice types 300 letters, one every `gap` ms, after the copy task."""
    work = begun(study, alice())
    drafting.acknowledge(assignment=work, now=NOW, answers={}, copied=copy)
    events = at(*range(0, 300 * gap, gap), changes=typed("ab " * 100))
    collect(assignment=work, number=1, events_json=encode(events), now=NOW, tab="")
    drafting.submit(assignment=work, text="ab " * 100, last_number=1, now=NOW)
    return measure(assignment=work, now=NOW)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("gap", "copy", "limit"),
    [
        (110, None, 100),  # 109 words a minute
        (110, Copied(120, 13_000), None),  # who copies at 111 may compose so
        (140, None, None),  # 86 words a minute
        (140, Copied(120, 40_000), 80),
    ],
)
def test_fast_typing_is_flagged_by_the_own_pace(gap, copy, limit):
    record = written(writing_study(), gap=gap, copy=copy)
    pace = [flag for flag in record.flags if flag["kind"] == "pace"]
    assert [flag["limit"] for flag in pace] == ([] if limit is None else [limit])
    assert all(("copy task" in flag["unit"]) == (copy is not None) for flag in pace)
    assert ProcessRecord.objects.get().values["copy_pace"][0] == (
        pytest.approx(copy.words_per_minute) if copy else None
    )


@pytest.mark.django_db
def test_the_entry_page_has_it_where_the_study_offers_it():
    work = begun(writing_study(), alice())
    page = Page(work)
    assert "data-copy-task" not in page.client.get(f"{page.url}entry/").text
    Brief.objects.update(copy_task=True)
    assert "data-copy-task" in page.client.get(f"{page.url}entry/").text
    entry = answers_to(Assignment.objects.get().study.entry_form) | {"acknowledged": "yes"}
    page.client.post(f"{page.url}entry/", entry)  # it is optional
    assert Writing.objects.get().copy_units is None
    page.client.post(f"{page.url}entry/", entry | {"copy_units": "120", "copy_ms": "24000"})
    page.client.post(f"{page.url}entry/", entry | {"copy_units": "7", "copy_ms": "x"})
    assert (Writing.objects.get().copy_units, Writing.objects.get().copy_ms) == (120, 24_000)
