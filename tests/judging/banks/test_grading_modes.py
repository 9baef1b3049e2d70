"""Answers extracted by people and models, verified by the correct answers of a bank."""

import json

import pytest
from django.core.management import call_command
from hypothesis import given
from hypothesis import strategies as st

from analysis.inputs.bank_grades import BankGrades
from analysis.pages.banks.boards import Choice, shown_board
from judging.banks import deciding, oversight
from judging.banks.answer_keys import is_correct
from judging.banks.appending import Change
from judging.banks.verifying import verified_answers
from judging.calls.fake.judges import WORDS
from judging.design.designing import write_plans
from judging.design.plans import plans_of
from judging.instruments.files import load
from judging.labels.files import LabelLine
from judging.labels.importing import import_lines
from judging.labels.saving import LabelReport
from judging.machines.answers import Reader
from judging.machines.preparing import prepare
from judging.machines.prompt_variables import ready_for
from judging.machines.setting_up import variables_of
from judging.models import Judgment
from judging.raters.registering import register
from tests.analysis.pages.banks.cast import rank
from tests.cast import NOW, draft_study
from tests.judging.banks.cast import TEXTS, bank_of, entry
from tests.judging.banks.test_bank_studies import study_of
from tests.judging.machines.cast import machine, run
from tests.judging.queries.cast import passages

BY = {"by": None, "now": NOW}


@pytest.mark.parametrize(
    ("answer", "key", "correct"),
    [
        ("The Eiffel company.", ["Eiffel company"], True),
        ("built by engineers", ["building by the engineer"], True),  # stems
        ("Gustave Eifel", ["Gustave Eiffel"], True),  # 96 of 100
        ("Gustave Courbet", ["Gustave Eiffel"], False),
        ("no", ["False"], True),
        ("Correct.", ["true"], True),
        ("maybe", ["true"], False),
        ("the", ["the"], True),  # nothing but stop words: as written
        ("5", ["5"], True),
        ("5", ["55"], False),
        ("unanswerable", ["unanswerables"], False),
        ("330 m", ["in 1889", "330 m"], True),
        ("anything", [], None),
        ("anything", [" . "], None),
    ],
)
def test_an_answer_is_verified_by_its_key(answer, key, correct):
    assert is_correct(answer, key) is correct


def test_every_correct_answer_can_be_needed():
    key = ["red", "blue"]
    assert is_correct("blue and red stripes", key, every=True)
    assert not is_correct("blue stripes", key, every=True)


@given(st.text(), st.lists(st.text(), max_size=3))
def test_any_text_can_be_verified(answer, key):
    assert is_correct(answer, key) in (True, False, None)
    if is_correct(answer, [answer]) is False:
        assert answer.strip().removesuffix(".").strip().casefold() in {
            "unanswerable", "no answer", "not enough information", "unknown",
        }  # fmt: skip


@pytest.mark.django_db
def test_a_model_extracts_answers_and_the_bank_verifies_them(endpoint, capsys):
    bank = bank_of(state="confirmed")
    row = entry(bank, TEXTS[0])
    answers = [{"answer": WORDS, "references": []}]
    deciding.decide(
        bank=bank, shown={row.pk: row.revision}, change=Change(answers=answers), **BY
    )  # fmt: skip
    study = study_of(bank, method="answer-extraction")
    judge = run(machine(study, endpoint.url))
    assert judge.calls.filter(state="answered").count() == 9
    found = list(verified_answers(bank))
    assert {(one.entry, one.correct) for one in found} == {
        (entry(bank, text).key, True if text == TEXTS[0] else None) for text in TEXTS
    }
    assert {one.passage for one in found} == {"p1", "p2", "p3"}
    texts = oversight.graded_texts(bank, row.key)
    assert [text.answers for text in texts] == [[(WORDS, True)]] * 3
    call_command("bank", bank.corpus.slug, "verify", bank.name)
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (len(lines), lines[0]["answer"]) == (9, WORDS)


@pytest.mark.django_db
def test_words_without_an_answer_are_left_out():
    bank = bank_of(state="confirmed")
    judge = machine(study_of(bank, method="answer-extraction"), structured=False)
    prepare(judge=judge)
    call = judge.calls.select_related("item").first()
    for words, wanted in (('""', None), ("null", None), ('"330 metres"', "330 metres")):
        reader = Reader(judge)
        reader.look_up([call])
        outcome = reader.read(call, f'{{"answerable": "no", "answer": {words}}}')
        assert outcome.parsed == {"answerable": "no", "answer": wanted}
    reader = Reader(judge)
    reader.look_up([call])
    outcome = reader.read(call, json.dumps({"answerable": "yes", "answer": "x" * 501}))
    assert (outcome.parsed, outcome.error) == (None, "unparsed")
    assert not Judgment.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("wording", ["sun", "sun-fewshot", "fag-b", "helm", "thomas"])
def test_a_direct_prompt_grades_passages(wording, endpoint):
    method = "retrieval-relevance" if wording == "thomas" else "direct-relevance"
    study = draft_study(corpus=passages(), instrument=load(method))
    write_plans(study=study, plans=plans_of(study=study, seed=1))
    assert wording in {ready.key for ready in ready_for(variables_of(study))}
    judge = run(machine(study, endpoint.url, wording=wording))
    assert Judgment.objects.filter(rater=judge.rater, score__isnull=False).count() == 4


@pytest.mark.django_db
def test_direct_prompts_are_offered_for_passages_alone():
    bank = bank_of(state="confirmed")
    offered = {ready.key for ready in ready_for(variables_of(study_of(bank)))}
    assert offered == {"plain", "verdict"}


@pytest.mark.django_db
def test_a_verified_answer_counts_instead_of_yes_or_no():
    """Ann says yes to three passages, but the answer that she copied from one is not correct."""
    bank = bank_of(TEXTS[:1], state="confirmed")
    rank(bank, {"x": {"t1": ["p1"]}, "y": {"t1": ["p2"]}, "z": {"t1": ["p3"]}})
    row = entry(bank, TEXTS[0])
    study = study_of(bank, method="answer-extraction")
    rater = register(name="Ann", kind="expert", team=study.team)
    for passage, said in (("p1", "330 metres"), ("p2", "324 metres"), ("p3", "")):
        for question, value in (("answerable", "yes"), ("answer", said)):
            contents = {"criterion": row.key, "passage": passage}
            line = LabelLine(number=1, value=value, topic="t1", comment="", contents=contents)
            import_lines(
                study=study, lines=[line] if value else [], rater=rater, now=NOW,
                report=LabelReport("f"), question=question,
            )  # fmt: skip

    def covered():
        board = shown_board(bank, Choice(pool="people")).board.rows
        return dict(board[board["measure"] == "cover@20"][["system", "value"]].to_numpy())

    assert covered() == {"x": 1, "y": 1, "z": 1}  # no key yet
    for answers, wanted in (
        (["330 metres"], {"x": 1, "y": 0, "z": 1}),
        ([], dict.fromkeys("xyz", 1)),
    ):
        shown = {row.pk: entry(bank, TEXTS[0]).revision}
        key = [{"answer": answer, "references": []} for answer in answers]
        deciding.decide(bank=bank, shown=shown, change=Change(answers=key), **BY)
        bank.refresh_from_db()
        assert covered() == wanted
    grades = BankGrades.of(bank).votes
    assert list(grades["score"]) == [1, 1, 1]
