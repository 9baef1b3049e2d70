"""How each text was written, as a file: all measures, flags and views, one row a text."""

import re

import pytest

from analysis.exports.dictionary import GUIDE
from analysis.exports.exporting import write_bundle
from analysis.exports.processes import PROCESSES
from annotation.fieldwork.review import reviewing
from annotation.models import ReviewDecision
from tests.analysis.exports.exported import columns, jsonl, table
from tests.cast import MINUTE, NOW, begun, worker, writing_study
from tests.writing.editor.typing_hands import typed
from writing.editor import drafting
from writing.log.collecting import collect
from writing.log.eventlog import Away, Back, Dwell, Edit, Event, Paste, encode
from writing.models import ProcessRecord
from writing.process.meanings import MEANINGS
from writing.process.measuring import measure_study

pytestmark = pytest.mark.django_db

TEXT = "Lamps shine. "
BROUGHT = "Maples grow in the northern half of the world, and many kinds of them are known here. "


def handed_in(study, name):
    """Typed a little, looked at a passage, was away and pasted something."""
    work = begun(study, worker(name))
    drafting.acknowledge(assignment=work, now=NOW, answers={})
    events: list[Event] = typed(TEXT)
    more: list[tuple[type, dict]] = [
        (Back, {}),
        (Dwell, {"passage": 1, "duration": 900}),
        (Away, {}),
        (Back, {}),
        (Paste, {"at": len(TEXT), "length": len(BROUGHT), "source": "outside"}),
        (Edit, {"at": len(TEXT), "deleted": 0, "inserted": BROUGHT, "input": "insertFromPaste"}),
    ]
    for kind, fields in more:
        events.append(kind(seq=len(events) + 1, ms=events[-1].ms + 3_000, **fields))
    collect(assignment=work, number=1, events_json=encode(events), now=NOW + MINUTE, tab="")
    return drafting.submit(
        assignment=work, text=TEXT + BROUGHT, last_number=1, now=NOW + 2 * MINUTE
    )


@pytest.fixture
def study():
    """Alice's text is accepted, that of Amy waits, that of Bea is rejected."""
    study = writing_study(topics=3, cap=3)
    works = [handed_in(study, name) for name in ("alice", "amy", "bea")]
    measure_study(study=study, now=NOW)
    for work, decision in ((works[0], "ACCEPT"), (works[2], "REJECT")):
        reviewing.decide(
            assignment=work,
            decision=ReviewDecision.Decision[decision],
            reviewer="rita",
            reason="So.",
            now=NOW,
        )
    return study


def test_a_text_has_its_measures_flags_and_views(study, tmp_path):
    write_bundle(study=study, out=tmp_path)
    rows = jsonl(tmp_path / "processes.jsonl.gz")
    assert [(row["worker"], row["state"]) for row in rows] == [
        ("alice", "accepted"),
        ("amy", "submitted"),
    ]
    row = rows[0]
    assert row["text"] == jsonl(tmp_path / "responses.jsonl.gz")[-1]["response"]
    assert (row["typed"], row["pasted"], row["elsewhere"]) == (13, len(BROUGHT), len(BROUGHT))
    assert row["elsewhere_share"] == pytest.approx(len(BROUGHT) / len(TEXT + BROUGHT))
    assert (row["away_seconds"], row["window_recorded"], row["verdict"]) == (3, 1, "equal")
    assert row["viewed"] == {"1": 0.9}
    assert [flag["kind"] for flag in row["flags"]] == [
        "foreign insertion",
        "focus loss before a paste",
    ]
    flat = table(tmp_path / "processes.csv")[0]
    assert flat["viewed"] == "1=0.9"
    assert flat["flags"] == f"foreign insertion={len(BROUGHT)};focus loss before a paste=3"
    assert flat["typing_pace"] == ""  # of so little there is no pace


def test_every_column_is_in_the_dictionary_and_the_guide(study, tmp_path):
    write_bundle(study=study, out=tmp_path)
    there = columns(tmp_path / "processes.csv")
    assert there == [column.key for column in PROCESSES] == columns(tmp_path / "processes.jsonl.gz")
    (section,) = re.findall(r"\n## processes\n(.*?)\n## ", GUIDE.read_text(), re.DOTALL)
    documented = dict(re.findall(r"^\| (\w+) \| [^|]+ \| ([^|]+) \|", section, re.MULTILINE))
    assert [*documented][1:] == there
    assert {name: documented[name] for name in MEANINGS} == MEANINGS
    told = (tmp_path / "DATA.md").read_text()
    assert all(f"| {name} | {meaning} |" in told for name, meaning in MEANINGS.items())


def test_a_text_that_is_not_measured_says_so(study, tmp_path):
    ProcessRecord.objects.all().delete()
    write_bundle(study=study, out=tmp_path)
    row = jsonl(tmp_path / "processes.jsonl.gz")[0]
    assert row["fault"] == "This text is not measured yet."
    assert (row["active_minutes"], row["flags"], row["viewed"]) == (None, [], {})
