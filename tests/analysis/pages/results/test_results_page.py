"""The page of results: who sees it, and what it says in every state of an analysis."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.urls import reverse
from django.utils import timezone

from analysis.analyses.catalogue import CATALOGUE
from analysis.models import AnalysisRun, AnalysisStep
from analysis.pages.results import findings_json
from analysis.pages.results.pages import agreement_rows, response_rows, worker_rows
from analysis.pages.results.run_results import RunResults
from analysis.runs import findings, requesting, running
from judging.labels.importing import import_labels
from judging.raters.registering import register
from judging.simulation.simulating import crowd, simulate
from tests.analysis.runs.polls import analysed, closed, poll, vote
from tests.analysis.whole_parts import whole_part
from tests.cast import rita, small_study
from tests.hooks import element, elements, values

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("few_analyses")]


def address(study, name="results"):
    return reverse(name, args=[study.slug, study.version])


@pytest.fixture
def researcher(client):
    client.force_login(rita())
    return client


def page_of(client, study, part=""):
    """Return the page of results, or of a part of them."""
    where = whole_part(study.slug, study.version, part) if part else ""
    answer = client.get(where or address(study))
    assert answer.status_code == 200
    return answer.content.decode()


def words(client, study, part=""):
    """Return the text of the page, or of a part of the results, without tags."""
    text = re.sub(r"<[^>]*>", " ", page_of(client, study, part))
    return " ".join(text.replace("&#x27;", "'").split())


def judged_by_a_crowd(**of_study):
    study = small_study(
        responses=4, quota=8, batch={"closes_when_full": False}, analysis={"draws": 50}, **of_study
    )
    workers = crowd(workers=8, spammers=0.2, seed=2)
    list(simulate(study=study, workers=workers, now=timezone.now()))
    return study


@pytest.mark.parametrize("name", ["results", "analyse"])
def test_it_wants_a_log_in(client, name):
    study = poll()
    send = client.post if name == "analyse" else client.get
    answer = send(address(study, name))
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("login"))
    assert not AnalysisRun.objects.exists()


def test_looking_starts_nothing(researcher):
    study = poll()
    words(researcher, study)
    assert researcher.get(address(study, "analyse")).status_code == 405
    assert not AnalysisRun.objects.exists()


def test_a_study_that_is_not_there_is_not_found(researcher):
    assert researcher.get(reverse("results", args=["lamps", 1])).status_code == 404


def test_page_without_a_run_offers_one(researcher):
    study = poll()
    page = page_of(researcher, study)
    assert values(page, "data-results") == ["none"]
    assert element(page, "action", address(study, "analyse")).tag == "form"


def test_page_without_submissions_offers_the_imported_labels(researcher, tmp_path):
    study = poll({})
    item = study.items.order_by("pk").first()
    path = tmp_path / "labels.csv"
    path.write_text(f"item,value\n{item.key},a\n")
    rater = register(name="Ann", kind="expert")
    import_labels(study=study, path=path, rater=rater, now=timezone.now())
    page = page_of(researcher, study)
    assert values(page, "data-results") == ["none"]
    pools = [each.attributes["value"] for each in elements(page, "value") if each.tag == "option"]
    assert "experts" in pools
    assert "people" not in pools  # who would have nothing to analyse


@pytest.mark.parametrize(("votes", "is_known"), [
    ({"bob": "aab"}, False),
    ({"bob": "aab", "dora": "aan"}, False),
    ({"bob": "aab", "dora": "aan", "emil": "aab"}, True),
])  # fmt: skip
def test_competence_is_shown_where_three_answered_the_same(researcher, votes, is_known):
    study = poll(votes, analysis={"draws": 20})
    analysed(study)
    summary = elements(page_of(researcher, study), "data-figure", "workers")
    assert bool(summary) is is_known
    undefined = findings.tables(study.runs.get(), "competence", "undefined")
    reasons = [] if undefined.empty else list(undefined["reason"])
    assert bool(reasons) is not is_known
    workers = page_of(researcher, study, "workers")
    assert all(reason in unescape(workers) for reason in reasons)
    assert bool(elements(workers, "data-figure", "competence")) is is_known
    read = findings_json.as_json(study.runs.get())
    assert bool(read["competence"]) is is_known


def test_asking_for_an_analysis_queues_one_and_reads_no_votes(researcher, monkeypatch):
    monkeypatch.setattr(requesting, "start", lambda **_: pytest.fail("the request reads the votes"))
    study = poll()
    answer = researcher.post(address(study, "analyse"))
    assert answer.url == address(study)
    assert values(page_of(researcher, study), "data-analysis") == ["queued"]
    assert not AnalysisRun.objects.exists()


def test_a_page_that_waits_in_the_queue_goes_on_to_the_run(researcher):
    study = poll()
    researcher.post(address(study, "analyse"))
    queue = []
    assert "HX-Refresh" not in researcher.get(address(study), headers={"HX-Request": "true"})
    assert requesting.answer(study=study, enqueue=queue.append)
    assert steps_done(page_of(researcher, study)) == (0, 3)
    while queue:
        running.perform(pk=queue.pop(), enqueue=queue.append)
    assert "HX-Refresh" in researcher.get(address(study), headers={"HX-Request": "true"})


def steps_done(page):
    bar = element(page, "class", "bar").attributes
    return int(bar["value"]), int(bar["max"])


def test_queued_run_can_be_cancelled(researcher):
    study = poll()
    researcher.post(address(study, "analyse"))
    researcher.post(address(study, "cancel_analysis"))
    assert not requesting.answer(study=study, enqueue=print)
    assert not AnalysisRun.objects.exists()
    assert values(page_of(researcher, study), "data-analysis") == []


def test_every_number_has_its_interval_and_its_n(researcher):
    study = closed(judged_by_a_crowd())
    run = analysed(study)
    text = words(researcher, study, "agreement")
    (row,) = agreement_rows(RunResults(run))
    alpha = row.alpha
    # Eight raters are taken as given, and one topic is too few for others; a sentence says so.
    by_items = row.by_items
    figures = f"{alpha['value']:.3f} – [{by_items['low']:.3f}, {by_items['high']:.3f}] –"
    assert figures.replace("-", "−") in text
    assert row.by_workers["low"] is None
    assert re.search(r"\b10 topics[^.]*\b1\)", text)
    assert (alpha["items"], alpha["votes"]) == (6, 48)
    for response in response_rows(RunResults(run)):
        (cell,) = response.cells
        assert cell["low"] <= cell["value"] <= cell["high"]
        assert cell["n"] == 24  # three pairs, of eight votes each
    text = words(researcher, study, "workers")
    for worker_row in worker_rows(RunResults(run)):
        assert worker_row.votes == 6
        assert f"{worker_row.pooled:.2f}" in text


def test_it_says_what_the_run_was_made_of(researcher):
    study = judged_by_a_crowd(seed=4711)
    run = analysed(study)
    text = words(researcher, study)
    for fact in (str(run.pk), "4711", run.version, run.digest, "draws"):
        assert fact in text


def test_a_question_without_alpha_says_why(researcher):
    study = poll(dict.fromkeys(["bob", "dora"], "aaa"))
    analysed(study)
    sentence = "Alpha cannot be computed because all pairable votes are 'a'"
    assert sentence in words(researcher, study)  # among what is missing
    assert (
        words(researcher, study, "agreement").count(sentence) == 1
    )  # once, for all that it keeps back


def test_a_run_under_way_says_how_far_it_is(researcher):
    study = poll()
    queue = []
    run = running.start(study=study, enqueue=queue.append)
    assert steps_done(page_of(researcher, study)) == (0, 3)
    running.perform(pk=queue.pop(), enqueue=queue.append)
    page = page_of(researcher, study)
    assert steps_done(page) == (1, 3)
    run.refresh_from_db()
    assert element(page, "data-analysis", run.state).numbers == [1, 3]
    moving = researcher.get(address(study), headers={"HX-Request": "true"})
    assert "<html" not in moving.content.decode()
    assert "HX-Refresh" not in moving


def test_a_run_under_way_shows_the_time_left(researcher):
    study = poll()
    queue = []
    run = running.start(study=study, enqueue=queue.append)
    running.perform(pk=queue.pop(), enqueue=queue.append)
    assert values(page_of(researcher, study), "data-seconds-left") == []  # too early
    began = timezone.now() - timedelta(seconds=50)
    AnalysisRun.objects.filter(pk=run.pk).update(asked_at=began)
    page = page_of(researcher, study)
    [left] = values(page, "data-seconds-left")
    assert 100 <= int(left) <= 110  # two of three steps
    assert values(page, "data-work") == ["running"]
    assert values(page, "data-percent") == ["33"]
    run.steps.filter(state=AnalysisStep.State.DONE).update(touched_at=began - timedelta(hours=1))
    assert values(page_of(researcher, study), "data-seconds-left") == []  # of an earlier request


def test_a_first_run_keeps_the_place_of_its_results(researcher):
    study = poll()
    queue = []
    running.start(study=study, enqueue=queue.append)
    assert elements(page_of(researcher, study), "data-skeleton")
    while queue:
        running.perform(pk=queue.pop(), enqueue=queue.append)
    assert not elements(page_of(researcher, study), "data-skeleton")


def test_a_run_that_is_done_makes_the_page_load_anew(researcher):
    study = poll()
    analysed(study)
    moving = researcher.get(address(study), headers={"HX-Request": "true"})
    assert moving["HX-Refresh"] == "true"


def failed(study):
    queue = []
    run = running.start(study=study, enqueue=queue.append)
    study.assignments.first().judgments.all().delete()
    for pk in queue:
        with pytest.raises(running.DataChanged):
            running.perform(pk=pk, enqueue=queue.append)
    run.refresh_from_db()
    assert run.state == AnalysisRun.State.FAILED
    return run


def test_a_failed_run_says_why_once(researcher):
    study = poll()
    run = failed(study)
    assert run.steps.filter(state=AnalysisStep.State.FAILED).count() == 2
    page = page_of(researcher, study)
    assert values(page, "data-analysis") == ["failed"]
    [error] = elements(page, "data-run-error")
    assert {error.text} == set(run.steps.exclude(error="").values_list("error", flat=True))
    assert values(page, "data-results") == ["none"]


def test_after_a_failed_run_the_results_of_the_one_before_stay(researcher):
    study = poll(analysis={"draws": 50})
    before = analysed(study)
    vote(study, "hal", "bbb")
    failed(study)
    page = page_of(researcher, study)
    assert values(page, "data-analysis") == ["failed"]
    assert values(page, "data-run") == [str(before.pk)]
    assert values(page, "data-results") == []


def test_a_newer_version_has_results_of_its_own(researcher):
    study = poll(analysis={"draws": 50})
    analysed(study)
    newer = poll({}, version=2, corpus=study.corpus)
    assert newer.slug == study.slug
    assert values(page_of(researcher, newer), "data-results") == ["early"]
    assert values(page_of(researcher, study), "data-results") == []


def test_the_newest_analysis_is_shown(researcher):
    study = poll(analysis={"draws": 50})
    first = analysed(study)
    vote(study, "gus", "bbb")
    second = analysed(study)
    page = page_of(researcher, study)
    assert values(page, "data-run") == [str(second.pk)]
    assert first.digest[:12] not in page


def test_overview_leads_with_the_best_of_the_newest_analysis(researcher, settings):
    settings.ANALYSES = {name: CATALOGUE[name] for name in ("grades", "groups")}
    study = judged_by_a_crowd()
    before = researcher.get(study.get_absolute_url()).content.decode()
    assert "data-leading-result" not in before
    analysed(closed(study))
    page = researcher.get(study.get_absolute_url()).content.decode()
    (shown,) = elements(page, "data-figure", "best")
    heading = element(page_of(researcher, study), "id", "answer").text
    assert shown.text == heading
    assert page.index("data-leading-result") < page.index('id="study-progress"')
