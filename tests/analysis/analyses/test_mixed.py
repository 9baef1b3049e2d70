"""Systems by the mixed model: from votes to a page, to JSON and to a plan of the next votes."""

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from analysis.analyses import mixed
from analysis.analyses.catalogue import CATALOGUE
from analysis.exports import readable_tables as shown_tables
from analysis.inputs.analysis_input import AnalysisInput, frame_of
from analysis.inputs.measures import Does
from analysis.models import AnalysisRun
from analysis.pages.results import preparing, vote_plans
from analysis.pages.results.findings_json import as_json
from analysis.pages.results.run_results import RunResults
from analysis.pages.results.vote_plans import question_plans
from analysis.stats.bradley_terry.mixed_newton import Components
from annotation import clearing_cache
from annotation.models import Response
from benchmarks.drawn_truth import draw_truth
from tests.analysis.coded_errors import cannot_compute
from tests.analysis.inputs.measured import measure
from tests.analysis.runs.polls import analysed, closed, poll, vote
from tests.analysis.stats.bradley_terry.all_pairs import vote_on_all_pairs
from tests.analysis.whole_parts import whole_part
from tests.cast import rita, small_study
from tests.coded_errors import command_ends
from tests.hooks import element, without_tokens

COMPONENTS = Components(response=0.5, system_topic=0.3, lean=0.3, habit=0.3, discrimination=0.3)
NAMES = ("Birch", "Amber", "Cedar")


def asked(gap=1.0, *, topics=20, workers=20, systems=2, seed=1, named=True, **parameters):
    """Votes on one text a system; Amber is better than Birch by the gap, and so on."""
    rng = np.random.default_rng(seed)
    truth = draw_truth(
        COMPONENTS,
        systems_merit=[gap * k for k in range(systems)],
        responses_per_system=1,
        topics=topics,
        workers=workers,
        tie_parameter=0.5,
        side=0.0,
        rng=rng,
    )
    drawn = vote_on_all_pairs(truth, votes_per_pair=5, rng=rng)
    a, b = (drawn["topic"].astype(str) + ":" + drawn[side].astype(str) for side in "ab")
    frame = pd.DataFrame(
        {
            "item": a + "|" + b,
            "a": a,
            "b": b,
            "topic": "t" + drawn["topic"].astype(str),
            "worker": "w" + drawn["worker"].astype(str),
            "question": "better",
            "value": drawn["outcome"].replace("tie", "n"),
            "shown": drawn["left"].map({"a": "a,b", "b": "b,a"}),
            "counted": True,
        }
    )
    keys = sorted({*a, *b})
    place = [int(key.partition(":")[2]) for key in keys]
    responses = pd.DataFrame(
        {
            "response": keys,
            "origin": ["human" if k == 0 else "llm" for k in place],
            "system": [NAMES[k] if named else None for k in place],
        }
    )
    return AnalysisInput(frame, [measure("a", "n", "b")], parameters, seed=1, responses=responses)


def found(table, question):
    return frame_of(mixed.mixed(question)[table])


@pytest.fixture(scope="module")
def two():
    return {name: frame_of(table) for name, table in mixed.mixed(asked()).items()}


@pytest.fixture(scope="module")
def three():
    return {name: frame_of(table) for name, table in mixed.mixed(asked(systems=3)).items()}


def test_a_better_system_wins_with_its_interval_and_is_different(two):
    (row,) = two["differences"].to_dict("records")
    assert (row["system"], row["other"]) == ("Amber", "Birch")
    assert 0 < row["low"] < 1.0 < row["high"]
    assert 0.5 < row["vote_low"] < row["vote"] < row["vote_high"] < 1
    assert row["vote"] < row["better"]  # votes are noisier than texts
    assert row["finding"] == "different"
    assert row["within"] > row["difference"] > row["margin"] == 0.2
    assert row["p"] == row["q"] == pytest.approx(row["p_adjusted"])
    assert row["p"] < 0.05
    assert (row["topics"], row["workers"], row["votes"]) == (20, 20, 100)


@pytest.mark.parametrize(("margin", "finding"), [(0.01, "not known"), (5.0, "equivalent within 5")])
def test_two_equal_systems_are_equivalent_only_if_the_margin_allows_it(margin, finding):
    (row,) = found("differences", asked(gap=0.0, margin=margin)).to_dict("records")
    assert row["finding"] == finding
    assert row["margin"] == margin


def test_all_pairs_of_systems_are_compared_with_each_other(three):
    rows = three["differences"]
    pairs = list(zip(rows["system"], rows["other"], strict=True))
    assert pairs == [("Cedar", "Amber"), ("Cedar", "Birch"), ("Amber", "Birch")]
    assert (rows["q"] >= rows["p"]).all()
    assert (rows["p_adjusted"] >= rows["p"]).all()
    systems = three["systems"]
    assert list(systems["system"]) == ["Cedar", "Amber", "Birch"]
    assert systems["merit"].sum() == pytest.approx(0, abs=1e-9)
    assert rows.loc[1, "difference"] == pytest.approx(systems["merit"][0] - systems["merit"][2])


def test_the_n_of_a_difference_is_that_of_its_two_systems():
    question = asked(systems=3)
    frame = question.frame
    direct = frame[frame["a"].str.endswith(":0") & frame["b"].str.endswith(":1")]
    kept = frame.drop(direct.index[direct["topic"] != "t0"])
    rows = found("differences", replace(question, frame=kept)).to_dict("records")
    votes = {(row["system"], row["other"]): row for row in rows}
    pair = votes["Amber", "Birch"]
    mine = direct[direct["topic"] == "t0"]
    assert (pair["topics"], pair["votes"]) == (1, len(mine))
    assert pair["workers"] == mine["worker"].nunique()
    assert sum(row["votes"] for row in rows) == len(kept)
    without = replace(question, frame=frame.drop(direct.index))
    rows = found("differences", without).to_dict("records")
    votes = {(row["system"], row["other"]): row["votes"] for row in rows}
    assert votes["Amber", "Birch"] == 0


def test_the_shares_of_variance_are_shown_as_shares(three):
    words = shown_tables.Words()
    of_table = mixed.ANALYSIS.columns_of("variance")
    view = shown_tables.shown(
        three["variance"], name="mixed-variance", title="", words=words, columns=of_table
    )
    assert all(
        cell.text.endswith("%") and " %" not in cell.text for row in view.rows for cell in row
    )
    assert three["variance"]["responses"][0] > 0


def test_question_for_the_worse_text_reverses_the_systems():
    worse = asked()
    option = [
        option.__class__(option.label, "", polarity="worst") for option in worse.measure.options
    ]
    turned = [worse.measure.__class__(**{**worse.measure.__dict__, "options": tuple(option)})]
    worse = AnalysisInput(worse.frame, turned, {}, 1, worse.responses)
    assert found("differences", worse)["system"][0] == "Birch"


def test_responses_without_a_system_are_of_people_or_of_models():
    row = found("differences", asked(named=False)).iloc[0]
    assert (row["system"], row["other"]) == ("LLM writers", "human writers")


def test_the_votes_that_a_reliability_takes_follow_from_that_of_one_vote(two):
    row = two["reliability"].iloc[0]
    single, n = row["single"], row["votes_per_item"]
    assert n == 5
    assert row["reliability"] == pytest.approx(n * single / (1 + (n - 1) * single))
    assert row["votes_for_80"] == np.ceil(4 * (1 - single) / single)
    shares = two["variance"].iloc[0]
    assert shares.sum() == pytest.approx(1)


def one_system(question):
    question.responses["system"] = "Amber"


def a_few_topics(question):
    question.frame["topic"] = "t1"


def apart(question):
    """Each topic compares two texts of one system."""
    first = question.frame["topic"].isin(["t1", "t2", "t3"])
    keys = {*question.frame[first]["a"], *question.frame[first]["b"]}
    mine = question.responses["response"].isin(keys)
    question.responses["system"] = np.where(mine, "Amber", "Birch")


def nobody_decides(question):
    question.frame["value"] = "n"


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        (one_system, "Amber"),
        (a_few_topics, r"\b10\b.*\b1\b"),
        (apart, "Amber.*Birch"),
        (nobody_decides, ""),
    ],
)
def test_what_cannot_be_computed_is_said(change, shown):
    question = asked()
    change(question)
    with cannot_compute("systems_not_comparable", match=shown):
        mixed.mixed(question)


def test_it_applies_to_comparisons_of_texts_alone():
    assert mixed.to_compared_responses(measure("a", "b"))
    assert not mixed.to_compared_responses(measure(does=Does.SCORES, kind="response"))
    assert CATALOGUE["mixed"] is mixed.ANALYSIS


# -- In a study ---------------------------------------------------------------------------------


def judged(topics=10, workers=12):
    """People judge all pairs of a text by people and one by a model, and like the model's."""
    study = small_study(
        topics=topics, quota=workers, batch={"closes_when_full": False}, items=topics
    )
    origin = dict(Response.objects.values_list("key", "origin"))
    rng = np.random.default_rng(3)
    for number in range(workers):
        letters = ""
        for key in sorted(study.items.values_list("key", flat=True)):
            liked = "a" if origin[key.partition("|")[0]] == "llm" else "b"
            other = "b" if liked == "a" else "a"
            letters += rng.choice([liked, "n", other], p=[0.6, 0.2, 0.2])
        vote(study, f"worker{number}", letters)
    return study


@pytest.fixture
def only_mixed(settings):
    settings.ANALYSES = {"mixed": mixed.ANALYSIS}


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("only_mixed")
def test_a_study_shows_its_systems_and_plans_its_next_votes(client, tmp_path, capsys):
    study = closed(judged())
    run = analysed(study)
    (row,) = as_json(run)["systems"]["better"]
    assert (row["system"], row["other"]) == ("LLM writers", "human writers")
    assert row["difference"]["low"] > 0
    assert row["vote"]["value"] > 0.6
    assert row["finding"] == "different"

    client.force_login(rita())
    page = client.get(whole_part(study.slug, study.version, "systems"))
    text = page.content.decode()
    assert element(text, "id", "mixed")
    assert "LLM writers over human writers" in text
    assert text.count("<svg") >= 6  # three plots in two widths

    page = client.get(reverse("vote_plans", args=[study.slug, study.version]), {"error": "5"})
    text = page.content.decode()
    assert element(text, "class", "fold").numbers[:3] == [10, 12, 12.0]  # topics, people, votes
    assert (len(re.findall("votes? per item", text)), text.count("> topics<")) == (9, 0)
    assert "1 votes" not in text
    assert element(text, "selected").numbers == [5]
    (shown,) = page.context["questions"]
    assert len(shown["plan"].rows) == len(question_plans(run)[0].plans)
    file = tmp_path / "plan.json"
    call_command("plan_votes", study.slug, json=file, pairs=2)
    output = capsys.readouterr().out
    assert re.search(r"\b10 topics, 12 workers, 12\.0 votes\b", output)
    plan = json.loads(file.read_text())["questions"]["better"]
    assert [each["number"] for each in plan["plans"]][:3] == [1, 2, 3]
    assert plan["next"]["topics"] == 10
    assert len(plan["next"]["pairs"]) == min(2, 10 - plan["next"]["finished"])
    assert plan["next"]["stop"] == (plan["next"]["finished"] == 10)
    (strict,) = question_plans(run, error=0.001)
    assert len(strict.open) > len(question_plans(run, error=0.4)[0].open)
    assert list(strict.open["gain"]) == sorted(strict.open["gain"], reverse=True)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("only_mixed")
def test_the_page_of_more_votes_reads_what_was_prepared(
    client, monkeypatch, django_assert_num_queries
):
    run = analysed(judged())
    client.force_login(rita())
    address = reverse("vote_plans", args=[run.study.slug, run.study.version])

    def page(error):
        return without_tokens(client.get(address, {"error": error}).text)

    pages = {error: page(error) for error in vote_plans.ERRORS}
    assert len(set(pages.values())) == len(pages)
    clearing_cache.forget(of=run.kept_under)
    preparing.prepare(run=run)
    monkeypatch.setattr(vote_plans, "_plans", None)
    for error, text in pages.items():
        with django_assert_num_queries(7):  # who asks, the study, its run; whose work counts,
            # the names of systems, what was prepared, the texts that it names
            assert page(error) == text


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("only_mixed")
def test_a_small_study_says_why_there_is_no_plan(monkeypatch):
    study = poll()
    with pytest.raises(CommandError, match="analyse lamps"):
        call_command("plan_votes", study.slug)
    run = analysed(study)
    reason = r"\b10\b.*\b1\b.*\b10\b"
    with command_ends(vote_plans.NothingToPlanFrom, match=reason):
        call_command("plan_votes", study.slug)
    for _ in range(2):
        with pytest.raises(vote_plans.NothingToPlanFrom, match=reason):
            vote_plans.shown_plans(RunResults(run), vote_plans.USUAL)
        monkeypatch.setattr(vote_plans, "_plans", None)  # the reason is kept, too


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("only_mixed")
def test_the_published_pipeline_has_no_mixed_model():
    study = poll()
    assert analysed(study).steps.filter(analysis="mixed").exists()
    published = analysed(study, parameters={"compat": "gienapp2025"})
    assert not published.steps.filter(analysis="mixed").exists()
    assert AnalysisRun.objects.count() == 2


# -- The corpus ---------------------------------------------------------------------------------


@pytest.mark.corpus
def test_the_corpus_gives_the_recorded_numbers(imported_corpus_study):
    """A long Markov chain gives .71 [.51, .89]; the rest: docs/methods/mixed-model.md."""
    run = imported_corpus_study.runs.newest_finished()
    (row,) = RunResults(run).records("mixed", "differences", question="quality_overall")
    assert (row["system"], row["other"]) == ("LLM writers", "human writers")
    assert [row[name] for name in ("difference", "low", "high")] == pytest.approx(
        [0.67, 0.50, 0.84], abs=0.02
    )
    assert row["difference"] == pytest.approx(0.71, abs=0.09)  # of the chain, whose sd is .094
    assert (row["vote"], row["better"]) == pytest.approx((0.64, 0.78), abs=0.01)
    assert row["finding"] == "different"
    (sure,) = RunResults(run).records("mixed", "reliability", question="quality_overall")
    assert sure["votes_per_item"] == 5
    assert sure["reliability"] == pytest.approx(0.48, abs=0.01)
    assert sure["votes_for_80"] == pytest.approx(21, abs=1)
    (each,) = RunResults(run).records("mixed", "components", question="quality_overall")
    assert each["lean"] == pytest.approx(0.41, abs=0.02)
    assert (each["side_low"], each["side_high"]) == pytest.approx((-0.17, -0.04), abs=0.01)


@pytest.mark.parametrize("systems", [2, 3])
@pytest.mark.parametrize(
    ("names", "winner"),
    [
        ({}, "Birch"),
        ({"Birch": "Silver birch", "Amber": "Birch"}, "Silver birch"),
        ({"Birch": "Same", "Amber": "Same"}, "Birch"),
    ],
)
def test_a_system_that_wins_every_vote_has_no_finite_difference(systems, names, winner):
    """Sentences have the names of systems, unless two share one."""
    question = asked(systems=systems)
    first, second = (question.frame[side].str.split(":").str[1] for side in "ab")
    value = question.frame["value"].mask(first == "0", "a").mask(second == "0", "b")
    frame = question.frame.assign(value=value.where(first != second, "n"))
    with cannot_compute("systems_not_comparable", match=rf"\b{winner}\b"):
        mixed.mixed(replace(question, frame=frame, names=names))
