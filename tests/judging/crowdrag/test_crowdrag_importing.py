"""The judging study of the Crowd RAG Corpus 2025, brought in from its files."""

import gzip
import hashlib
import json
import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.corpora.crowdrag import BadCorpus
from annotation.models import Assignment, Batch, Corpus, Study, Worker
from judging.models import Judgment, Presentation
from tests.coded_errors import command_ends
from tests.crowdrag import CorpusDatabase

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

STUDY = "crowdrag25-judging"
HUMAN, LLM = "study1_responses_human", "study1_responses_llm"
RETRIEVAL, TASKS = "study1_retrieval", "study1_tasks"
VOTES, PEOPLE = "study2_responses", "study2_demographic"
PAIRS = [("r1", "r2"), ("r1", "r3"), ("r3", "r2")]
DIMENSIONS = (
    "validity",
    "coherence_logical",
    "coherence_stylistic",
    "coverage_broad",
    "coverage_deep",
    "consistency_internal",
    "quality_overall",
)


def rows():
    """Return a corpus of one topic, three responses and two workers, in its six files."""
    return {
        RETRIEVAL: [
            {
                "topic": "t1",
                "query": "why do leaves turn red?",
                "references_ids": ["p0", "p1"],
                "references_texts": ["Sugar.", "Cold nights."],
            }
        ],
        TASKS: [
            {"response": "r1", "worker": "writer-1", "topic": "t1", "style": "essay"},
            {"response": "r2", "worker": "writer-2", "topic": "t1", "style": "news"},
        ],
        HUMAN: [
            snapshot("r1", 1, "Bec"),
            snapshot("r1", 2, "Because of sugar [0]."),
            snapshot("r2", 1, "Cold nights do it [1]."),
        ],
        LLM: [{"response": "r3", "topic": "t1", "style": "essay", "text": "Both [0, 1]."}],
        VOTES: [
            answer(worker, index, a, b)
            for worker in ("judge-1", "judge-2")
            for index, (a, b) in enumerate(PAIRS, start=1)
        ],
        PEOPLE: [
            {
                "worker": "judge-1",
                "submission": "673369995717991fa9f0b7fd",
                "url": "https://example.org/study_4/q1.html?prolific_pid=x",
                "time_taken": 600.0,
            }
        ],
    }


def snapshot(response, timestamp, text):
    return {
        "response": response,
        "topic": "t1",
        "style": "essay",
        "timestamp": timestamp,
        "text": text,
    }


def answer(worker, index, a, b, **changes):
    row = {
        "submission_id": "q1",
        "worker": worker,
        "item_index": index,
        "query_id": "t1",
        "response_a": a,
        "response_b": b,
    }
    return row | dict.fromkeys(DIMENSIONS, "A") | {"coverage_deep": "N"} | changes


def write(folder, files):
    for name, some in files.items():
        lines = some if isinstance(some, bytes) else as_lines(some)
        (folder / f"{name}.jsonl.gz").write_bytes(gzip.compress(lines))
    return folder


def as_lines(some):
    return "".join(json.dumps(row) + "\n" for row in some).encode()


def bring_in(folder):
    output = StringIO()
    call_command("import_crowdrag", folder, judging_only=True, stdout=output)
    return output.getvalue()


def tables():
    """Return rows and digest of each table that an import touches, without caches."""
    found = {}
    with connection.cursor() as cursor:
        for table in sorted(connection.introspection.table_names(cursor)):
            if table == "annotation_kept":
                continue
            if table.startswith(("annotation_", "judging_", "auth_")):
                cursor.execute(f'SELECT * FROM "{table}" ORDER BY 1')
                digest, count = hashlib.sha256(), 0
                while some := cursor.fetchmany(1000):
                    some = [
                        [bytes(cell) if isinstance(cell, memoryview) else cell for cell in row]
                        for row in some
                    ]
                    digest.update(repr(some).encode())
                    count += len(some)
                found[table] = (count, digest.hexdigest())
    return found


# -- The whole corpus -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def corpus(django_db_setup, corpus_dir):
    database = CorpusDatabase(corpus_dir)
    database.imported()
    return database


@pytest.mark.corpus
def test_all_of_it_comes_in_under_a_minute_and_500_megabytes(corpus):
    done = corpus.imported()
    assert done.seconds < 60
    assert done.megabytes < 500


@pytest.mark.corpus
def test_it_counts_what_came_in_and_says_which_of_our_rules_the_corpus_breaks(corpus):
    output = corpus.imported().output
    for line in (
        "topics: 301 added, 0 unchanged",
        "passages: 6,020 added, 0 unchanged",
        "responses: 1,806 added, 0 unchanged",
        "items: 1,352 added, 0 unchanged",
        "questionnaires: 90 added, 0 unchanged",
        "assignments: 450 added, 0 unchanged",
        "votes: 48,440 added, 0 unchanged",
        "note: 32 pairs are in two questionnaires: all their votes are kept, and the analysis "
        "counts the first 5, as in the published data",
        "note: 6 workers judged the same pair in both directions (7 times); all these votes are "
        "kept",
    ):
        assert line in output
    assert re.search(r" \[21\], .* 2024-41960 .* 20 passages\b", output)
    assert output.count("note:") == 3


@pytest.mark.corpus
def test_brought_in_twice_it_changes_nothing(corpus):
    with corpus.connected():
        before = tables()
    again = corpus.manage("import_crowdrag", corpus.corpus, "--judging-only")
    with corpus.connected():
        assert tables() == before
    assert before["judging_judgment"][0] == 48_440
    assert "assignments: 0 added, 450 unchanged" in again.output
    assert "votes" not in again.output
    assert again.seconds < 60


@pytest.mark.corpus
def test_it_is_a_study_like_any_other(corpus):
    with corpus.connected():
        study = Study.objects.get(slug=STUDY)
        assert study.launched_at
        assert study.batches.get().state == Batch.State.CLOSED
        assert set(study.assignments.values_list("state", flat=True)) == {"accepted"}
        assert study.items.count() == 1352
        assert study.assignments.values("worker").distinct().count() == 420
        assert not Judgment.objects.exclude(value__in=["n"]).filter(raw="n").exists()
        left = Judgment.objects.filter(raw="a", question__key="quality_overall")
        assert left.count() == 3367  # as in the file
        one = left.select_related("item").first()
        assert one.value == one.item.slots.get(name="a").response.key


# -- A small one ------------------------------------------------------------------------------


def test_an_import_counts_the_tables_that_it_writes_and_locks_no_other(tmp_path):
    with CaptureQueriesContext(connection) as asked:
        bring_in(write(tmp_path, rows()))
    counted = {
        each["sql"].removeprefix("ANALYZE ").strip('"')
        for each in asked
        if each["sql"].startswith("ANALYZE")
    }
    came = {name for name, (number, _) in tables().items() if number}
    always_few = {
        "annotation_batch", "annotation_corpus", "annotation_study", "annotation_team",
        "annotation_servicemark", "auth_permission", "judging_criterion", "judging_instrument",
        "judging_scale",
    }  # fmt: skip
    assert counted == came - always_few


def test_a_vote_becomes_a_judgment_of_the_text_that_it_chose(tmp_path):
    files = rows()
    files[VOTES][1]["quality_overall"] = "B"
    bring_in(write(tmp_path, files))
    judgments = Judgment.objects.filter(question__key="quality_overall")
    chosen = dict(
        judgments.filter(rater__worker__pseudonym="judge-1").values_list("item__key", "value")
    )
    assert chosen == {"r1|r2": "r1", "r1|r3": "r3", "r3|r2": "r3"}
    topical = Judgment.objects.filter(question__key="correctness_topical")
    assert topical.count() == 6  # the corpus calls it validity
    assert set(Presentation.objects.values_list("order", flat=True)) == {"a,b"}


def test_the_last_snapshot_is_the_text_and_its_writer_is_known(tmp_path):
    bring_in(write(tmp_path, rows()))
    first = Corpus.objects.get().responses.get(key="r1")
    assert (first.text, first.author.pseudonym) == ("Because of sugar [0].", "writer-1")
    assert (first.origin, first.author.platform) == ("human", "crowdrag25")
    machine = Corpus.objects.get().responses.get(key="r3")
    assert (machine.origin, machine.author) == ("llm", None)


def test_times_are_those_of_the_platform_where_it_has_them(tmp_path):
    output = bring_in(write(tmp_path, rows()))
    assignment = Assignment.objects.get(worker__pseudonym="judge-1")
    assert assignment.submission == "673369995717991fa9f0b7fd"
    assert assignment.started_at.timestamp() == 0x67336999
    assert (assignment.submitted_at - assignment.started_at).total_seconds() == 600
    unknown = Assignment.objects.get(worker__pseudonym="judge-2")
    assert unknown.submitted_at == unknown.started_at
    assert "assignments without a time: 1 added" in output


def test_a_small_one_brought_in_twice_changes_nothing(tmp_path):
    folder = write(tmp_path, rows())
    bring_in(folder)
    before = tables()
    output = bring_in(folder)
    assert tables() == before
    assert "assignments: 0 added, 2 unchanged" in output
    assert "note:" not in output


def test_it_brings_in_what_an_earlier_import_had_not(tmp_path):
    files = rows()
    files[VOTES] = files[VOTES][:3]
    bring_in(write(tmp_path, files))
    with command_ends(BadCorpus, "no_place", match="judge-2"):
        bring_in(write(tmp_path, rows()))
    assert Assignment.objects.count() == 1


# -- What is not a corpus ---------------------------------------------------------------------


def nothing_is_there():
    return not any(
        model.objects.exists() for model in (Corpus, Study, Worker, Assignment, Judgment)
    )


def test_a_folder_without_the_files_is_one_sentence(tmp_path):
    write(tmp_path, {RETRIEVAL: rows()[RETRIEVAL]})
    with command_ends(BadCorpus, "missing_files", match="study1_tasks"):
        bring_in(tmp_path)
    with command_ends(BadCorpus, "missing_files"):
        bring_in(tmp_path / "nowhere")
    assert nothing_is_there()


READ_BY_CONTENT = {"study1_retrieval", "study1_responses_llm"}  # whatever their names say


@pytest.mark.parametrize("name", list(rows()))
def test_a_line_that_is_no_json_is_named(tmp_path, name):
    files = rows()
    write(tmp_path, files | {name: as_lines(files[name][:1]) + b'{"topic": \n'})
    with pytest.raises(CommandError, match=rf"{name}\.jsonl\.gz:2: "):
        bring_in(tmp_path)
    assert nothing_is_there()


@pytest.mark.parametrize("name", list(rows()))
def test_a_file_that_was_cut_off_is_named(tmp_path, name):
    path = write(tmp_path, rows()) / f"{name}.jsonl.gz"
    path.write_bytes(path.read_bytes()[:-12])
    with pytest.raises(CommandError, match=rf"{name}\.jsonl\.gz(:\d+)?: "):
        bring_in(tmp_path)
    assert nothing_is_there()


@pytest.mark.parametrize("name", list(rows()))
def test_a_file_with_damaged_bytes_is_named(tmp_path, name):
    path = write(tmp_path, rows()) / f"{name}.jsonl.gz"
    content = bytearray(path.read_bytes())
    content[20:40] = b"\xff" * 20
    path.write_bytes(content)
    with pytest.raises(CommandError, match=rf"{name}\.jsonl\.gz(:\d+)?: "):
        bring_in(tmp_path)
    assert nothing_is_there()


@pytest.mark.parametrize("name", sorted({*rows()} - READ_BY_CONTENT))
def test_a_file_that_is_not_compressed_is_named(tmp_path, name):
    write(tmp_path, rows())
    (tmp_path / f"{name}.jsonl.gz").write_bytes(as_lines(rows()[name]))
    with command_ends(BadCorpus, "unreadable", match=rf"{name}\.jsonl\.gz:1: "):
        bring_in(tmp_path)
    assert nothing_is_there()


@pytest.mark.parametrize("name", sorted(READ_BY_CONTENT))
def test_a_file_of_texts_that_is_not_compressed_is_read(tmp_path, name):
    write(tmp_path, rows())
    (tmp_path / f"{name}.jsonl.gz").write_bytes(as_lines(rows()[name]))
    bring_in(tmp_path)
    assert not nothing_is_there()


@pytest.mark.parametrize(
    ("name", "line", "change", "shown"),
    [
        (VOTES, 2, {"validity": "C"}, "'C'"),
        (VOTES, 2, {"quality_overall": "N"}, "'N'"),
        (VOTES, 3, {"worker": None}, "`null`"),
        (VOTES, 2, {"response_a": "r9"}, "'r9'"),
        (VOTES, 2, {"response_a": "r3"}, ""),
        (PEOPLE, 1, {"submission": "yesterday"}, r"`\$\.submission`"),
        (PEOPLE, 1, {"time_taken": -1}, r"`\$\.time_taken`"),
        (HUMAN, 3, {"style": "poem"}, "'poem'"),
        (HUMAN, 3, {"timestamp": "now"}, r"`int`.*`str`"),
        (LLM, 1, {"topic": "t9"}, "t9"),
        (RETRIEVAL, 1, {"references_ids": ["p0"]}, ""),
    ],
)
def test_a_row_that_cannot_be_is_named(tmp_path, name, line, change, shown):
    files = rows()
    files[name][line - 1] |= change
    if name == VOTES and "response_a" in change:
        files[name] = files[name][:3]
    with pytest.raises(CommandError, match=rf"{name}\.jsonl\.gz:{line}: .*{shown}"):
        bring_in(write(tmp_path, files))
    assert nothing_is_there()


def test_workers_of_a_questionnaire_who_saw_other_pairs_are_named(tmp_path):
    files = rows()
    files[VOTES][4] |= {"response_a": "r2", "response_b": "r1"}
    with command_ends(BadCorpus, "different_pairs", match=r":4: .*\bq1\b.*\bjud"):
        bring_in(write(tmp_path, files))
    files = rows()
    files[VOTES][1] |= {"response_b": "r2"}
    with command_ends(BadCorpus, "repeated_pair", match=r":1: .*\bq1\b.*\bjud"):
        bring_in(write(tmp_path, files))
    assert nothing_is_there()
