"""The overview questions of SGSS, and those of version 1, which are other questions."""

from importlib import import_module

import pytest
from django.apps import apps

from analysis.analyses.conditions import to_summaries
from analysis.inputs.measures import measures_of
from analysis.inputs.scorers import scored_measures
from analysis.inputs.summaries import of_summaries, part_of
from analysis.models import Result
from annotation.models import Passage
from judging.design.known_items import contents_of
from judging.instruments.files import BadInstrument, load
from judging.instruments.schema import CriterionSpec, OptionSpec, QuestionSpec, ScaleSpec
from judging.items.kinds import item_kind
from judging.items.segments import NO_SECTIONS
from judging.labels.files import LabelLine
from judging.labels.new_items import CannotMake, Planner
from judging.machines.item_prompts import materials
from judging.models import Item
from tests.analysis.analyses.test_summaries import labelled_study
from tests.analysis.runs.polls import analysed
from tests.cast import design_batch, draft_study, in_sections, small_corpus, tiny_instrument
from tests.coded_errors import raises

pytestmark = pytest.mark.django_db

DEGREE = ScaleSpec(
    "degree",
    "options",
    options=[
        OptionSpec(code, code, "score", score=score)
        for code, score in (("full", 1.0), ("part", 0.5), ("no", 0.0))
    ],
)
ASKED_BEFORE = ("support", "fluency", "relevance")


def version_1():
    return tiny_instrument(
        item_kind="overview",
        name="overview",
        criteria=[CriterionSpec(key, key.capitalize()) for key in ASKED_BEFORE],
        scales=[DEGREE],
        questions=[QuestionSpec(key, key, "degree", f"{key}?") for key in ASKED_BEFORE],
    )


def test_the_overview_is_asked_for_what_the_paper_defines():
    study = draft_study(instrument="overview")
    measures = measures_of(study)
    assert {measure.name: part_of(measure) for measure in measures} == {
        "sufficiency": "os",
        "faithfulness": "of",
        "representativeness": "or_",
    }
    assert all(map(to_summaries, measures))
    assert [summary.name for summary in of_summaries(measures)] == ["xux", "xux_f", "xux_g"]
    assert study.instruments.get().version == load("overview").version == 4


def test_questions_of_version_1_keep_their_names_and_are_no_part_of_sgss():
    study = draft_study(instrument=version_1())
    measures = measures_of(study)
    assert [part_of(measure) for measure in measures] == ["", "", ""]
    assert not any(map(to_summaries, measures))
    assert [measure.key for measure in scored_measures(measures)] == list(ASKED_BEFORE)
    assert study.instruments.get().version == 1


def test_beside_other_parts_an_overview_of_version_1_has_no_weight():
    study = draft_study(instruments=[version_1(), load("heading-section")])
    parts = {part_of(measure) for measure in measures_of(study)}
    assert parts == {"", "hr"}
    keys = [measure.key for measure in scored_measures(measures_of(study))]
    assert keys[:3] == list(ASKED_BEFORE)
    assert "xux" in keys


def test_a_model_reads_the_sections_and_the_cited_documents():
    corpus = small_corpus()
    topic = corpus.topics.get()
    Passage.objects.create(topic=topic, key="p1", rank=1, title="Lamps", text="Lamps give light.")
    for response in corpus.responses.all():
        in_sections(response)
    corpus.responses.get(key="t1b").segments.filter(kind="section").delete()
    study = draft_study(instrument="overview", corpus=corpus)
    design_batch(study)
    items = list(Item.objects.filter(study=study))
    words = {material.contents["summary"]: material.words for material in materials(items).values()}
    assert words["t1a"]["overview"] == "All of t1a in short."
    assert words["t1a"]["summary"].startswith("**Heading 1 of t1a**\n\nStatement 1a.")
    assert "Heading 2 of t1a" in words["t1a"]["summary"]
    assert "in short" not in words["t1a"]["summary"]
    assert "Lamps give light." in words["t1a"]["d1"]
    assert words["t1b"]["summary"] == NO_SECTIONS


def test_an_overview_is_not_shown_beside_the_sections_of_another_summary():
    corpus = small_corpus()
    for response in corpus.responses.all():
        in_sections(response)
    kind = item_kind("overview_sections")
    own, other = (f"overview_sections:t1a|1|{key}" for key in ("t1a", "t1b"))
    contents = contents_of(own, kind=kind, corpus=corpus, criteria={})
    assert [type(content).__name__ for content in contents.values()] == ["Segment", "Response"]
    with raises(BadInstrument, "different_summaries"):
        contents_of(other, kind=kind, corpus=corpus, criteria={})
    study = draft_study(instrument="overview", corpus=corpus)
    lines = [
        LabelLine(1, "full", topic="t1", contents={"overview": "t1a:1", "summary": summary})
        for summary in ("t1a", "t1b")
    ]
    planner = Planner(study)
    assert planner.planned(lines[0])[0] == "overview_sections"
    with pytest.raises(CannotMake, match="different summaries"):
        planner.planned(lines[1])


@pytest.mark.analyses("summaries", "groups")
def test_stored_scores_of_version_1_are_removed():
    """Runs of before took its answers for OS, OF and OR."""
    migration = import_module("analysis.migrations.0014_overviews_of_before_are_not_scored")
    study = labelled_study(topics=2, instruments=("overview", "section-coverage"))
    run = analysed(study, pool="experts")
    assert {"xux@experts", "sgss@experts", "comp@experts"} <= stored_questions(run)
    migration.remove_scores(apps, None)
    assert "xux@experts" in stored_questions(run)  # what version 2 asks is scored
    study.instruments.filter(key="overview").update(item_kind="overview", version=1)
    earlier = dict(
        zip(("sufficiency", "faithfulness", "representativeness"), ASKED_BEFORE, strict=True)
    )
    for now, before in earlier.items():
        study.questions.filter(key=now).update(key=before)
    migration.remove_scores(apps, None)
    assert not {"xux@experts", "sgss@experts"} & stored_questions(run)
    assert "comp@experts" in stored_questions(run)
    data = Result.objects.get(step__run=run, step__analysis="summaries").data
    assert ["overview", migration.WHY] in data["undefined"]["rows"]
    before = run.key
    run.refresh_from_db()
    assert run.key != before  # the next analysis of the same data is another run


def stored_questions(run):
    tables = [
        table
        for data in Result.objects.filter(step__run=run).values_list("data", flat=True)
        for table in data.values()
    ]
    return {cell for table in tables for row in table["rows"] for cell in row if type(cell) is str}
