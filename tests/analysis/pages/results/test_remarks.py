"""What pages and commands say of what was left out, read together, or could not be computed."""

import re
from dataclasses import replace
from html import unescape

import pytest
from django.core.management import call_command
from django.urls import reverse

from analysis.analyses.catalogue import CATALOGUE
from analysis.exports.dictionary import describe
from analysis.exports.source import ExportSource
from analysis.pages.results.run_results import RunResults
from analysis.pages.results.sections import not_computed
from judging.models import Judgment, Scale
from judging.raters.registering import register
from tests.analysis.runs.polls import analysed, poll
from tests.cast import NOW, bob, rita, small_study, submitted
from tests.hooks import numbers

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def few(settings):
    names = ("agreement", "crowd", "orders", "competence", "grades")
    settings.ANALYSES = {name: CATALOGUE[name] for name in names}


def text_of(client, name, *places, **query):
    client.force_login(rita())
    page = client.get(reverse(name, args=["lamps", 1, *places]), query).content.decode()
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page)))


def with_options(**roles):
    """Return the scale of the study with these further options: code -> role."""
    scale = Scale.objects.get()
    scale.spec["options"] += [
        {"code": code, "label": code.capitalize(), "role": role} for code, role in roles.items()
    ]
    scale.save()


def test_how_many_said_that_they_do_not_know_is_on_the_summary(client):
    study = poll()
    with_options(unknown="abstain")
    first = Judgment.objects.order_by("pk").first()
    Judgment.objects.filter(pk=first.pk).update(raw="unknown", value="unknown")
    analysed(study)
    assert re.search(r"\b1 “don't know” [^.]*\bBetter 1\b", text_of(client, "results"))


def test_nothing_is_said_where_everybody_knew(client):
    analysed(poll())
    assert "don't know" not in text_of(client, "results")


def test_that_both_bad_is_a_tie_stands_with_the_grades(client):
    study = poll()
    with_options(bad="both_bad")
    analysed(study)
    text = text_of(client, "results_part", "responses")
    assert "and “Bad” count as ties." in text


def test_one_tie_needs_no_word(client):
    analysed(poll())
    assert "count as ties" not in text_of(client, "results_part", "responses")


def test_a_reason_is_said_once_with_titles_and_a_count():
    study = small_study(instrument="crowdrag-pairwise", responses=3, quota=9)
    submitted(study, bob())
    results = RunResults(analysed(study))
    sentences = not_computed(results)
    (alpha,) = [sentence for sentence in sentences if "no item has at least two votes" in sentence]
    assert "Agreement of 7 questions" in alpha
    assert not any("quality_" in sentence for sentence in sentences)


def test_a_run_of_models_has_nothing_of_workers(client):
    study = small_study(responses=3, quota=3)
    rater = register(name="gpt", kind="model", model="gpt-4o")
    for item in study.items.all():
        Judgment.objects.create(
            rater=rater, item=item, question=study.questions.get(), raw="n", value="n",
            first_at=NOW, answered_at=NOW,
        )  # fmt: skip
    run = analysed(study, pool="models")
    assert {"crowd", "orders"}.isdisjoint(run.steps.values_list("analysis", flat=True))
    page = text_of(client, "results")
    assert "Order effects" not in page
    assert " Raters " in page
    assert " Workers " not in page


def test_the_command_says_whose_answers_of_what_it_has_read(capsys):
    poll()
    call_command("analyse", "lamps", draws=20)
    assert {4, 3, 12} <= set(numbers(capsys.readouterr().out))


def test_the_dictionary_names_what_stands_in_every_slot():
    source = ExportSource.of(small_study())
    asked = tuple(replace(question, item_kind="passage_criterion") for question in source.questions)
    shown = replace(source, questions=asked, slots=("passage", "criterion"))
    said = describe(shown, {"votes": ["votes.csv"]})
    for line in (
        "| response_passage | key of the passage",
        "| response_criterion | key of the cri",
    ):
        assert line in said
    assert "response_a" not in said
