"""A model writes each text of a writing study once, from what its writers read."""

from decimal import Decimal

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from annotation.models import Origin, Response
from annotation.texts.words import count_words
from judging.authors.forecasts import forecast_of
from judging.authors.preparing import brief_of, missing
from judging.authors.publishing import take_texts
from judging.calls import running_rounds
from judging.calls.asking import BadAsker
from judging.calls.fake.troubles import Trouble, TroubleKind
from judging.calls.progress import failures_of, progress_of
from judging.calls.prompts import BadPrompt
from judging.models import AuthorCall, AuthorRound
from tests.cast import NOW, writing_study
from tests.judging.authors.cast import author, run
from writing.models import Brief
from writing.studies import designing

pytestmark = pytest.mark.django_db
PRICED = {"price_in": Decimal(2), "price_out": Decimal(8)}
State = AuthorCall.State


@pytest.fixture
def study():
    return writing_study(topics=2, styles=("essay", "bullet"))


def test_a_model_writes_each_topic_in_each_style_from_the_same_passages(study, endpoint):
    done = run(author(study, endpoint.url, terms=PRICED))
    assert done.state == AuthorRound.State.DONE
    calls = AuthorCall.objects.filter(round=done)
    assert set(calls.values_list("topic__key", "style")) == {
        (topic, style) for topic in ("t1", "t2") for style in ("essay", "bullet")
    }
    prompt = calls.get(topic__key="t1", style="essay").request["messages"][1]["content"]
    styles = {style["style"]: style["instructions"] for style in study.brief.styles}
    assert study.instructions in prompt
    assert styles["essay"] in prompt
    assert styles["bullet"] not in prompt
    assert "[2] Page 3\nPassage 3 tells that lamp t1 shines" in prompt
    assert "between 200 and 300 words" in prompt


def test_its_texts_are_responses_with_citations_statements_and_origin(study, endpoint):
    done = run(author(study, endpoint.url))
    call = done.calls.get(topic__key="t1", style="bullet")
    text = call.response
    assert (text.origin, text.style, text.author) == (Origin.LLM, "bullet", None)
    assert text.text == call.parsed["text"]
    assert text.words == count_words(text.text)
    assert text.system.name == f"cold (good, {done.prompt})"
    assert [passage.key for passage in text.cited.order_by("rank")] == ["t1p1", "t1p2", "t1p3"]
    assert text.segments.count() == 3
    assert Response.objects.filter(system=text.system).count() == 4


def test_a_model_reads_only_the_passages_that_writers_see(study, endpoint):
    Brief.objects.filter(study=study).update(passages=1)
    done = run(author(study, endpoint.url, styles=("essay",)))
    assert done.calls.count() == 2
    for call in done.calls.all():
        assert "[1] Page" not in call.request["messages"][1]["content"]
        assert call.response.citations.count() == 1


def test_topics_of_a_later_batch_are_written_when_it_runs_again(study, endpoint):
    done = run(author(study, endpoint.url))
    topic = study.corpus.topics.create(key="late", query="what is a late lamp?")
    topic.passages.create(key="late1", rank=1, title="Late", text="Lamps shine late.")
    designing.write_tasks(study=study, topics=[topic], styles=["essay"], name="second")
    assert missing(done) == [(topic.pk, "essay")]
    assert run(done).calls.count() == 5


def test_texts_are_taken_once_and_paid_once(study, endpoint):
    done = run(author(study, endpoint.url, terms=PRICED))
    assert take_texts(round=done) == 0
    call_command("write_responses", study.slug, done.name)
    assert Response.objects.count() == 4
    again = run(author(study, endpoint.url, name="again", terms=PRICED))
    assert set(again.calls.values_list("copied", "cost_micro")) == {(True, 0)}
    assert endpoint.ledger.counts()["charged"] == 4
    assert Response.objects.count() == 8


@pytest.mark.parametrize(
    ("kind", "error"),
    [(TroubleKind.LENGTH, "length"), (TroubleKind.REFUSAL, "refused"), (TroubleKind.HTML, "html")],
)
def test_a_failed_text_is_kept_counted_and_retried(study, endpoint, kind, error):
    endpoint.troubles.waiting.append(Trouble(kind))
    done = run(author(study, endpoint.url, terms={"at_most": 1}))
    failed = done.calls.get(state=State.FAILED)
    assert (failed.error, failed.response) == (error, None)
    assert [(failure.error, failure.calls) for failure in failures_of(done)] == [(error, 1)]
    assert Response.objects.count() == 3
    assert running_rounds.retry(round=done, error=error, by=None) == 1
    run(done)
    assert Response.objects.count() == 4


def test_a_budget_stops_before_it_is_spent(study, endpoint):
    done = run(author(study, endpoint.url, terms=PRICED | {"budget": Decimal("0.01")}))
    assert done.state == AuthorRound.State.PAUSED
    assert progress_of(done, now=NOW).at_most <= 0.01


def test_the_forecast_counts_what_is_left_to_write(study, endpoint):
    one = author(study, endpoint.url, terms=PRICED, max_tokens=400)
    forecast = forecast_of(one, brief_of(study))
    assert (forecast.calls, forecast.tokens_out) == (4, 4 * 350)  # 250 words × 1.4
    assert forecast.cost == pytest.approx((2 * forecast.tokens_in + 8 * 1400) / 1e6)
    assert forecast.most == pytest.approx((2 * forecast.tokens_in + 8 * 1600) / 1e6)
    read = sum(len(str(call.request)) for call in run(one).calls.all()) / 4
    assert forecast.tokens_in == pytest.approx(read, rel=0.25)
    assert forecast_of(one, brief_of(study)).calls == 0


def test_a_prompt_shows_query_passages_and_style(study):
    with pytest.raises(BadPrompt):
        author(study, user="{query} {passages}")
    with pytest.raises(BadPrompt):
        author(study, user="{query} {passages} {style_instructions} {nonsense}")
    first = author(study).prompt
    assert author(study, name="same").prompt == first
    other = author(study, name="other", user="{query} {passages} {style_instructions}").prompt
    assert (other.key, other.version) == (first.key, 2)


def test_a_style_is_one_of_the_study_with_tasks(study):
    with pytest.raises(BadAsker):
        author(study, styles=("sonnet",))
    with pytest.raises(BadAsker):
        author(study, styles=("news",))  # a style without tasks
    author(study)
    with pytest.raises(BadAsker):
        author(study)  # the name is taken


def test_the_command_names_what_there_is(study):
    author(study)
    with pytest.raises(CommandError, match="cold"):
        call_command("write_responses", study.slug, "warm")
    with pytest.raises(CommandError, match="nothing"):
        call_command("write_responses", "nothing", "cold")
