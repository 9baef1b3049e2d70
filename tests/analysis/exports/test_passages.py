"""Graded passages in the files of Rubric and trec_eval, read back without a difference."""

import gzip
import io
from dataclasses import replace

import pytest
import pytrec_eval
from django.urls import reverse

from analysis.exports.catalogue import UnknownFile, offered, tables_of
from analysis.exports.exporting import stream, write_bundle
from analysis.exports.source import ExportSource
from analysis.models import AnalysisRun
from annotation.corpora.formats import rubric
from annotation.models import Corpus, Passage, Ranking
from judging.labels.importing import import_labels
from judging.models import Criterion
from judging.raters.registering import register
from tests.analysis.coded_errors import cannot_export
from tests.analysis.exports.exported import jsonl
from tests.cast import NOW, rita, small_study

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

# The hand vector of seed R10: passage -> grades of a, b, c, d.
VECTOR = {"p1": (5, 2, 0, 0), "p2": (4, 4, 1, 0), "p3": (0, 0, 3, 1)}
POINTS = ("subject", "reason", "example", "limit")


@pytest.fixture
def study(tmp_path):
    corpus = Corpus.objects.create(slug="pool", name="pool")
    topic = corpus.topics.create(key="q1", query="why?")
    Passage.objects.bulk_create(
        Passage(topic=topic, key=key, rank=rank, text=f"Text of {key}.")
        for rank, key in enumerate(VECTOR, start=1)
    )
    for name, keys in (("x", ["p1", "p2"]), ("y", ["p3"])):
        system = corpus.systems.create(key=name, name=name)
        for rank, key in enumerate(keys, start=1):
            passage = topic.passages.get(key=key)
            Ranking.objects.create(system=system, topic=topic, passage=passage, rank=rank)
    study = small_study(corpus=corpus, instrument="nuggets", items=12)
    grade(study, tmp_path, "model-1", VECTOR)
    return study


def grade(study, folder, name, grades):
    """Import a model's grades of passages on the points."""
    lines = [
        f"q1,{passage},{point},{value}"
        for passage, row in grades.items()
        for point, value in zip(POINTS, row, strict=True)
    ]
    path = folder / "labels.csv"
    path.write_text("\n".join(["topic,passage,criterion,value", *lines]))
    rater = register(name=name, kind="model", model=name)
    import_labels(study=study, path=path, rater=rater, now=NOW, question="addressed")


def pooled(study, pool):
    """Return the source, as if a run had read the answers of this pool."""
    run = AnalysisRun(study=study, parameters={"pool": pool}, seed=1)
    return replace(ExportSource.of(study), run=run)


def file(study, name, pool="models"):
    content = b"".join(stream(source=pooled(study, pool), name=name))
    return gzip.decompress(content) if name.endswith(".gz") else content


@pytest.mark.parametrize(
    ("by", "grades"),
    [
        ("maximum", {"p1": 5, "p2": 4, "p3": 3}),  # seed R10: max-qrels 5, 4, 3
        ("count", {"p1": 2, "p2": 3, "p3": 2}),  # seed R10: count-qrels 2, 3, 2
        ("threshold", {"p1": 1, "p2": 1, "p3": 0}),
    ],
)
def test_grades_become_qrels_by_maximum_count_or_threshold(study, by, grades):
    lines = file(study, f"qrels_{by}.txt").decode().splitlines(keepends=True)
    assert pytrec_eval.parse_qrel(lines) == {"q1": grades}


def test_several_raters_of_a_point_count_by_their_mean_halves_up(study, tmp_path):
    grade(study, tmp_path, "model-2", {"p1": (2, 3, 0, 0), "p2": (4, 4, 1, 0)})
    assert file(study, "qrels_maximum.txt") == b"q1 0 p1 4\nq1 0 p2 4\nq1 0 p3 3\n"
    with cannot_export("no_passage_grades"):
        file(study, "qrels_maximum.txt", pool="people")
    assert "qrels_maximum.txt" not in offered(ExportSource.of(study))


def test_each_system_has_a_run_of_its_own_with_scores_that_decrease(study):
    assert file(study, "run_x.txt").decode().splitlines() == [
        "q1 Q0 p1 1 2.0 x",
        "q1 Q0 p2 2 1.0 x",
    ]
    assert file(study, "run_y.txt").decode().splitlines() == ["q1 Q0 p3 1 1.0 y"]
    for name in ("runs.txt", "run_z.txt"):
        with pytest.raises(UnknownFile, match=r"run_NAME\.txt"):
            file(study, name)


def test_trec_eval_scores_each_run(study):
    """The library around trec_eval itself reads qrels and runs as they are exported."""
    qrels = pytrec_eval.parse_qrel(io.StringIO(file(study, "qrels_count.txt").decode()))
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank", "P_1"})
    for system in ("x", "y"):
        run = pytrec_eval.parse_run(io.StringIO(file(study, f"run_{system}.txt").decode()))
        assert evaluator.evaluate(run)["q1"]["recip_rank"] == 1


def test_systems_of_any_name_have_files_of_their_own(study):
    corpus = study.corpus
    topic = corpus.topics.get()
    for key in ("a/b", "a_b", "ä", "run.1-x"):
        system = corpus.systems.create(key=key, name=key)
        Ranking.objects.create(
            system=system, topic=topic, passage=topic.passages.get(key="p1"), rank=1
        )
    source = ExportSource.of(study)
    names = [name for name in offered(source) if name.startswith("run_")]
    assert names == [
        *("run_a_b.txt", "run_a_b-2.txt", "run_run.1-x.txt", "run_x.txt", "run_y.txt"),
        "run__.txt",
    ]
    tags = [b"".join(stream(source=source, name=name)).decode().split()[5] for name in names]
    assert tags == ["a/b", "a_b", "run.1-x", "x", "y", "ä"]


def test_rubric_reads_the_bank_and_the_grades_of_every_rater(study):
    text = io.StringIO(file(study, "rubric_bank.jsonl.gz").decode())
    ((_, bank),) = rubric.banks(text)
    assert (bank.query_id, bank.query_text, bank.test_collection) == ("q1", "why?", "pool")
    ids = {item.text: item.key for item in bank.items}
    assert ids == {key: rubric.entry_id("q1", key) for key in ids}
    texts = dict(Criterion.objects.values_list("key", "definition"))
    text = io.StringIO(file(study, "rubric_passages.jsonl.gz").decode())
    ((_, (query, found)),) = rubric.passages(text)
    assert query == "q1"
    for passage in found:
        (exam,) = passage.exam_grades
        rated = {rating.entry: rating.self_rating for rating in exam.self_ratings}
        row = VECTOR[passage.paragraph_id]
        assert rated == {ids[texts[p]]: g for p, g in zip(POINTS, row, strict=True)}
        assert exam.llm == "model-1"
        assert exam.exam_ratio == sum(cell > 0 for cell in row) / 4
    assert [place.method for each in found for place in each.paragraph_data.rankings] == [
        *("x", "x", "y")
    ]


def test_the_bundle_has_them_and_says_what_they_are(study, tmp_path):
    manifest = write_bundle(study=study, out=tmp_path / "out")
    names = {written_file.file for written_file in manifest.files}
    assert {"rubric_bank.jsonl.gz", "run_x.txt", "run_y.txt"} <= names
    assert "qrels_count.txt" not in names  # it has no grades of people
    assert not (tmp_path / "out/qrels_count.txt").exists()
    assert "no passage grades by people" in manifest.left_out["qrels_count.txt"]
    assert "strictly decreasing" in (tmp_path / "out/DATA.md").read_text()
    assert len(jsonl(tmp_path / "out/rubric_bank.jsonl.gz")) == 1


def test_a_file_of_trec_is_downloaded_as_plain_text(study, client):
    client.force_login(rita())
    response = client.get(reverse("export", args=[study.slug, study.version, "run_x.txt"]))
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert b"".join(response).startswith(b"q1 Q0 p1 1 2.0 x")


def test_a_key_that_would_break_the_columns_is_refused_before_the_first_byte(study):
    Passage.objects.filter(key="p2").update(key="p 2")
    with cannot_export("white_space_in_key", match="'p 2'"):
        stream(source=ExportSource.of(study), name="qrels_count.txt")


def test_a_study_of_texts_has_no_such_files():
    pairs = small_study(responses=3)
    assert not {"runs", "rubric_bank"} & {table.name for table in tables_of(ExportSource.of(pairs))}
    for name, code in (("run_x.txt", "no_runs"), ("qrels_count.txt", "no_point_grades")):
        with cannot_export(code):
            stream(source=ExportSource.of(pairs), name=name)


def test_a_name_that_the_run_took_out_grades_nothing(study, tmp_path, monkeypatch):
    """Rubric's file has what everybody said; qrels are what the analysis counts."""
    grade(study, tmp_path, "model-2", {"p1": (2, 3, 0, 0), "p2": (4, 4, 1, 0)})
    monkeypatch.setattr("analysis.exports.source.copied_names", lambda run, votes: {"model-2"})
    source = pooled(study, "models")
    assert source.run is not None
    source.run.parameters |= {"copies": "out", "compat": None}
    qrels = b"".join(stream(source=source, name="qrels_maximum.txt"))
    assert qrels == b"q1 0 p1 5\nq1 0 p2 4\nq1 0 p3 3\n"
    text = gzip.decompress(b"".join(stream(source=source, name="rubric_passages.jsonl.gz")))
    ((_, (_, found)),) = rubric.passages(io.StringIO(text.decode()))
    assert {exam.llm for each in found for exam in each.exam_grades} == {"model-1", "model-2"}


def test_passages_judged_by_themselves_become_qrels(study, tmp_path):
    corpus = study.corpus
    judged = small_study(corpus=corpus, instrument="retrieval-relevance", items=3, slug="relevance")
    (question,) = judged.questions.filter(instrument__item_kind="passage", arity="item")[:1]
    for name, grades in (("m1", (2, 1, 0)), ("m2", (1, 1, 0))):
        path = tmp_path / "labels.csv"
        lines = [f"q1,{key},{each}" for key, each in zip(VECTOR, grades, strict=True)]
        path.write_text("\n".join(["topic,passage,value", *lines]))
        rater = register(name=name, kind="model", model=name)
        import_labels(study=judged, path=path, rater=rater, now=NOW, question=question.key)
    assert file(judged, "qrels.txt") == b"q1 0 p1 2\nq1 0 p2 1\nq1 0 p3 0\n"  # 1.5: halves up
    with cannot_export("no_passage_grades"):
        file(judged, "qrels.txt", pool="people")
    assert file(judged, "run_x.txt") == file(study, "run_x.txt")
    names = [table.name for table in tables_of(ExportSource.of(judged))]
    assert ("qrels" in names, "qrels_maximum" in names) == (True, False)
    assert "qrels" not in [table.name for table in tables_of(ExportSource.of(study))]


def test_a_study_without_grades_of_passages_has_no_qrels():
    with cannot_export("no_relevance_grades"):
        b"".join(stream(source=ExportSource.of(small_study()), name="qrels.txt"))
