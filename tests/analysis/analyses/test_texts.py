"""Runs that read texts: of a judging study, and of a writing study, which has nothing else."""

import json
import re

import pytest
from django.urls import reverse

from analysis.inputs import text_frames
from analysis.models import AnalysisRun
from analysis.pages.results import findings_json
from analysis.pages.results.sections import PARTS
from analysis.runs import findings, running
from annotation.fieldwork.review import reviewing
from annotation.models import Batch, ReviewDecision, Task
from annotation.texts.words import count_words
from tests.analysis.runs.polls import analysed, poll
from tests.analysis.whole_parts import whole_part
from tests.cast import NOW, begun, rita, worker, writing_study
from tests.coded_errors import raises
from tests.hooks import elements, numbers
from writing.editor import drafting
from writing.log.collecting import collect
from writing.log.eventlog import Edit, encode
from writing.process.measuring import measure_study

pytestmark = pytest.mark.django_db
TEXT = "Lamps need oil and a wick [0]. Oil comes from olives, and the wick is cotton [1][2]. " * 4


def handed_in(study, name, text):
    """Submit a text that the person inserted at once."""
    work = begun(study, worker(name))
    drafting.acknowledge(assignment=work, now=NOW, answers={})
    event = Edit(seq=1, ms=60_000, at=0, deleted=0, inserted=text, input="insertText")
    collect(assignment=work, number=1, events_json=encode([event]), now=NOW, tab="")
    return drafting.submit(assignment=work, text=text, last_number=1, now=NOW)


@pytest.fixture
def written():
    """Alice handed in a text that Rita accepted, and another writer one that nobody read yet."""
    study = writing_study(topics=2, cap=2)
    accepted = handed_in(study, "alice", TEXT)
    handed_in(study, "amy", TEXT[::-1])
    reviewing.decide(
        assignment=accepted, decision=ReviewDecision.Decision.ACCEPT, reviewer="rita", now=NOW
    )
    return study


def test_a_writing_study_is_analysed_by_its_texts_and_how_they_were_written(written):
    run = analysed(written, parameters={"draws": 50})
    assert run.state == AnalysisRun.State.DONE
    done = set(run.steps.values_list("analysis", flat=True))
    assert done == {"texts", "wording", "process", "cost"}
    counts = findings.tables(run, "texts", "counts").set_index("measure")
    assert counts.loc["documents", "value"] == 3
    assert counts.loc["statements", "n"] == 1  # only what was accepted is a text of the study
    assert counts.loc["words", "low"] is None
    reason = findings.tables(run, "texts", "undefined").set_index("table")["reason"]
    assert numbers(reason["counts"]) == [10]
    assert "readability" in set(findings.tables(run, "wording", "undefined")["table"])
    measures = findings.tables(run, "process", "process").set_index(["measure", "style"])
    assert measures.loc[("active_minutes", "all"), "n"] == 2
    json.dumps(findings_json.as_json(run), allow_nan=False)


def test_the_summary_of_a_writing_study_says_what_was_written_and_leads_to_it(written, client):
    analysed(written, parameters={"draws": 50})
    client.force_login(rita())
    results = reverse("results", args=[written.slug, written.version])
    [accepted] = elements(client.get(results).text, "data-figure", "accepted")
    assert accepted.numbers == [1, 2]
    facts = client.get(results).context["written"].facts
    median = next(fact for fact in facts if numbers(fact.said) == [count_words(TEXT)])
    assert numbers(median.note)[-1] == 1  # text
    assert len(facts) == 5
    assert f'href="{results}texts/"' in client.get(results).text


def test_the_results_of_a_writing_study_have_pages_of_what_there_is(written, client):
    analysed(written, parameters={"draws": 50})
    client.force_login(rita())
    where = [written.slug, written.version]
    summary = client.get(reverse("results", args=where)).content.decode()
    offered = list(dict.fromkeys(re.findall(r'results/([a-z]+)/"', summary)))
    assert offered == ["texts", "cost"]
    for part in PARTS:
        answer = client.get(whole_part(*where, part))
        assert answer.status_code == 200
        text = re.sub(r"<[^>]*>", " ", answer.content.decode())
        assert not re.search(r"\b(nan|None|inf)\b", text)
        assert ("data-no-results" in answer.content.decode()) == (part not in offered)


def test_a_text_that_is_accepted_later_is_of_the_next_run(written):
    run = running.start(study=written, enqueue=print)
    later = written.assignments.get(worker__pseudonym="amy")
    reviewing.decide(
        assignment=later, decision=ReviewDecision.Decision.ACCEPT, reviewer="rita", now=NOW
    )
    assert running.perform(pk=run.steps.get(analysis="texts").pk, enqueue=print)
    assert analysed(written).pk != run.pk


def test_a_text_that_is_rejected_under_a_run_fails_it_with_a_sentence(written):
    run = running.start(study=written, enqueue=print)
    accepted = written.assignments.get(worker__pseudonym="alice")
    reviewing.decide(
        assignment=accepted,
        decision=ReviewDecision.Decision.REJECT,
        reviewer="rita",
        reason="Copied.",
        now=NOW,
    )
    with raises(running.DataChanged, "texts"):
        running.perform(pk=run.steps.get(analysis="texts").pk, enqueue=print)
    assert analysed(written).pk != run.pk


def test_study_without_texts_has_nothing_to_analyse():
    with raises(running.NothingToAnalyse, "no_submissions"):
        running.start(study=writing_study(), enqueue=print)


def test_texts_that_are_too_short_are_a_sentence():
    run = analysed(poll())  # of two words each
    reasons = {analysis: reason for analysis, _, reason in findings.missing(run)}
    assert "50 words" in reasons["texts"]
    assert run.state == AnalysisRun.State.DONE


def test_a_run_of_a_batch_reads_the_texts_of_that_batch(written):
    first = written.batches.get()
    other = Batch.objects.create(study=written, number=first.number + 1)
    Task.objects.filter(assignments__worker__pseudonym="alice").update(batch=other)
    assert len(text_frames.texts(written)) == len(text_frames.texts(written, other)) == 1
    assert text_frames.texts(written, first).empty
    assert text_frames.passages(written, first).empty
    measure_study(study=written, now=NOW)
    assert len(text_frames.processes(written)) == 2
    works = [text_frames.processes(written, batch)["assignment"] for batch in (first, other)]
    assert [list(work) for work in works] == [
        [written.assignments.get(worker__pseudonym=name).pk] for name in ("amy", "alice")
    ]


def test_a_run_of_a_batch_reads_the_texts_that_it_shows():
    study = poll({})
    first = study.batches.get()
    other = Batch.objects.create(study=study, number=first.number + 1)
    every = len(text_frames.texts(study))
    assert len(text_frames.texts(study, first)) == every == 3
    assert text_frames.texts(study, other).empty
