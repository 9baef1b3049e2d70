"""Models beside people: what the page says of each, and that people never notice them."""

import pytest
from django.urls import reverse

from analysis.analyses.judge_rows import UNREAD
from analysis.inputs.machine_calls import MODELS
from analysis.models import AnalysisRun
from analysis.pages.results import findings_json
from analysis.pages.results.pages.judges import JudgeLosses, judge_finding, judge_losses
from analysis.pages.results.run_results import RunResults
from analysis.runs import findings, renewing, requesting, running
from annotation.models import AuditEntry, Study
from judging.models import Item, Judgment, MachineCall, MachineJudge, Prompt, Rater
from tests.analysis.runs.polls import closed, poll
from tests.cast import NOW, rita
from tests.coded_errors import raises
from tests.config.askers import client_of
from tests.hooks import element, elements, numbers, values

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("few_analyses")]
NAMES = ("copy", "guess", "left")


@pytest.fixture(scope="module")
def polled(for_the_module):
    votes = {"bob": "aab", "dora": "aab", "emil": "aan", "fay": "bab"}
    return for_the_module(lambda: poll(votes).pk)


@pytest.fixture
def study(polled, db, settings):
    from analysis.analyses.catalogue import CATALOGUE

    settings.ANALYSES = {**settings.ANALYSES, "judges": CATALOGUE["judges"]}
    return Study.objects.get(pk=polled)


def label(study, name, letters, shown="a,b"):
    rater, _ = Rater.objects.get_or_create(kind="model", name=name, pseudonym=name, model=name)
    for item, letter in zip(Item.objects.filter(study=study).order_by("key"), letters, strict=True):
        slot = item.slots.filter(name=letter).first()
        Judgment.objects.create(
            rater=rater, item=item, question=study.questions.get(), raw=letter, shown=shown,
            value=slot.response.key if slot else letter, first_at=NOW, answered_at=NOW,
        )  # fmt: skip


def analysed(study, **how):
    """Return a finished run; what is handed out after a commit is done here."""
    run = running.start(study=study, enqueue=lambda pk: None, **how)
    while queued := run.steps.filter(state="queued").order_by("pk").first():
        running.perform(pk=queued.pk, enqueue=lambda pk: None)
    run.refresh_from_db()
    return run


def rows(run, table):
    return findings.records(findings.tables(run, "judges", table))


def test_each_judge_is_compared_with_the_majority_of_people(study):
    label(study, "copy", "aab")
    label(study, "left", "aaa")
    run = analysed(study, pool=MODELS)
    row_by_judge = {row["judge"]: row for row in rows(run, "agreement")}
    assert row_by_judge["copy"]["accuracy"] == 1
    assert row_by_judge["left"]["accuracy"] == pytest.approx(2 / 3)
    assert row_by_judge["copy"]["alpha"] == 1
    assert row_by_judge["copy"]["items"] == 3
    assert {row["against"] for row in rows(run, "ceiling")} == {"split halves", "leave one out"}
    reasons = [row["reason"] for row in rows(run, "undefined")]
    assert any(10 in numbers(reason) for reason in reasons)
    # of 3 items
    assert {"replacement", "likeness"} <= {row["table"] for row in rows(run, "undefined")}
    confusion = [row for row in rows(run, "confusion") if row["judge"] == "left" and row["items"]]
    assert sum(row["items"] for row in confusion) == 3
    assert findings_json.as_json(run)["judges"]["agreement"] == rows(run, "agreement")


def test_both_orders_tell_of_swaps_and_of_the_left_side(study):
    label(study, "copy", "aab", shown="a,b")
    label(study, "copy", "aab", shown="b,a")
    label(study, "left", "aaa", shown="a,b")
    label(study, "left", "bbb", shown="b,a")
    run = analysed(study, pool=MODELS)
    found = {(row["judge"], row["habit"]): row["share"] for row in rows(run, "habits")}
    assert found["copy", "same answer in both orders"] == 1
    assert found["left", "same answer in both orders"] == 0
    assert found["left", "left side, of labels that choose"] == 1
    assert found["copy", "left side, of labels that choose"] == 0.5


def call(judge, item, order, letter, **fields):
    shown = ("a,b", "b,a")[order]
    parsed = {"better": item.slots.get(name=letter).response.key} if letter else None
    fields |= {"error": ""} if letter else {"error": "third text", "raw": "C is best"}
    MachineCall.objects.create(
        judge=judge, team=judge.team, item=item, order=order,
        instrument=judge.study.questions.get().instrument, shown=shown,
        questions=["better"], prompt_hash="", request={}, parsed=parsed,
        state="answered" if letter else "failed", most_in=1, **fields,
    )  # fmt: skip


def test_calls_tell_of_orders_of_what_could_not_be_read_and_of_money(study):
    label(study, "left", "nnn", shown="")  # both orders disagreed
    prompt = Prompt.objects.create(study=study, key="p", version=1, user="?", made_at=NOW)
    judge = MachineJudge.objects.create(
        study=study, name="left", rater=Rater.objects.get(name="left"), base_url="http://x",
        model="left", prompt=prompt, state="done", made_at=NOW,
    )  # fmt: skip
    items = list(Item.objects.filter(study=study).order_by("key"))
    for item in items:
        call(judge, item, 0, "a", cost_micro=1000, seconds=0.5)
        call(judge, item, 1, "b", cost_micro=3000, seconds=0.5)
    MachineCall.objects.filter(item=items[2], order=1).delete()
    call(judge, items[2], 1, "", cost_micro=3000, seconds=0.5)
    for number, kind in enumerate(("request", "json", "money", "prompt"), start=2):  # no answers
        MachineCall.objects.create(
            judge=judge, team=judge.team, item=items[2], order=number,
            instrument=judge.study.questions.get().instrument, questions=["better"],
            prompt_hash="", request={}, state="failed", most_in=1, error=kind, raw="{}",
        )  # fmt: skip
    run = analysed(study, pool=MODELS)
    row_by_habit = {row["habit"]: row for row in rows(run, "habits")}
    assert row_by_habit["same answer in both orders"]["share"] == 0
    assert row_by_habit["same answer in both orders"]["labels"] == 2
    assert row_by_habit["left side, of labels that choose"]["share"] == 1
    assert row_by_habit[UNREAD]["share"] == pytest.approx(1 / 6)
    assert row_by_habit["labels discarded, of those asked for"]["share"] == 0
    (worth,) = rows(run, "worth")
    assert worth["cost"] == pytest.approx(0.012)
    assert worth["cost_of_item"] == pytest.approx(0.004)
    assert worth["calls"] == 6
    MachineJudge.objects.update(state="running")
    assert analysed(study, pool=MODELS).digest != run.digest  # its calls are read when it is done


def test_items_whose_orders_disagree_without_a_tie_are_counted_as_discarded(study):
    label(study, "left", "a  ", shown="")  # one label of three items
    prompt = Prompt.objects.create(study=study, key="p", version=1, user="?", made_at=NOW)
    judge = MachineJudge.objects.create(
        study=study, name="left", rater=Rater.objects.get(name="left"), base_url="http://x",
        model="left", prompt=prompt, state="done", made_at=NOW,
    )  # fmt: skip
    Judgment.objects.filter(rater=judge.rater, raw=" ").delete()
    for number, item in enumerate(Item.objects.filter(study=study).order_by("key")):
        call(judge, item, 0, "a")
        call(judge, item, 1, "b" if number else "a")
    run = analysed(study, pool=MODELS)
    row_by_habit = {row["habit"]: row for row in rows(run, "habits")}
    lost = row_by_habit["labels discarded, of those asked for"]
    assert (lost["share"], lost["labels"]) == (pytest.approx(2 / 3), 3)
    assert judge_losses(RunResults(run)) == [JudgeLosses("left", 2, 3, 2, 3)]
    client = client_of(rita())
    page = client.get(reverse("results", args=[study.slug, 1]), {"pool": MODELS}).text
    assert element(page, "data-figure", "judge").numbers[1:] == [2, 3]  # discarded, of labels


def test_judge_without_a_label_is_shown_with_its_counts(study):
    label(study, "copy", "aab")
    rater = Rater.objects.create(kind="model", name="lost", pseudonym="lost", model="lost")
    prompt = Prompt.objects.create(study=study, key="p", version=1, user="?", made_at=NOW)
    judge = MachineJudge.objects.create(
        study=study, name="lost", rater=rater, base_url="http://x", model="lost",
        prompt=prompt, state="done", made_at=NOW,
    )  # fmt: skip
    for item in Item.objects.filter(study=study):
        call(judge, item, 0, "a")
        call(judge, item, 1, "b")
    run = analysed(study, pool=MODELS)
    assert {row["judge"] for row in rows(run, "agreement")} == {"copy"}
    habits = {row["habit"]: row for row in rows(run, "habits") if row["judge"] == "lost"}
    assert habits["labels discarded, of those asked for"]["share"] == 1
    assert habits["same answer in both orders"]["share"] == 0
    assert JudgeLosses("lost", 3, 3, 3, 3) in judge_losses(RunResults(run))
    part = reverse("results_part", args=[study.slug, 1, "judges"])
    page = client_of(rita()).get(part, {"pool": MODELS, "section": "all"}).text
    assert values(page, "data-judge") == ["copy", "lost"]


def test_a_machine_changes_no_digest_and_no_byte_of_what_is_said_of_people(study):
    before = analysed(study)
    tables = {
        (step.analysis, step.question): step.result.data for step in before.steps.order_by("pk")
    }
    label(study, "copy", "aab")
    label(study, "left", "aaa")
    after = analysed(study)
    assert (after.pk, after.digest, after.inputs) == (before.pk, before.digest, before.inputs)
    AnalysisRun.objects.all().delete()
    again = analysed(study)
    assert (again.key, again.digest) == (before.key, before.digest)
    assert tables == {
        (step.analysis, step.question): step.result.data for step in again.steps.order_by("pk")
    }
    assert not any(step.analysis == "judges" for step in again.steps.all())


def test_another_vote_of_a_person_makes_another_run_of_judges(study):
    label(study, "copy", "aab")
    first = analysed(study, pool=MODELS)
    assert analysed(study, pool=MODELS) == first
    Judgment.objects.filter(rater__worker__pseudonym="bob").update(value="n", raw="n")
    assert analysed(study, pool=MODELS).digest != first.digest


def test_the_page_says_which_is_which(study, client):
    client.force_login(rita())
    label(study, "copy", "aab")
    label(study, "left", "aaa")
    analysed(study, pool=MODELS)
    page = reverse("results_part", args=[study.slug, study.version, "judges"])
    answer = client.get(page, {"pool": MODELS, "section": "all"})
    (question,) = answer.context["questions_judged"]
    assert {row["judge"] for row in question.judges} == {"copy", "left"}
    assert {row["against"] for row in question.people} == {"leave one out", "split halves"}
    text = answer.content.decode()
    assert all(row["judge"] in text for row in question.judges)
    assert "None" not in text


@pytest.mark.parametrize(
    ("p", "p_person", "gap", "state"),
    [
        (None, None, None, "untested"),
        (0.3, 0.01, 0.2, "unclear"),
        (0.01, None, None, "above habits"),
        (0.01, 0.3, 0.2, "as people"),
        (0.01, 0.01, 0.2, "above people"),
        (0.01, 0.01, -0.2, "below people"),
    ],
)
def test_nothing_is_claimed_about_a_judge_without_a_test(p, p_person, gap, state):
    row = {
        "judge": "good", "alpha": 0.85, "null": 0.01, "p_adjusted": p, "over_person": gap,
        "p_over_person_adjusted": p_person, "left": None, "discarded": None, "items": 20,
    }  # fmt: skip
    assert judge_finding(row).state == state
    assert judge_finding(row | {"alpha": None}).state == "unknown"
    lost = {"share": 1.0, "labels": 12}
    assert judge_finding(row | {"items": 0, "discarded": lost}).state == "discarded"


def test_before_there_is_a_run_the_page_says_how_to_come_by_one(study, client):
    client.force_login(rita())
    page = reverse("judges", args=[study.slug, study.version])
    shown_page = client.get(page).content.decode()
    assert element(shown_page, "data-judges", "none")
    assert reverse("machine_new", args=[study.slug, study.version]) in shown_page
    label(study, "copy", "aab")
    assert element(client.get(page).content.decode(), "data-judges", "ready")
    analysed(study, pool=MODELS)
    assert client.get(page).url.endswith("/results/judges/?pool=models")


def test_models_are_annotators_of_mace_where_a_run_asks_for_it(study, client):
    with raises(running.NothingToAnalyse, "no_llm_labels"):
        analysed(study, parameters={"with_machines": True})
    plain = analysed(study)
    label(study, "copy", "aab")
    run = analysed(study, parameters={"with_machines": True})
    assert run.with_machines
    assert run.key != plain.key
    tables = (
        findings.tables(run, "competence", "machines"),
        findings.tables(run, "competence", "competence"),
    )
    assert list(tables[0]["model"]) == ["copy"]
    assert set(tables[1]["worker"]) == {"bob", "dora", "emil", "fay"}
    assert set(findings.tables(run, "competence", "gold")["votes"]) == {5}
    alphas = [findings.tables(each, "agreement", "agreement") for each in (plain, run)]
    assert alphas[0].equals(alphas[1])
    client.force_login(rita())
    address = reverse("results", args=[study.slug, study.version])
    assert element(client.get(address).content.decode(), "data-with-models")
    assert analysed(study) == plain  # asked for no more, they are gone again
    assert not elements(client.get(address).content.decode(), "data-with-models")


def answered(study):
    """Do what was asked for, as a worker does."""
    requesting.answer(study=study, enqueue=lambda pk: None)
    run = study.runs.newest_first().first()
    while queued := run.steps.filter(state="queued").order_by("pk").first():
        running.perform(pk=queued.pk, enqueue=lambda pk: None)
    run.refresh_from_db()
    return run


def test_a_page_and_a_program_ask_for_models_in_mace_by_a_switch(study, client, monkeypatch):
    monkeypatch.setattr("annotation.jobs.send", lambda *_: None)
    client.force_login(rita())
    page = reverse("results", args=[study.slug, study.version])
    ask = reverse("analyse", args=[study.slug, study.version])
    switch = 'name="with_machines"'
    assert switch not in client.get(page).text  # no model has answered
    refused = client.post(ask, {"pool": "people", "with_machines": "on"}, follow=True).text
    assert element(refused, "data-message", "warning")
    label(study, "copy", "aab")
    assert switch in client.get(page).text
    client.post(ask, {"pool": "people", "with_machines": "on"})
    run = answered(study)
    assert run.with_machines
    assert f"{switch} checked" in client.get(page).text
    client.post(ask, {"pool": "people"})
    plain = answered(study)
    assert not plain.with_machines
    assert plain.digest != run.digest
    client.post(ask, {"pool": "models", "with_machines": "on"})  # they are it all
    assert not answered(study).with_machines
    api = f"/api/studies/{study.slug}/{study.version}/runs/"
    sent = client.post(api, {"with_machines": True}, content_type="application/json")
    assert sent.status_code == 202, sent.content
    assert answered(study) == run
    entries = AuditEntry.objects.filter(act="started an analysis").order_by("pk")
    assert [entry.what for entry in entries].count("people, with models in MACE") == 2


def test_run_without_models_left_is_renewed_with_people_only(study):
    label(study, "copy", "aab")
    run = analysed(study, parameters={"with_machines": True})
    Judgment.objects.filter(rater__name="copy").delete()
    assert renewing.overtake_pools(study=study, pools=(MODELS,)) == 1
    renewing.renew(study=study, enqueue=lambda pk: None)
    newest = study.runs.newest_first().first()
    assert newest != run
    assert not newest.with_machines


def test_a_run_of_one_batch_does_not_say_that_it_counts_models(study):
    label(study, "copy", "aab")
    with raises(running.NothingToAnalyse, "batch"):
        analysed(study, batch=study.batches.get(), parameters={"with_machines": True})


def test_judge_that_always_answers_left_agrees_at_chance_level(study):
    label(study, "left", "aaa", shown="a,b")
    label(study, "left", "bba", shown="b,a")
    first = Item.objects.filter(study=study).order_by("key").first()
    Judgment.objects.filter(item=first, rater__name="left", shown="b,a").delete()
    (row,) = rows(analysed(closed(study), pool=MODELS), "agreement")
    assert row["null_low"] <= row["alpha"] <= row["null_high"]
    assert row["p"] > 0.05
