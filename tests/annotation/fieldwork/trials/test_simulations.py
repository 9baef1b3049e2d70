"""A simulated crowd answers a copy of a draft, which is analysed, marked and deleted."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from analysis.models import AnalysisRequest
from annotation.fieldwork.recruiting.arriving import StudyNotOpen, study_for
from annotation.fieldwork.trials import ending, simulating
from annotation.models import Assignment, Draft, Response, Role, Simulation, Study
from annotation.people.access.roles import RIGHTS
from annotation.studies.drafts import launching
from annotation.studies.drafts.launching import HasFaults
from judging.models import Judgment
from judging.simulation.simulating import crowd_of, truth
from tests.annotation.fieldwork.trials.rows import rows, writing_document
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW, rita
from tests.config.test_access import console_address, console_names, posted

pytestmark = pytest.mark.django_db
DOCUMENTS = {"judging": judging_document, "writing": writing_document}
State = Simulation.State


def asked(draft: Draft, **said: Any) -> Simulation:
    wanted = {"competence": 0.7, "difference": 0.5, "workers": 2, "now": NOW} | said
    return simulating.ask(draft=draft, user=User.objects.get(username="rita"), **wanted)


def simulated(draft: Draft, **said: Any) -> Simulation:
    one = asked(draft, **said)
    simulating.work_on(pk=one.pk, clock=lambda: NOW)
    return Simulation.objects.get(pk=one.pk)


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_crowd_answers_a_copy_that_is_closed_and_analysed_and_leaves_nothing(
    kind: str, django_capture_on_commit_callbacks: Any
) -> None:
    draft = drafted(DOCUMENTS[kind](), user=rita())
    before, texts = rows(), Response.objects.count()
    with django_capture_on_commit_callbacks(execute=True):
        one = simulated(draft)
    study = one.study
    assert study is not None
    assert (one.state, study.purpose) == (State.DONE, Study.Purpose.SIMULATION)
    assert study.title.endswith("(simulated)")
    assert Assignment.objects.counting().filter(study=study).count() == 2
    assert {batch.state for batch in study.batches.all()} == {"closed"}
    assert AnalysisRequest.objects.filter(study=study).exists()
    assert Response.objects.count() == texts
    assert not Study.objects.exists()
    assert ending.end_simulation(draft=draft)
    assert not ending.end_simulation(draft=draft)
    assert rows() == before


def test_asked_twice_it_is_one_and_two_workers_are_one() -> None:
    draft = drafted(user=rita())
    one = asked(draft)
    assert asked(draft, competence=0.9) == one
    simulating.work_on(pk=one.pk)
    done = rows()
    simulating.work_on(pk=one.pk)
    assert rows() == done


def test_what_a_killed_worker_left_is_done_and_what_fails_says_so() -> None:
    draft = drafted(user=rita())
    one = asked(draft)
    assert simulating.left(now=NOW) == [one.pk]
    work = simulating.work_on
    killed = Simulation.objects.filter(pk=one.pk)
    killed.update(state=State.WORKING, attempts=1)
    assert simulating.left(now=NOW) == []  # its worker may still be at it
    work(pk=one.pk, clock=lambda: NOW)
    assert not Study.every.exists()
    later = NOW + simulating.STALE + timedelta(seconds=1)
    assert simulating.left(now=later) == [one.pk]
    work(pk=one.pk, clock=lambda: later)
    assert killed.get().state == State.DONE
    killed.update(state=State.WORKING, attempts=simulating.MAX_ATTEMPTS)
    work(pk=one.pk, clock=lambda: later + 2 * simulating.STALE)
    assert (killed.get().state, killed.get().sentence) == (State.FAILED, simulating.FAILED)


def test_a_corpus_that_is_gone_is_said() -> None:
    draft = drafted(user=rita())
    one = asked(draft)
    draft.corpus.delete()
    simulating.work_on(pk=one.pk)
    failed = Simulation.objects.get()
    assert failed.state == State.FAILED
    assert failed.sentence


def test_a_draft_with_faults_is_not_simulated_and_a_launched_one_is() -> None:
    draft = drafted(user=rita())
    Draft.objects.filter(pk=draft.pk).update(document=draft.document | {"contact": ""})
    with pytest.raises(HasFaults):
        asked(draft)
    Draft.objects.filter(pk=draft.pk).update(document=draft.document)
    launching.launch(draft=draft, revision=0, user=None, now=NOW)
    assert simulated(draft).state == State.DONE
    assert Study.objects.count() == 1


def test_the_design_of_a_launched_study_leads_to_its_crowd() -> None:
    rita()
    draft = drafted(user=User.objects.get())
    study = launching.launch(draft=draft, revision=0, user=None, now=NOW)
    client = Client()
    client.force_login(User.objects.get())
    page = reverse("draft_try", args=[draft.pk])
    design = reverse("study_design", args=[study.slug, study.version])
    assert page in client.get(design, follow=True).text
    shown_page = client.get(page).text
    assert f'action="{reverse("draft_simulate", args=[draft.pk])}"' in shown_page
    assert "data-as-worker" not in shown_page
    assert "data-faults" not in shown_page
    assert design in shown_page


def test_a_large_study_is_simulated_on_fewer_topics(monkeypatch: Any) -> None:
    document = writing_document()
    monkeypatch.setitem(simulating.MAX_PLACES_BY_KIND, "writing", 3)
    study = simulated(drafted(document, user=rita())).study
    assert study is not None
    assert study.batches.get().tasks.count() == 3  # one topic in three styles


def test_it_ends_with_its_days() -> None:
    draft = drafted(user=rita())
    simulated(draft)
    assert ending.end_due(now=NOW + simulating.SIMULATION_LIFETIME - timedelta(seconds=1)) == 0
    assert ending.end_due(now=NOW + simulating.SIMULATION_LIFETIME) == 1
    assert not Simulation.objects.exists()
    assert not Study.every.exists()


def test_competence_and_difference_are_what_was_asked_for() -> None:
    from annotation.models import System
    from annotation.studies.drafts.kinds import Crowd

    names = tuple(f"p{n}" for n in range(400))
    people = crowd_of(Crowd(names=names, competence=0.6, difference=2, seed=1))
    mean = sum(person.competence for person in people) / len(people)
    assert mean == pytest.approx(0.6, abs=0.03)
    assert {person.difference for person in people} == {2}
    study = simulated(drafted(user=rita()), workers=2).study
    assert study is not None
    item = study.items.first()
    question = study.questions.first()
    for letter, slot in zip("ab", item.slots.all(), strict=True):
        system = System.objects.create(corpus=study.corpus, key=letter, name=letter)
        Response.objects.filter(pk=slot.response_id).update(system=system)
    item = study.items.get(pk=item.pk)
    seen = {truth(item=item, question=question, seed=seed, difference=0) for seed in range(30)}
    assert len(seen) > 1
    best = [truth(item=item, question=question, seed=seed, difference=100) for seed in range(30)]
    assert "tie" not in best


def test_a_simulated_copy_is_marked_on_every_page_and_only_looked_at() -> None:
    rita()
    draft = drafted(user=User.objects.get())
    one = simulated(draft)
    study = one.study
    assert study is not None
    with pytest.raises(StudyNotOpen):
        study_for(study.slug)
    client = Client()
    client.force_login(User.objects.get())
    User.objects.create_user("member")
    marked = 0
    for name in console_names():
        address = console_address(name, study, Assignment.objects.first().pk)
        # The address of a study's workers, and their page, which stands in a frame of ours.
        if f"/{study.slug}/" not in address or name in ("arrive", "study_page"):
            continue
        response = client.get(address)
        moved = 302 if name == "judged" else 200  # to the queue
        assert response.status_code in (moved, 403, 404, 405, 409), name
        if response.status_code == 200 and response["Content-Type"].startswith("text/html"):
            assert "data-simulated" in response.text, name
            marked += 1
        response = client.post(address, **posted(name))
        assert response.status_code in (403, 404, 405), name
    assert marked >= 3
    assert RIGHTS[Role.VIEWER] == {"view"}  # which everybody is of it
    assert Judgment.objects.exists()


def test_the_page_asks_for_it_shows_it_and_deletes_it() -> None:
    rita()
    draft = drafted(user=User.objects.get())
    client = Client()
    client.force_login(User.objects.get())
    page = reverse("draft_try", args=[draft.pk])
    address = reverse("draft_simulate", args=[draft.pk])
    wrong = client.post(address, {"competence": 120, "difference": "0.5"})
    assert wrong.status_code == 422
    assert 'value="120"' in wrong.text
    assert client.post(address, {"competence": 80, "difference": "0.5"}).url == page
    one = Simulation.objects.get()
    assert (one.competence, one.workers) == (0.8, None)
    assert 'id="simulated"' in client.get(page).text
    assert "every 3s" in client.get(page).text  # the page looks again by itself
    simulating.work_on(pk=one.pk)
    study = Study.every.get()
    assert reverse("results", args=[study.slug, 1]) in client.get(page).text
    assert client.post(reverse("draft_simulate_end", args=[draft.pk])).url == page
    assert not Study.every.exists()
    assert f'action="{address}"' in client.get(page).text
