"""What pages of results keep of a finished run: for all servers, as long as it is true."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone

from analysis import tasks
from analysis.models import AnalysisRun
from analysis.pages.entities import newest_results
from analysis.pages.results import figures, preparing, sections
from analysis.pages.results.run_results import RunResults
from annotation import clearing_cache, jobs
from annotation.models import Kept, System
from tests.analysis.runs.polls import analysed, poll
from tests.analysis.whole_parts import whole_part
from tests.cast import rita
from tests.hooks import without_tokens

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def analysed_once(for_the_module):
    return for_the_module(lambda: analysed(poll()).pk)


@pytest.fixture
def run(analysed_once):
    return AnalysisRun.objects.get(pk=analysed_once)


@pytest.fixture
def page(client, run):
    client.force_login(rita())

    def asked(part="agreement"):
        at = [run.study.slug, run.study.version]
        return without_tokens(client.get(whole_part(*at, part)).text)

    return asked


def kept_of(run):
    return Kept.objects.filter(cache_key__contains=run.kept_under)


def test_a_plot_is_drawn_once_for_all_servers(page, monkeypatch):
    """Nothing is in the memory of a process, so that another one draws nothing either."""
    first = page()
    assert "<svg" in first
    monkeypatch.setattr(figures, "figure", None)
    monkeypatch.setattr(sections, "_shown", None)
    assert page() == first


def test_pages_of_a_prepared_run_draw_nothing(run, page, monkeypatch):
    preparing.prepare(run=run)
    monkeypatch.setattr(figures, "figure", None)
    monkeypatch.setattr(sections, "_contents", None)
    assert "<svg" in page()


def test_lists_of_workers_read_of_a_prepared_run_what_was_prepared(run, monkeypatch):
    computed = newest_results.competences(RunResults(run))
    assert computed == newest_results._competences(RunResults(run)) != {}
    clearing_cache.forget(of=run.kept_under)
    preparing.prepare(run=run)
    monkeypatch.setattr(newest_results, "_competences", None)
    assert newest_results.competences(RunResults(run)) == computed


def test_the_last_step_of_a_run_has_its_pages_prepared(run, monkeypatch):
    sent = []
    monkeypatch.setattr(jobs, "send", lambda task, *of: sent.append((task.name, *of)))
    step = run.steps.last()
    tasks.step(step.pk)  # done by somebody else
    assert not sent
    monkeypatch.setattr(tasks.running, "perform", lambda **_: True)
    tasks.step(step.pk)
    assert sent == [("analysis.tasks.prepare", run.pk)]
    tasks.prepare(run.pk)
    assert kept_of(run).exists()


def test_another_name_of_a_system_is_said_at_once(run, page):
    page("systems")
    system = System.objects.create(corpus=run.study.corpus, key="s1", name="One")
    before = kept_of(run).count()
    page("systems")
    assert kept_of(run).count() > before
    system.delete()


def test_cached_results_are_deleted_with_their_run(run, page):
    page()
    assert kept_of(run).exists()
    run.delete()
    assert not Kept.objects.exists()


def test_expired_results_are_deleted_and_all_of_them_by_a_release(page, run):
    page()
    now = timezone.now()
    assert clearing_cache.forget_expired(now=now) == 0
    assert clearing_cache.forget_expired(now=now + timedelta(days=2)) > 0
    page()
    call_command("migrate", verbosity=0)
    assert not Kept.objects.exists()


def test_a_page_is_there_where_nothing_can_be_kept(page, monkeypatch):
    first = page()
    Kept.objects.all().delete()
    monkeypatch.setattr("config.cache.KeptCache._base_set", lambda *_: False)
    assert page() == first
