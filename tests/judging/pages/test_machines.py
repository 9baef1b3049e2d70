"""The pages of machine judges: set up, previewed on a real item, run, looked at."""

import html

import pytest
from django.urls import reverse

from analysis.pages.entities.names import item_name, slots_of
from annotation.models import AuditEntry
from judging.machines.prompt_variables import READY
from judging.models import MachineCall, MachineJudge, Prompt
from judging.pages import machine_forms
from tests.analysis.pages.entities.counted import counted_on, total_of
from tests.cast import PREFERENCE, rita, small_study, tiny_instrument
from tests.config.askers import client_of
from tests.hooks import element, elements, numbers, values
from tests.judging.answering.test_optional import BETTER, WHY, WORDS
from tests.judging.machines.cast import machine, run

pytestmark = pytest.mark.django_db
SECRET = "sk-never-shown-again"


@pytest.fixture
def study():
    return small_study(responses=3)


@pytest.fixture
def console(study):
    client = client_of(rita())

    def ask(address_name, *more, **sent):
        address = reverse(address_name, args=[study.slug, study.version, *more])
        return client.post(address, sent, follow=True) if sent else client.get(address)

    ask.client = client
    return ask


def typed(**changes):
    words = READY["plain"]
    said = machine_forms.begun() | {"prompt": "plain", "system": words.system, "user": words.user}
    said |= {"name": "Judge Judy", "model": "good", "base_url": "https://api.example.org/v1/"}
    return {name: value for name, value in (said | changes).items() if value is not None}


def test_a_judge_is_set_up_and_its_key_is_shown_to_nobody(console, study):
    assert element(console("machines").text, "data-no-judges")
    page = console("machine_new", **typed(key=SECRET, price_in="2.5", price_out="10", budget="3"))
    judge = MachineJudge.objects.get()
    assert page.redirect_chain[-1][0] == reverse("machine", args=[study.slug, 1, judge.pk])
    assert judge.base_url == "https://api.example.org/v1"
    assert judge.rater.model == "good"
    assert judge.rater.prompt_version.startswith("plain v1 ")
    assert "temperature=0, max_tokens=500, both orders" in judge.rater.settings
    assert "Judge Judy" in console("machines").text
    for name, *more in [("machines",), ("machine", judge.pk)]:
        assert SECRET not in console(name, *more).text
    assert SECRET.encode() not in bytes(judge.sealed_key)
    assert SECRET not in str(list(AuditEntry.objects.values()))
    shown = console.client.get(f"/admin/judging/machinejudge/{judge.pk}/change/").text
    assert SECRET not in shown
    assert "sealed" not in shown


def test_what_it_is_told_is_seen_before_anything_is_kept(console, study):
    page = console("machine_new", do="preview", key=SECRET, **typed())
    assert page.status_code == 200
    assert "Text a about lamp 1." in page.text
    assert "Which text is better?" in page.text
    assert SECRET not in page.text
    assert not Prompt.objects.exists()


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        ({"user": "{texts} {author}"}, "{author}"),
        ({"user": "{texts} {"}, "{{ or }}"),
        ({"budget": "3"}, ""),
        ({"base_url": "http://127.0.0.1:9/v1?key=1"}, "?"),
        ({"base_url": "ftp://api.example.org"}, "https://"),
        ({"name": "people"}, "people"),
    ],
)
def test_what_cannot_be_is_said_and_nothing_is_kept(console, changes, shown):
    page = console("machine_new", **typed(**changes))
    assert page.status_code == 422
    assert shown in element(page.text, "data-refused").text
    assert not MachineJudge.objects.exists()


@pytest.mark.parametrize("changes", [{"name": ""}, {"temperature": "warm"}, {"at_most": "1000"}])
def test_faults_of_fields_are_shown_at_them(console, changes):
    page = console("machine_new", **typed(**changes))
    assert page.status_code == 422
    assert values(page.text, "data-refused") == []
    [name] = changes
    [fault] = elements(page.text, "class", "field-error")
    assert fault.attributes["id"] == f"{name}-error"
    assert not MachineJudge.objects.exists()


def test_the_same_model_and_prompt_is_one_rater(console, study):
    console("machine_new", **typed())
    again = console("machine_new", **typed(name="Another"))
    assert again.status_code == 422
    assert "Judy" in element(again.text, "data-refused").text
    assert MachineJudge.objects.count() == 1
    console("machine_new", **typed(name="Another", user="{texts}\n{questions}\n{answers}"))
    assert {str(prompt) for prompt in Prompt.objects.all()} == {"plain v1", "plain v2"}
    assert MachineJudge.objects.count() == 2


def test_another_address_needs_the_key_again(console, study):
    console("machine_new", **typed(key=SECRET))
    judge = MachineJudge.objects.get()
    terms = {"base_url": judge.base_url, "at_most": 3}
    console("machine_act", judge.pk, do="change", **terms)
    judge.refresh_from_db()
    assert (judge.at_most, bool(judge.sealed_key)) == (3, True)
    console("machine_act", judge.pk, do="change", **terms | {"base_url": "https://evil.example"})
    judge.refresh_from_db()
    assert not judge.sealed_key


def test_terms_that_are_refused_stay_typed(console, study):
    console("machine_new", **typed())
    judge = MachineJudge.objects.get()
    terms = {"base_url": "https://other.example/v1", "price_in": "cheap", "at_most": 3}
    page = console("machine_act", judge.pk, do="change", key=SECRET, **terms)
    assert page.status_code == 422
    assert 'value="cheap"' in page.text
    assert 'value="https://other.example/v1"' in page.text
    assert element(page.text, "id", "key").attributes.get("value", "") == ""
    assert SECRET not in page.text
    page = console("machine_act", judge.pk, do="change", **terms | {"price_in": "", "budget": 2})
    assert page.status_code == 422
    assert [message.level_tag for message in page.context["messages"]] == ["error"]
    assert 'value="https://other.example/v1"' in page.text
    before = judge.base_url
    judge.refresh_from_db()
    assert judge.base_url == before


def test_progress_failures_and_raw_answers_are_shown(console, study, endpoint):
    judge = run(machine(study, endpoint.url, model="good-third"))
    page = console("machine", judge.pk).text
    assert element(page, "data-error", "third text").numbers[0] == 6
    assert element(page, "data-answered").numbers[0] == 0
    answers = console.client.get(
        reverse("machine", args=[study.slug, 1, judge.pk]), {"error": "third text"}
    ).text
    assert "text C" in answers
    assert not judge.rater.judgments.exists()
    retried = console("machine_act", judge.pk, do="retry", error="third text")
    [message] = retried.context["messages"]
    assert (message.level_tag, numbers(message.message)) == ("success", [6])
    judge.refresh_from_db()
    assert judge.state == MachineJudge.State.RUNNING
    assert set(MachineCall.objects.values_list("state", flat=True)) == {"prepared"}
    for state in (MachineJudge.State.PAUSED, "refused"):
        paused = console("machine_act", judge.pk, do="pause")
        levels = [message.level_tag for message in paused.context["messages"]]
        assert ("error" in levels) is (state == "refused")
        judge.refresh_from_db()
        assert judge.state == MachineJudge.State.PAUSED


def test_a_fragment_is_all_that_a_running_page_asks_for(console, study):
    judge = machine(study)
    address = reverse("machine", args=[study.slug, 1, judge.pk])
    part = console.client.get(address, headers={"HX-Request": "true"}).text
    assert "<html" not in part
    assert element(part, "id", "machine-progress").attributes["data-judge"] == judge.state
    MachineJudge.objects.update(state="running")
    page = console.client.get(address).text
    assert 'hx-trigger="every 3s, soon"' in page
    assert "js/soon.js" in page


def test_questions_in_words_are_named_as_not_asked(console, study):
    assert elements(console("machine_new").text, "data-for-people") == []
    instrument = tiny_instrument(scales=[PREFERENCE, WORDS], questions=[BETTER, WHY])
    study = small_study(slug="words", corpus=study.corpus, instrument=instrument)
    judge = machine(study)
    for name, *more in (("machine_new",), ("machine", judge.pk)):
        page = console.client.get(reverse(name, args=[study.slug, 1, *more])).text
        assert WHY.text in element(page, "data-for-people").text


def test_each_number_of_calls_leads_to_as_many(console, study, endpoint):
    judge = run(machine(study, endpoint.url), items=2)
    assert judge.calls.count() > 0
    where = reverse("machine", args=[study.slug, study.version, judge.pk])
    numbers = set(counted_on(console.client, where))
    assert len(numbers) >= 2
    assert {number: total_of(console.client, number[0]) for number in numbers} == {
        number: number[1] for number in numbers
    }
    shown = console.client.get(reverse("call_list", args=[study.slug, study.version])).text
    assert SECRET not in shown
    assert judge.name in shown
    for call in judge.calls.select_related("item"):  # calls of one topic are told from each other
        assert item_name(slots_of([call.item], study)[call.item_id]) in html.unescape(shown)
