"""An LLM codes each unit of a coding once, apart from its coders."""

from decimal import Decimal

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.fieldwork.work import assigning
from judging.calls import running_rounds
from judging.calls.asking import BadAsker
from judging.calls.fake.troubles import Trouble, TroubleKind
from judging.calls.progress import failures_of, progress_of
from judging.calls.prompts import BadPrompt
from judging.calls.replies import UnreadableAnswer
from judging.coders.forecasts import forecast_of
from judging.coders.given import codes_of, llm_coders
from judging.coders.preparing import missing, prepare
from judging.coders.replies import UNKNOWN, read
from judging.coding import reconciling
from judging.models import Coder, CoderCall, CoderRound, CodingUnit, Presentation, UnitCodes
from tests.cast import HOUR, NOW
from tests.judging.coders.cast import llm_coder, run
from tests.judging.coding.cast import KEYS, code_all, coding_of, commented_study, two_coders
from tests.planted import columns_with
from tests.refusals import refused

pytestmark = pytest.mark.django_db
LAYOUT, SPEED, ORDER = KEYS
PRICED = {"price_in": Decimal(2), "price_out": Decimal(8)}
WORDS = ("The layout and the speed", "Nothing", "Good speed", "Another layout")
CODES = [{LAYOUT, ORDER, SPEED}, set(), {SPEED}, {LAYOUT, ORDER}]  # names that are words of these
State = CoderCall.State


@pytest.fixture
def coding():
    """Four comments, of which three contain names of codes."""
    study = commented_study(workers=4, responses=2)
    for page, words in zip(Presentation.objects.order_by("pk"), WORDS, strict=True):
        Presentation.objects.filter(pk=page.pk).update(comment=words)
    return coding_of(study)


@pytest.mark.parametrize("structured", [True, False])
def test_a_model_codes_each_unit_with_the_codebook(coding, endpoint, structured):
    done = run(llm_coder(coding, endpoint.url, structured=structured, terms=PRICED))
    assert done.state == CoderRound.State.DONE
    given = codes_of(done)
    assert [given[unit.pk] for unit in coding.units.order_by("position")] == CODES
    call = done.calls.get(unit__position=1)
    prompt = call.request["messages"][1]["content"]
    assert f"- [{LAYOUT}] Layout: Where things are. (examples: too small; too far)" in prompt
    assert WORDS[0] in prompt
    assert "Method: Tiny" in prompt
    assert call.raw
    assert call.counted
    assert (call.cost_micro > 0, call.tokens_in > 0) == (True, True)


def test_it_is_no_coder_of_the_coding(coding, endpoint):
    run(llm_coder(coding, endpoint.url))
    assert not Coder.objects.exists()
    assert not UnitCodes.objects.exists()
    coders = two_coders(coding)
    code_all(coders[0], [[], [], [], []])
    with refused("CodersMissing"):
        reconciling.close(coding=coding, by=None, now=NOW)
    code_all(coders[1], [[], [], [], []])
    reconciling.close(coding=coding, by=None, now=NOW)
    assert set(reconciling.codes_by_coder(coding)[coding.units.first().pk]) == {1, 2}
    assert set(reconciling.final_codes(coding).values()) == {frozenset()}


@pytest.mark.parametrize(
    ("said", "error"),
    [
        (f'{{"codes": ["{LAYOUT}", "pages/sound"]}}', UNKNOWN),
        ('{"codes": ["Layout"]}', UNKNOWN),
        ('{"codes": "pages/layout"}', "unparsed"),
        ('{"codes": [1]}', "unparsed"),
        ('{"other": []}', "unparsed"),
        ("Layout", "unparsed"),
        ("", "unparsed"),
    ],
)
def test_a_reply_outside_the_codebook_or_the_format_is_an_error(said, error):
    with pytest.raises(UnreadableAnswer) as refused:
        read(said, known=KEYS, structured=True)
    assert refused.value.kind == error


def test_codes_are_read_once_and_in_the_order_of_the_codebook():
    said = f'Because.\n{{"codes": ["{SPEED}", "{LAYOUT}", "{SPEED}"]}}'
    assert read(said, known=KEYS, structured=False) == [LAYOUT, SPEED]
    assert read('{"codes": []}', known=KEYS, structured=True) == []


@pytest.mark.parametrize(
    ("kind", "error", "unread"),
    [
        (TroubleKind.THIRD, UNKNOWN, 1),
        (TroubleKind.PROSE, "unparsed", 1),
        (TroubleKind.LENGTH, "length", 1),
        (TroubleKind.HTML, "html", 0),
    ],
)
def test_a_failed_answer_is_kept_counted_and_retried(coding, endpoint, kind, error, unread):
    endpoint.troubles.waiting.append(Trouble(kind))
    done = run(llm_coder(coding, endpoint.url, terms=PRICED | {"at_most": 1}))
    failed = done.calls.get(state=State.FAILED)
    assert failed.error == error
    assert failed.raw
    assert [(failure.error, failure.calls) for failure in failures_of(done)] == [(error, 1)]
    assert progress_of(done, now=NOW).unread == unread
    assert len(codes_of(done)) == 3
    assert running_rounds.retry(round=done, error=error, by=None) == 1
    assert len(codes_of(run(done))) == 4


def test_a_budget_stops_before_it_is_spent(coding, endpoint):
    done = run(llm_coder(coding, endpoint.url, terms=PRICED | {"budget": Decimal("0.01")}))
    assert done.state == CoderRound.State.PAUSED
    assert progress_of(done, now=NOW).at_most <= 0.01


def test_the_forecast_counts_the_units_without_a_call(coding, endpoint):
    one = llm_coder(coding, endpoint.url, terms=PRICED, max_tokens=200)
    forecast = forecast_of(one)
    assert (forecast.calls, forecast.tokens_out) == (4, 4 * 30)
    assert forecast.cost == pytest.approx((2 * forecast.tokens_in + 8 * 120) / 1e6)
    assert forecast.most == pytest.approx((2 * forecast.tokens_in + 8 * 800) / 1e6)
    sent = [str(call.request["messages"]) for call in run(one).calls.all()]
    assert forecast.tokens_in == pytest.approx(sum(map(len, sent)) / 4, rel=0.25)
    assert forecast_of(one).calls == 0


def test_units_that_come_later_are_coded_when_it_runs_again(coding, endpoint):
    done = run(llm_coder(coding, endpoint.url))
    units = coding.units.order_by("-position")
    late = units.first()
    late.pk, late.position, late.source = None, 5, "page:late"
    late.save()
    assert [unit.position for unit in missing(done)] == [5]
    assert run(done).calls.count() == 5
    assert prepare(round=done) == 0


def test_the_same_prompt_is_charged_once(coding, endpoint):
    run(llm_coder(coding, endpoint.url, terms=PRICED))
    again = run(llm_coder(coding, endpoint.url, name="again", terms=PRICED))
    assert set(again.calls.values_list("copied", "cost_micro")) == {(True, 0)}
    assert endpoint.ledger.counts()["charged"] == 4
    call_command("code_comments", coding.study.slug, coding.name, again.name)
    assert endpoint.ledger.counts()["charged"] == 4


def test_withdrawn_words_leave_calls_and_costs_stay(coding, endpoint):
    one = coding.units.order_by("position").first()
    CodingUnit.objects.filter(pk=one.pk).update(text="zyxwolf in the layout")
    done = run(llm_coder(coding, endpoint.url, terms=PRICED))
    before = progress_of(done, now=NOW)
    assert columns_with("zyxwolf")
    assigning.withdraw(assignment=one.assignment, now=NOW + HOUR)
    assert not columns_with("zyxwolf")
    after = progress_of(done, now=NOW)
    assert (after.answered, after.cost) == (before.answered, before.cost)
    assert one.pk not in codes_of(done)
    call = done.calls.get(unit=None)
    assert (call.request, call.raw, call.parsed, call.prompt_hash) == ({}, "", {}, "")


def test_calls_that_were_prepared_go_with_their_unit(coding):
    one = llm_coder(coding)
    assert prepare(round=one) == 4
    assigning.withdraw(assignment=coding.units.first().assignment, now=NOW + HOUR)
    assert one.calls.count() == 3
    assert missing(one).count() == 0


def test_a_deleted_coder_is_not_compared(coding, endpoint):
    done = run(llm_coder(coding, endpoint.url))
    assert list(llm_coders(coding)) == [done]
    running_rounds.delete(round=done, by=None)
    assert list(llm_coders(coding)) == []
    running_rounds.restore(round=done, by=None)
    assert list(llm_coders(coding)) == [done]


def test_a_prompt_shows_comment_and_codebook(coding):
    for user in ("{comment}", "{codebook}", "{comment} {codebook} {nothing}"):
        with pytest.raises(BadPrompt):
            llm_coder(coding, user=user)
    llm_coder(coding)
    with pytest.raises(BadAsker):
        llm_coder(coding)  # the name is taken


def test_the_command_names_what_there_is(coding):
    llm_coder(coding)
    with pytest.raises(CommandError, match="cold"):
        call_command("code_comments", coding.study.slug, coding.name, "warm")
    with pytest.raises(CommandError, match="nothing"):
        call_command("code_comments", "nothing", coding.name, "cold")
