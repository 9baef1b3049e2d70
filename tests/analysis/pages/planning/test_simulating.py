"""A simulation of a draft's votes: once for all who ask, whoever does it and whatever is lost."""

from datetime import timedelta
from typing import Any

import msgspec
import pytest

from analysis.models import Forecast
from analysis.pages.planning import simulating
from analysis.pages.planning.assumptions import PUBLISHED
from analysis.stats.bradley_terry.simulated_votes import AssumedTruth
from annotation.models import Draft
from annotation.studies.drafts import making
from annotation.studies.drafts.kinds import decoded, kind_of
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.plan_results import digest_of_design
from annotation.studies.drafts.schema import Design
from tests.annotation.studies.drafts.drafted import drafted
from tests.cast import NOW, small_corpus

pytestmark = [pytest.mark.django_db, pytest.mark.storage]
ASSUMED = AssumedTruth(components=PUBLISHED.components, tie_parameter=0.78, difference=0.3)
LATER = NOW + timedelta(minutes=1)


@pytest.fixture
def draft() -> Draft:
    document = making.document_of_methods(
        kind="judging",
        instruments=[kind_of("judging").load("crowdrag-pairwise", "en")],
        title="Lamps compared",
        corpus=small_corpus(topics=4, responses=3),
    )
    return drafted(msgspec.structs.replace(document, contact="Rita"))


@pytest.fixture
def ask(draft: Draft, django_capture_on_commit_callbacks: Any) -> Any:
    """Ask as a page does; what a worker is sent stands in `sent`."""

    def asked(sent: list[int] | None = None, *, now: Any = NOW, votes: Any = (1, 2)) -> Forecast:
        enqueue = (sent if sent is not None else []).append
        digest = digest_of_design(decoded(draft.document), draft.corpus)
        with django_capture_on_commit_callbacks(execute=True):
            return simulating.ask(
                draft=draft, digest=digest, assumed=ASSUMED, votes=votes, enqueue=enqueue, now=now
            )

    return asked


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulating, "MOST_DRAWS", 60)


def test_two_pages_that_ask_the_same_send_one_worker(ask: Any) -> None:
    sent: list[int] = []
    assert ask(sent) == ask(sent)
    assert sent == [Forecast.objects.get().pk]
    assert ask(sent, votes=(1, 2, 3)) != ask(sent)
    assert len(sent) == 2


def test_what_is_found_is_kept_and_says_how_far_it_is(
    ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares: list[float] = []
    real = simulating.simulate_power

    def watched(*args: Any, tell: Any, **named: Any) -> Any:
        found = real(*args, tell=lambda share: (tell(share), shares.append(share)), **named)
        assert Forecast.objects.get().done == shares[-1] == 1
        return found

    monkeypatch.setattr(simulating, "simulate_power", watched)
    simulating.work_on(pk=ask().pk)
    found = ask()
    assert (found.state, found.sentence) == ("done", "")
    assert [row["votes"] for row in found.found["rows"]] == [1, 2]
    assert (found.found["systems"], found.found["topics"]) == (2, 4)
    monkeypatch.setattr(simulating, "simulate_power", None)
    simulating.work_on(pk=found.pk)  # the message came twice


def test_a_worker_takes_nothing_that_another_one_is_at(
    ask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    pk = ask().pk
    now = simulating.database_now()
    assert simulating._take(pk, now) is not None
    monkeypatch.setattr(simulating, "simulate_power", None)
    simulating.work_on(pk=pk)
    assert Forecast.objects.get().state == "working"


def test_a_lost_message_is_sent_again_and_a_killed_worker_replaced(ask: Any) -> None:
    sent: list[int] = []
    pk = ask(sent).pk
    ask(sent, now=LATER)
    assert sent == [pk, pk]
    ask(sent, now=LATER)  # a moment ago: the worker may have other work
    assert len(sent) == 2
    assert simulating._take(pk, LATER) is not None  # and is killed
    ask(sent, now=LATER + timedelta(seconds=5))
    assert len(sent) == 2
    ask(sent, now=LATER + timedelta(minutes=1))
    assert len(sent) == 3
    simulating.work_on(pk=pk)
    assert ask().state == "done"


def test_what_kills_its_workers_is_tried_three_times(ask: Any) -> None:
    pk = ask().pk
    for attempt in range(1, 4):
        now = NOW + timedelta(minutes=attempt)
        assert simulating._take(pk, now) is not None
    assert simulating._take(pk, NOW + timedelta(minutes=5)) is None
    assert ask().state == "failed"


def test_nothing_is_simulated_for_a_design_that_was_changed(ask: Any, draft: Draft) -> None:
    pk = ask().pk
    document = decoded(draft.document)
    changed = msgspec.structs.replace(document, design=Design(topics=2))
    Draft.objects.update(document=plain(changed))
    simulating.work_on(pk=pk)
    assert not Forecast.objects.exists()


def test_a_design_of_which_nothing_can_be_said_is_an_answer(ask: Any, draft: Draft) -> None:
    draft.corpus.responses.update(system=None, origin="llm")
    simulating.work_on(pk=ask().pk)
    response = ask()
    assert response.state == "done"
    assert "all texts are by one system" in response.sentence


def test_it_is_forgotten_after_a_day_and_with_its_draft(ask: Any, draft: Draft) -> None:
    ask()
    assert simulating.forget(now=LATER) == 0
    assert simulating.forget(now=NOW + timedelta(days=2)) == 1
    ask()
    draft.delete()
    assert not Forecast.objects.exists()
