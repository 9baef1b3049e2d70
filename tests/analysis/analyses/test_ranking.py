"""What ranks responses: votes where nothing else is said, labels where they are asked for."""

import re

import numpy as np
import pandas as pd
import pytest
from django.contrib.messages import get_messages
from django.urls import reverse
from django.utils import timezone

from analysis.analyses.grades import grades
from analysis.inputs.analysis_input import AnalysisInput, frame_of, table
from analysis.inputs.frames import votes
from analysis.inputs.settings import (
    COMPAT,
    DEFAULTS,
    PRESETS,
    UnknownCompat,
    complete,
    in_force,
)
from analysis.models import AnalysisRequest, AnalysisRun, Result
from analysis.pages.results.findings_json import CELL, as_json
from analysis.runs import requesting
from analysis.runs.findings import tables
from analysis.stats.bradley_terry.comparisons import Comparisons
from analysis.stats.bradley_terry.merits import fit_merits
from annotation.models import Study
from annotation.texts.coded_errors import CodedError
from tests.analysis.inputs.measured import measure, measure_of
from tests.analysis.runs.polls import analysed, poll
from tests.analysis.whole_parts import whole_part
from tests.cast import rita
from tests.coded_errors import raises
from tests.hooks import numbers, values

# t1a|t1b, t1a|t1c, t1b|t1c: most say that b beats a, and few of those who say so say it of c.
FIVE = {"bob": "baa", "dora": "ban", "emil": "bab", "fay": "aan", "gus": "nbb"}
VOTES = {"a": 1, "n": 0, "b": -1}


@pytest.fixture(scope="module")
def polled(for_the_module):
    return for_the_module(lambda: poll(FIVE, analysis={"draws": 50}).pk)


@pytest.fixture
def study(polled, db, few_analyses):
    return Study.objects.get(pk=polled)


def merits_of(run):
    return tables(run, "grades", "grades").set_index("response")["merit"].sort_index()


def fitted(frame, **settings):
    """Merits from votes or labels, told from their mean."""
    frame = frame.assign(problem=0)
    found = fit_merits(Comparisons.from_frame(frame, outcomes=VOTES), **settings).frame()
    merits = found.set_index("response")["merit"].sort_index()
    return merits - merits.mean()


# -- What is in force -------------------------------------------------------------------------


def test_a_run_keeps_every_parameter_that_was_in_force(study):
    run = analysed(study)
    assert run.parameters == {**DEFAULTS, "draws": 50, "sequential": True}
    assert as_json(run)["run"]["parameters"]["tie_parameter"] == "estimated"


def test_explicit_setting_precedes_study_and_study_precedes_preset():
    found = complete({"ranking": "majority", "compat": COMPAT}, {"ridge": 0.5})
    assert (found["ranking"], found["tie_parameter"], found["ridge"]) == ("majority", 0.05, 0.5)
    assert complete({"ranking": "majority"}, {"compat": COMPAT})["ranking"] == "mace"


def test_an_older_run_says_that_it_did_as_published():
    found = in_force({"draws": 50, "compat": COMPAT})
    assert found.items() >= PRESETS[COMPAT].items()
    assert (found["mace"], in_force({})["mace"], in_force({})["compat"]) == (COMPAT, None, COMPAT)
    new = complete({"draws": 50})
    assert in_force(new) == new


@pytest.mark.parametrize(
    ("given", "code"),
    [({"ranking": "x"}, "unknown_ranking"), ({"ties": "x"}, "unknown_ties")],
)
def test_an_unknown_choice_is_refused(given, code):
    with raises(CodedError, code, match="'x'"):
        complete(given)


def test_an_unknown_pipeline_is_refused():
    with pytest.raises(UnknownCompat, match="'x'"):
        complete({"compat": "x"})


# -- The ranking ------------------------------------------------------------------------------


def test_the_default_ranks_from_the_votes_with_ties_estimated(study):
    own = merits_of(analysed(study))
    frame = votes(study=study, measure=measure_of(study)).assign(outcome=lambda rows: rows["value"])
    assert np.allclose(own, fitted(frame, tie_parameter="estimated", ridge="firth"))
    assert not np.allclose(own, fitted(frame, tie_parameter="estimated"))


def test_only_votes_that_count_rank(study):
    frame = votes(study=study, measure=measure_of(study), votes_per_item=3)
    counted = frame[frame["counted"]].assign(outcome=lambda rows: rows["value"])
    own = merits_of(analysed(study, parameters={"votes_per_item": 3}))
    assert np.allclose(own, fitted(counted, tie_parameter="estimated", ridge="firth"))


def test_published_method_ranks_by_gold_labels_of_mace(study):
    run = analysed(study, parameters={"compat": COMPAT})
    assert run.compat == COMPAT
    gold = tables(run, "competence", "gold").assign(outcome=lambda rows: rows["gold"])
    own = merits_of(run)
    assert np.allclose(own - own.mean(), fitted(gold))
    assert tables(run, "grades", "grades")["compared"].tolist() == [2, 2, 2]


def test_each_ranking_ranks_by_itself(study):
    rankings = ["votes", "weighted", "mace"]
    found = [merits_of(analysed(study, parameters={"ranking": name})) for name in rankings]
    assert len({tuple(merits - merits.mean()) for merits in found}) == len(rankings)


def test_a_majority_that_is_split_is_a_tie():
    frame = compared({("x", "y"): "ab", ("y", "z"): "aa", ("x", "z"): "aa"})
    grades_by_text = graded(frame, ranking="majority")
    assert grades_by_text.loc["x", "merit"] == pytest.approx(grades_by_text.loc["y", "merit"])
    assert grades_by_text["compared"].tolist() == [2, 2, 2]


def test_a_worker_without_competence_hardly_counts():
    frame = compared({("x", "y"): "aabbb", ("y", "z"): "aaabb", ("x", "z"): "aaabb"})
    frame["competence"] = frame["worker"].map({0: 0.9, 1: 0.9}).fillna(0)
    grade = graded(frame, ranking="weighted")["grade"]
    assert grade.to_dict() == {"x": 3, "y": 2, "z": 1}


def test_ties_alone_make_equal_grades_and_no_complaint():
    grades_by_text = graded(compared({("x", "y"): "nnnnn", ("y", "z"): "nnnnn"}))
    assert grades_by_text["grade"].tolist() == [2, 2, 2]


# -- How sure ---------------------------------------------------------------------------------


def compared(letters):
    """Votes on pairs; the worker of a letter is its place."""
    rows = [
        {"question": "better", "topic": "t", "item": f"{a}|{b}", "a": a, "b": b} | vote
        for (a, b), given in letters.items()
        for vote in [{"worker": k, "value": letter} for k, letter in enumerate(given)]
    ]
    return pd.DataFrame(rows)


def graded(frame, **parameters):
    return frame_of(asked_grades(frame, **parameters)["grades"]).set_index("response")


def asked_grades(frame, **parameters):
    asked = AnalysisInput(frame, [measure("a", "n", "b")], {"draws": 20, **parameters}, seed=1)
    return grades(asked)


def test_intervals_are_over_workers_and_hold_the_value():
    frame = compared({("x", "y"): "aaaaab", ("y", "z"): "aaaanb", ("x", "z"): "aaaaan"})
    grades_by_text = graded(frame)
    assert (grades_by_text["merit_low"] < grades_by_text["merit"]).all()
    assert (grades_by_text["merit"] < grades_by_text["merit_high"]).all()
    assert (grades_by_text["grade_low"] <= grades_by_text["grade"]).all()
    assert (grades_by_text["grade"] <= grades_by_text["grade_high"]).all()
    assert grades_by_text["merit"].sum() == pytest.approx(0)


def test_few_workers_give_a_grade_without_interval_and_a_reason():
    answered = asked_grades(compared({("x", "y"): "aab", ("y", "z"): "aan", ("x", "z"): "abn"}))
    frame = frame_of(answered["grades"])
    assert frame["grade"].notna().all()
    assert frame[["merit_low", "merit_high", "grade_low", "grade_high"]].isna().all(axis=None)
    ((topics, reason),) = answered["undefined"]["rows"]
    assert (numbers(topics), numbers(reason)) == ([1, 1], [5, 3])


@pytest.mark.parametrize("ranking", ["majority", "mace"])
@pytest.mark.parametrize(
    ("letters", "figures"),
    [
        ({("x", "y"): "aaaab"}, [5, 1]),  # comparisons that it takes, that there are
        ({("w", "x"): "aaaaa", ("y", "z"): "aaaab"}, [2]),  # parts
    ],
)
def test_labels_of_a_topic_that_tells_nothing_have_no_interval_and_the_reason(
    ranking, letters, figures
):
    # a bootstrap of one comparison gives grades [2, 2], and the ridge alone joins the parts
    frame = compared(letters)
    if ranking == "mace":
        frame = frame.drop_duplicates("item").assign(gold="a")
    ends = ["merit_low", "merit_high", "grade_low", "grade_high"]
    answered = asked_grades(frame, ranking=ranking)
    rows = frame_of(answered["grades"])
    assert rows["grade"].notna().all()
    assert rows[ends].isna().all(axis=None)
    ((topics, reason),) = answered["undefined"]["rows"]
    assert (numbers(topics), numbers(reason)) == ([1, 1], figures)
    if ranking == "mace":
        published = asked_grades(frame, **complete({"compat": COMPAT, "draws": 20}))
        rows = frame_of(published["grades"]).astype(dict.fromkeys(ends, float))
        assert rows[["grade_low", "grade_high"]].notna().all(axis=None)
        # One comparison gives the same merits in every draw: an interval of no width is none.
        assert (rows["merit_low"].isna() | (rows["merit_low"] < rows["merit_high"])).all()
        assert "undefined" not in published


def test_labels_of_a_topic_that_tells_enough_keep_their_interval():
    pairs = [(a, b) for i, a in enumerate("wxyz") for b in "wxyz"[i + 1 :]]
    answered = asked_grades(compared(dict.fromkeys(pairs, "aaaab")), ranking="majority")
    assert frame_of(answered["grades"])["merit_low"].notna().all()
    assert not answered["undefined"]["rows"]


def test_responses_that_nobody_compared_have_no_interval():
    answered = asked_grades(compared({("w", "x"): "aaaaa", ("y", "z"): "aaaab"}))
    assert frame_of(answered["grades"])["merit_low"].isna().all()
    assert "2 groups" in answered["undefined"]["rows"][0][1]


# -- Asking for it ----------------------------------------------------------------------------


def test_the_page_offers_both_and_says_which_it_shows(client, study):
    client.force_login(rita())
    address = reverse("results", args=["lamps", 1])
    analysed(study)
    html = client.get(address).content.decode()
    assert '<option value="gienapp2025">' in html
    assert "<span>as published" not in html
    client.post(reverse("analyse", args=["lamps", 1]), {"compat": COMPAT})
    assert AnalysisRequest.objects.get().compat == COMPAT
    queue = []
    assert requesting.answer(study=study, enqueue=queue.append)
    assert AnalysisRun.objects.latest("pk").compat == COMPAT
    refused = client.post(reverse("analyse", args=["lamps", 1]), {"compat": "nobody"})
    [message] = get_messages(refused.wsgi_request)
    assert message.level_tag == "error"


@pytest.mark.parametrize(
    ("parameters", "said"),
    [({}, "on the votes;"), ({"compat": COMPAT}, "on the gold labels of MACE;")],
)
def test_the_grades_say_what_they_are_made_of(client, study, parameters, said):
    client.force_login(rita())
    analysed(study, parameters=parameters)
    part = whole_part("lamps", 1, "responses")
    text = " ".join(re.sub(r"<[^>]*>", " ", client.get(part).content.decode()).split())
    assert said in text


def test_a_stored_run_of_before_stays_readable_and_says_what_it_was(client, study):
    client.force_login(rita())
    run = analysed(study, parameters={"compat": COMPAT})
    AnalysisRun.objects.filter(pk=run.pk).update(parameters={"draws": 50})
    html = client.get(reverse("results", args=["lamps", 1])).content.decode()
    assert values(html, "data-compat") == [COMPAT]
    run.refresh_from_db()
    assert as_json(run)["run"]["parameters"] == complete({"compat": COMPAT, "draws": 50})
    assert "the gold labels of MACE" in as_json(run)["methods"]["grades"]


# -- The findings -----------------------------------------------------------------------------


def stored(run, analysis, question="", **tables):
    """Return a result as a step of the run would have left it."""
    step = run.steps.create(
        stage=9, analysis=analysis, question=question, state="done", touched_at=timezone.now()
    )
    Result.objects.create(step=step, data={name: table(rows) for name, rows in tables.items()})


def test_the_findings_tell_of_groups_and_corrected_agreement(study):
    run = analysed(study)
    null = {"null_mean": 0.0, "null_lowest": -0.1, "null_highest": 0.1, "null_draws": 19}
    null["null_p"] = 0.05
    kept = {"votes_kept": "cross-fitted", "value": 0.2, "low": None, "high": None, "items": 3}
    behind = {"interval_over": "workers and items", "why": "Too few.", "alpha_items": 2}
    before = kept | null | {"votes_kept": "in sample"}  # as a run stored it that said no more
    stored(run, "corrected", "better", corrected=pd.DataFrame([kept | null | behind]))
    stored(run, "corrected", "nicer", corrected=pd.DataFrame([before]))
    mean = {"by": "system", "question": "better", "group": "s1", "mean": 2.5, "low": 2.0}
    mean |= {"high": 3.0, "topics": 3, "responses": 6, "letters": "a"}
    stored(run, "groups", means=pd.DataFrame([mean]))
    pooled = {"worker": "bob", "competence": 0.4, "low": 0.1, "high": 0.7, "items": 3, "votes": 9}
    stored(run, "crowd", workers=pd.DataFrame([pooled]))
    data = as_json(run)
    # its interval is over items, and votes on the questions of an item hang together
    of_bob = dict(zip(CELL, (0.4, 0.1, 0.7, 3), strict=True)) | {"votes": 9}
    assert data["pooled_competence"] == {"bob": of_bob}
    assert "mean of the crowd" in data["methods"]["pooled_competence"]
    assert "interval over items" in data["methods"]["pooled_competence"]
    cell = data["corrected"]["better"]["cross-fitted"]
    assert {name: cell[name] for name in CELL} == dict(zip(CELL, (0.2, None, None, 2), strict=True))
    assert cell["method"] == "Krippendorff's alpha, cross-fitted; interval over workers and items"
    assert cell["why"] == "Too few."
    old = data["corrected"]["nicer"]["in sample"]
    assert old["method"] == "Krippendorff's alpha, in sample; interval over items"
    assert (old["n"], old["why"]) == (3, None)
    assert (cell["null_p"], cell["null_draws"]) == (0.05, 19)
    group = data["groups"]["system"]["s1"]["better"]
    assert {name: group[name] for name in CELL} == dict(zip(CELL, (2.5, 2.0, 3.0, 3), strict=True))
    assert (group["letters"], group["method"]) == ("a", "Bradley-Terry merits")
    cells = [cell for value in data["grades"].values() for cell in value.values()]
    assert all(cell["n"] == 10 for cell in cells)
