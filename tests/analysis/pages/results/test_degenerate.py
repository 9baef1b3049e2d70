"""Too little, or too much of the same: a sentence on page and console, no traceback, no "nan"."""

import json
import re
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from analysis.exports.table_files import table_files
from analysis.pages.results.sections import PARTS
from analysis.runs.running import NothingToAnalyse
from annotation.fieldwork.work import assigning
from annotation.models import Study
from judging.instruments.schema import OptionSpec, QuestionSpec, ScaleSpec
from judging.models import Judgment
from tests.analysis.runs.polls import analysed, answered, poll, vote
from tests.analysis.whole_parts import whole_part
from tests.cast import rita, small_study, submitted, tiny_instrument, worker
from tests.coded_errors import command_ends
from tests.hooks import element, elements

pytestmark = pytest.mark.django_db(transaction=True)

ALONE = "Alpha cannot be computed because no item has at least two votes."
ALIKE = "Alpha cannot be computed because all pairable votes are '{}': without variation"


def scored(*names, responses=2):
    study = small_study(
        instrument="crowdrag-pointwise", responses=responses, items=1, quota=9, cap=9
    )
    for name in names:
        submitted(study, worker(name))
    return study


def withdrawn_but_one():
    study = poll({"bob": "aab", "dora": "nnn"})
    assigning.withdraw(assignment=study.assignments.last(), now=timezone.now())
    return study


def many_options():
    """Return a hundred options, of which the crowd used a few; nobody used the rest."""
    options = [
        OptionSpec(code=str(k), label=f"Level {k}", score=k, role="score") for k in range(100)
    ]
    scale = ScaleSpec(key="hundred", kind="options", options=options)
    instrument = tiny_instrument(
        name="hundred-pointwise",
        item_kind="response",
        scales=[scale],
        questions=[QuestionSpec("better", "better", "hundred", "How good is it?")],
    )
    study = small_study(instrument=instrument, responses=3, quota=9, cap=9)
    for name, scores in (("bob", "3 7 50"), ("dora", "99 7 50"), ("emil", "3 8 51")):
        vote(study, name, scores.split())
    return study


def odd_ids():
    study = poll({'bo,b\n"&<i>': "aab", "=dora": "abn", "emil": "nab"}, pay="1.00")
    for response in study.corpus.topics.get().responses.all():
        key = response.key
        response.key = f'{key},\n&"<b>{{}}%'
        response.save()
        Judgment.objects.filter(value=key).update(value=response.key)
    return study


STUDIES = {
    "one worker": (lambda: poll({"bob": "abn"}), ALONE),
    "one item and one worker": (lambda: poll({"bob": "a"}, responses=2), ALONE),
    "all ties": (lambda: poll(dict.fromkeys(["bob", "dora", "emil"], "nnn")), ALIKE.format("n")),
    "one vote": (lambda: poll(dict.fromkeys(["bob", "dora", "emil"], "aaa")), ALIKE.format("a")),
    "one who stayed": (withdrawn_but_one, ALONE),
    "one score": (lambda: scored("bob", responses=1), ALONE),
    "one same score": (lambda: scored("bob", "dora", "emil", responses=1), ALIKE.format("-3")),
    "one item": (lambda: poll({"bob": "a", "dora": "b", "emil": "a"}, responses=2), ""),
    "a hundred options": (many_options, ""),
    "odd ids": (odd_ids, ""),
    "an option nobody used": (lambda: poll({"bob": "aab", "dora": "abb", "emil": "bab"}), ""),
    "nobody agrees": (lambda: poll({"bob": "aaa", "dora": "bbb"}), ""),
    # Mean scores of which only some have an interval.
    "two items, one worker on both": (lambda: scored("bob", "bob", "dora"), ""),
}


@pytest.mark.parametrize("name", STUDIES)
def test_little_or_uniform_data_say_what_is_missing(name, tmp_path, client):
    make, sentence = STUDIES[name]
    study = make()
    Study.objects.update(analysis={"draws": 50})
    said, file = StringIO(), tmp_path / "found.json"
    call_command("analyse", study.slug, json=file, stdout=said)
    found = json.loads(file.read_text(), parse_constant=lambda name: pytest.fail(name))
    assert sentence in said.getvalue()
    assert (
        any(sentence in missing_row["reason"] for missing_row in found["missing"]) or not sentence
    )
    assert found["run"]["state"] == "done"

    client.force_login(rita())
    assert sentence in looked_at(client, study)
    for name, _, blocks in table_files(study.runs.first()):
        assert not re.search(rb"\b(nan|None|inf|NaN)\b", b"".join(blocks)), name


def looked_at(client, study):
    """Return the words of all pages of results, none of which is a number that is none."""
    where = [study.slug, study.version]
    pages = [reverse("results", args=where)]
    pages += [whole_part(*where, part) for part in PARTS]
    words = []
    for page in pages:
        answer = client.get(page)
        assert answer.status_code == 200
        text = re.sub(r"<[^>]*>", " ", answer.content.decode()).replace("&#x27;", "'")
        assert not re.search(r"\b(nan|None(?! found)|inf|NaN)\b", text), page
        assert not re.search(r"\[ ?, ?\]|Traceback", text), page
        words.append(text)
    return " ".join(words)


def test_a_pool_that_answered_another_question_alone_is_analysed(tmp_path):
    """Imported labels are often of some questions: the others have no votes, and say so."""
    study = small_study(responses=3, quota=9, instrument="ab-comparison")
    pair = study.items.first()
    labels = tmp_path / "labels.csv"
    labels.write_text(f"item,question,value\n{pair.key},honesty,n\n")
    gpt = {"rater": "gpt", "kind": "model", "model": "gpt"}
    call_command("import_labels", study.slug, labels, stdout=StringIO(), **gpt)
    run = analysed(study, parameters={"draws": 20}, pool="models")
    assert run.state == run.State.DONE
    step = run.steps.get(analysis="savings", question="readability@models")
    assert step.result.missing == (
        "Savings with 1 vote per item cannot be computed because no item has more."
    )


def empty():
    return poll({})


def begun_only():
    study = poll({})
    answered(study, "bob", "aab")
    return study


@pytest.mark.parametrize(
    ("make", "saved"),
    [(empty, []), (begun_only, [1])],
)
def test_an_empty_batch_is_one_sentence(make, saved, client):
    study = make()
    with command_ends(NothingToAnalyse, "no_submissions", match=r"^“Lamps”"):
        call_command("analyse", study.slug)
    client.force_login(rita())
    for page in ("results", "study"):
        shown_page = client.get(reverse(page, args=[study.slug, study.version])).text
        shown = elements(shown_page, "data-saved-answers")
        assert [notice.numbers[0] for notice in shown] == saved  # participants at work
    shown_page = client.get(reverse("results", args=[study.slug, study.version])).text
    assert element(shown_page, "data-results", "early")
    assert "Analyse now" not in shown_page
    response = client.post(reverse("analyse", args=[study.slug, study.version]), follow=True)
    assert element(response.text, "data-error-code", "no_submissions")
