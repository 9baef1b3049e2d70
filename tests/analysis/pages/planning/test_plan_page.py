"""The page on which a draft is planned."""

import re
from dataclasses import asdict, replace
from decimal import Decimal
from typing import Any

import msgspec
import pytest
from django.contrib.auth.models import User
from django.test import Client, TestCase
from django.urls import reverse
from django.utils import translation

from analysis import tasks
from analysis.inputs.analysis_input import table_of
from analysis.models import AnalysisRun, Forecast, Result
from analysis.pages.planning import simulating, views
from analysis.pages.planning.assumptions import PUBLISHED, PlanForm, pilots_for
from analysis.pages.planning.pairs import NoCurve, method_of
from analysis.stats.errors import CannotCompute
from analysis.stats.verdicts import raters_verdict
from annotation.models import Draft, Foreseen, Response
from annotation.people.access import sharing
from annotation.studies.drafts import making
from annotation.studies.drafts.faults import faults_of
from annotation.studies.drafts.kinds import decoded, kind_of
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.recruitment_schema import Recruitment
from annotation.studies.drafts.schema import Design
from annotation.texts.sentences import Sentence
from tests.annotation.studies.drafts.drafted import drafted
from tests.cast import NOW, draft_study, rita, small_corpus
from tests.hooks import Element, element, elements, numbers

pytestmark = pytest.mark.django_db
TAG = re.compile("<[^>]+>")
PAY = Recruitment(platform="prolific", pay=Decimal("3.00"))


@pytest.fixture
def client(monkeypatch: pytest.MonkeyPatch) -> Client:
    """Return a client whose requests are followed at once by the worker's jobs."""
    monkeypatch.setattr(simulating, "MOST_DRAWS", 60)
    monkeypatch.setattr(tasks, "enqueue_forecast", lambda pk: simulating.work_on(pk=pk))
    found = Client()
    found.force_login(rita())
    return found


def a_draft(*, kind: str = "judging", method: str = "crowdrag-pairwise", **said: Any) -> Draft:
    """Six topics of four texts: 36 pairs, and 12 in reverse as well, in 4 questionnaires."""
    document = making.document_of_methods(
        kind=kind,
        instruments=[kind_of(kind).load(method)],
        title="Lamps compared",
        corpus=small_corpus(topics=6, responses=4),
    )
    return drafted(msgspec.structs.replace(document, contact="Rita", **said))


def planned(client: Client, draft: Draft, **asked: Any) -> str:
    return client.get(reverse("draft_plan", args=[draft.pk]), asked).text


def certainty(client: Client, draft: Draft, **asked: Any) -> str:
    page = reverse("draft_certainty", args=[draft.pk])
    with TestCase.captureOnCommitCallbacks(execute=True):
        client.get(page, asked)
    return client.get(page, asked).text


def test_it_says_the_work_and_the_money(client: Client) -> None:
    """4 questionnaires x 5 workers x 8.00 and a third; their work takes 35 minutes, not 15."""
    enough = msgspec.structs.replace(PAY, pay=Decimal(8))
    page = planned(client, a_draft(recruitment=enough))
    shown = element(page, "data-plan-figures").numbers
    assert shown[:4] == [4, 4, 5, 20]  # tasks, of so many workers, in places
    assert shown[-10:] == [15, 35, 30, 13.71, 8, 35, 12, 213.33, 160, 33.3]
    assert elements(page, "data-wage", "under") == []
    assert "hx-get" in page


def test_pay_under_the_target_and_another_fee_are_said(client: Client) -> None:
    page = planned(client, a_draft(recruitment=Recruitment(pay=Decimal(2))), fee="10")
    assert elements(page, "data-wage", "under")
    assert "44.00 USD" in page


def test_it_says_how_sure_the_result_will_be(client: Client) -> None:
    page = certainty(client, a_draft(recruitment=PAY))
    chance, votes = element(page, "data-power").numbers[:2]
    assert votes == 5
    assert 0 < chance <= 100
    assert PUBLISHED.title in element(page, "data-assumed").text
    assert element(page, "data-simulated").numbers[:3] == [60, 2, 6]  # studies, systems, topics
    assert element(page, "data-power-for").numbers[0] == 55


def test_what_is_assumed_is_in_the_address(client: Client) -> None:
    draft = a_draft()
    asked = {"share": "62", "competence": "80"}
    assumed = element(certainty(client, draft, **asked), "data-assumed").numbers
    assert assumed == [2025, 62, 80]  # of the corpus, of the votes, of the answers
    page = planned(client, draft, **asked)
    assert 'value="62"' in page
    assert "?share=62&amp;competence=80" in page


def test_without_a_difference_chance_alone_tells_them_apart(client: Client) -> None:
    draft = a_draft()
    assert elements(certainty(client, draft, share="50"), "data-power", "by-chance")
    assert not elements(certainty(client, draft, share="62"), "data-power", "by-chance")


def checked(client: Client, draft: Draft) -> str:
    return client.get(reverse("draft_check", args=[draft.pk])).text


def warnings(page: str, address: str) -> list[Element]:
    """Return the warnings that link to a page."""
    return [
        warning
        for warning in elements(page, "data-remark")
        if re.match(address, warning.attributes["data-remark"])
    ]


def plan_of(draft: Draft) -> str:
    return reverse("draft_plan", args=[draft.pk]) + "$"


def test_check_says_what_plan_has_found_and_simulates_nothing(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = a_draft(recruitment=PAY)
    assert warnings(checked(client, draft), plan_of(draft))
    chance = found_by_plan(client, draft, monkeypatch)
    page = checked(client, draft)
    assert warnings(page, plan_of(draft)) == []
    [warning] = warnings(page, fixes(draft))
    assert warning.numbers[:2] == [chance, 5]
    assert elements(page, "data-power") == []  # once is enough
    assert element(page, "data-power-for").numbers == [2, 6, 55, 2025]


def test_the_launch_has_the_chance_as_a_figure_and_leads_to_what_mends_it(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = a_draft(recruitment=PAY)
    html = client.get(reverse("draft_launch", args=[draft.pk])).text
    assert elements(html, "data-power") == []
    chance = found_by_plan(client, draft, monkeypatch)
    html = client.get(reverse("draft_launch", args=[draft.pk])).text
    assert element(html, "data-power").numbers == [chance, 55]
    [warning] = warnings(html, fixes(draft))
    assert numbers(warning.text)[:2] == [chance, 5]
    assert elements(html, "data-power-for") == []


@pytest.mark.parametrize(("quota", "tasks"), [(5, 1), (2, 1), (5, 4)])
def test_plan_and_check_have_the_same_word_for_the_same_workers(
    client: Client, quota: int, tasks: int
) -> None:
    draft = a_draft(recruitment=msgspec.structs.replace(PAY, tasks_per_worker=tasks))
    document = decoded(draft.document)
    document.instruments[0]["defaults"]["quota"] = quota
    Draft.objects.update(document=plain(document))
    workers = -(-4 * quota // tasks)  # four questionnaires
    [word] = elements(planned(client, draft), "data-verdict")
    assert word.attributes["data-verdict"] == raters_verdict(workers).replace(" ", "-")
    certainty(client, draft)
    words = [
        mark.attributes["data-verdict"] for mark in elements(checked(client, draft), "data-verdict")
    ]
    assert words == ["too-few", word.attributes["data-verdict"]]  # of six topics, and workers


def found_by_plan(client: Client, draft: Draft, monkeypatch: pytest.MonkeyPatch) -> float:
    """Return the chance on Plan in %, after which nothing is simulated any more."""
    page = certainty(client, draft)
    monkeypatch.setattr(simulating, "simulate_power", None)
    chance, votes = element(page, "data-power").numbers[:2]
    assert votes == 5
    return chance


def fixes(draft: Draft) -> str:
    """More votes are asked for under Tasks; all topics are in use, so that more come with files."""
    votes = reverse("draft_section", args=[draft.pk, "design"]) + "#at-"
    topics = draft.corpus.get_absolute_url() if draft.corpus else ""
    return rf"{votes}\w+|{topics}$"


def test_what_was_foreseen_of_another_design_is_not_said(client: Client) -> None:
    draft = a_draft(recruitment=PAY)
    certainty(client, draft)
    document = decoded(draft.document)
    texts = msgspec.structs.replace(document, title="Lamps, once more", contact="Rita L.")
    texts.instruments[0]["questions"][0]["text"] = "Which lamp?"
    Draft.objects.update(document=plain(texts))
    assert warnings(checked(client, draft), fixes(draft))
    document.instruments[0]["defaults"]["quota"] = 7
    Draft.objects.update(document=plain(document))
    page = checked(client, draft)
    assert warnings(page, plan_of(draft))
    assert warnings(page, fixes(draft)) == []


def test_who_only_looks_changes_nothing_of_what_check_says(client: Client) -> None:
    draft = a_draft(recruitment=PAY)
    vera = User.objects.create_user("vera")
    for team in {draft.team, draft.corpus.team}:  # who may not see the corpus is told nothing of it
        team.memberships.create(user=vera, role="viewer", since=NOW)
    client.force_login(vera)
    assert elements(certainty(client, draft, share="90"), "data-power")
    assert not Foreseen.objects.exists()


@pytest.mark.parametrize("guess", [{"share": "70"}, {"competence": "60"}], ids=str)
def test_check_and_launch_go_by_what_a_study_has_found_not_by_a_guess(
    client: Client, guess: dict[str, str]
) -> None:
    draft = a_draft(recruitment=PAY)
    assert elements(certainty(client, draft, **guess), "data-power")
    assert not Foreseen.objects.exists()
    certainty(client, draft)
    before = checked(client, draft)
    certainty(client, draft, **guess)
    assert TAG.sub("", checked(client, draft)) == TAG.sub("", before)
    assert 55 in element(before, "data-power-for").numbers
    html = client.get(reverse("draft_launch", args=[draft.pk])).text
    assert element(html, "data-power").numbers[-1] == 55


def test_a_design_of_which_nothing_can_be_said_says_why(client: Client) -> None:
    draft = a_draft(recruitment=PAY)
    Response.objects.update(system=None, origin="llm")
    certainty(client, draft)
    [warning] = warnings(checked(client, draft), plan_of(draft))
    why = Foreseen.objects.get().found["why"]
    assert why
    assert warning.text.endswith(why)


def test_why_nothing_can_be_said_is_kept_in_one_language(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise CannotCompute("no_pairs", Sentence("There are no pairs."))

    draft = a_draft(recruitment=PAY)
    monkeypatch.setattr(views, "sure_of", refuse)
    monkeypatch.setattr(translation._trans, "gettext", lambda words: f"¡{words}!")
    assert "¡There are no pairs.!" in certainty(client, draft)
    assert Foreseen.objects.get().found["why"] == "There are no pairs."


def test_a_method_that_compares_no_texts_is_asked_nothing(client: Client) -> None:
    draft = a_draft(method="crowdrag-pointwise")
    assert warnings(checked(client, draft), plan_of(draft)) == []


@pytest.mark.parametrize(("share", "half", "shown"), [
    (0.551, 0.02, [55.1, 2.0]), (0.551, 0.5, [55.1, 5.1, 100.0]),
    (0.551, 0.551, []), (0.551, 2.17, []),
])  # fmt: skip
def test_a_width_beyond_all_shares_is_no_number(
    client: Client, monkeypatch: pytest.MonkeyPatch, share: float, half: float, shown: list[float]
) -> None:
    real = simulating.simulate_power

    def wide(*args: Any, **named: Any) -> list[Any]:
        return [replace(each, share=share, half_width=half) for each in real(*args, **named)]

    monkeypatch.setattr(simulating, "simulate_power", wide)
    page = certainty(client, a_draft())
    rows = elements(page, "class", "row-here")
    assert rows
    assert all(row.numbers[-len(shown) :] == shown for row in rows if shown)
    assert bool(elements(page, "data-too-wide")) is bool(elements(page, "data-too-wide-note"))
    assert bool(elements(page, "data-too-wide")) is not bool(shown)
    assert any("±" in row.text for row in rows) is (half == 0.02)


def test_the_page_waits_for_a_worker_and_asks_again(client: Client) -> None:
    draft = a_draft()
    page = reverse("draft_certainty", args=[draft.pk]) + "?share=62"
    waiting = element(client.get(page).text, "data-forecast", "waiting")  # nothing is committed
    assert waiting.attributes["hx-get"] == page
    assert waiting.attributes["hx-trigger"] == "every 1s, soon"
    assert waiting.attributes["hx-swap"] == "outerHTML"
    Forecast.objects.update(state="working", done=0.25)
    working = client.get(page).text
    assert elements(working, "data-forecast", "working")
    assert 'value="0.25"' in working
    Forecast.objects.update(state="failed")
    failed = client.get(page).text
    assert elements(failed, "data-no-power")
    assert elements(failed, "data-forecast") == []
    assert not Foreseen.objects.exists()


def test_it_is_simulated_once(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    draft = a_draft()
    first = certainty(client, draft)
    monkeypatch.setattr(simulating, "simulate_power", None)
    assert certainty(client, draft) == first


@pytest.mark.parametrize("asked", [
    {"share": "49"}, {"competence": "many"}, {"fee": "-1"}, {"source": "no-study"},
])  # fmt: skip
def test_what_cannot_be_assumed_is_said_at_its_field(client: Client, asked: Any) -> None:
    draft = a_draft()
    response = client.get(reverse("draft_plan", args=[draft.pk]), asked)
    assert response.status_code == 422
    assert f'id="plan-{next(iter(asked))}-error"' in response.text
    assert client.get(reverse("draft_certainty", args=[draft.pk]), asked).status_code == 200


def test_a_method_without_pairs_and_a_draft_with_faults_say_why(client: Client) -> None:
    single = a_draft(method="crowdrag-pointwise")
    with pytest.raises(NoCurve) as error:
        method_of(decoded(single.document))
    assert element(certainty(client, single), "data-no-power").text == str(error.value)
    faulty = drafted(msgspec.structs.replace(decoded(single.document), design=Design(topics=99)))
    [fault] = faults_of(decoded(faulty.document), draft=faulty)
    assert fault.path == "design/topics"
    assert fault.sentence in element(certainty(client, faulty), "data-no-power").text
    assert fault.sentence in element(planned(client, faulty), "data-not-counted").text


def test_a_writing_study_has_no_curve(client: Client) -> None:
    draft = a_draft(kind="writing", method="crowdrag-writing")
    for topic in draft.corpus.topics.all():
        topic.passages.create(key=f"p{topic.pk}", rank=1, text="Lamps shine. " * 100)
    page = planned(client, draft)
    assert 18 in element(page, "data-plan-figures").numbers
    assert elements(page, "data-no-power")
    assert "hx-get" not in page


def test_a_study_of_ones_own_is_planned_from(client: Client) -> None:
    draft = a_draft()
    study = draft_study(corpus=draft.corpus, slug="pilot")
    run = AnalysisRun.objects.create(
        study=study, seed=1, version="1", digest="d", key="k", asked_at=NOW, state="done",
        finished_at=NOW,
    )  # fmt: skip
    step = run.steps.create(stage=1, analysis="mixed", question="coverage_broad", touched_at=NOW)
    spreads = asdict(PUBLISHED.components) | {"tie_parameter": 0.5}
    Result.objects.create(
        step=step,
        data={
            "components": table_of(tuple(spreads), [list(spreads.values())]),
            "systems": table_of(("system", "merit"), [["a", 0.4], ["b", -0.4], ["c", -0.9]]),
        },
    )
    pilots = pilots_for(User.objects.get(username="rita"))
    own = pilots[1]
    assert own.key == f"{run.pk}-coverage_broad"
    assert own.share > 0.6
    form = PlanForm({"source": own.key}, pilots=pilots)
    assert form.is_valid()
    assert form.assumed(ties=True).difference == pytest.approx(0.8)
    assert own.title in planned(client, draft)
    page = certainty(client, draft, source=own.key)
    assert own.title in element(page, "data-assumed").text
    viewer = User.objects.create_user("vera")
    sharing.begin(of=draft, owners=[viewer])
    assert pilots_for(viewer) == [PUBLISHED]


def test_the_page_asks_the_same_queries_whatever_the_size(
    client: Client, django_assert_max_num_queries: Any
) -> None:
    draft = a_draft()
    planned(client, draft)
    with django_assert_max_num_queries(22):
        planned(client, draft)
