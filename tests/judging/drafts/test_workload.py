"""What a launch would make, counted without dealing: the same as what it then makes."""

from dataclasses import replace

import pytest
from django.core.cache import cache
from django.utils import translation
from hypothesis import given

from annotation.corpora.contents import state_of
from annotation.corpora.shared_reads import shared_reads
from annotation.models import Corpus, Response, Task
from annotation.studies.drafts import workload
from annotation.studies.drafts.kinds import decoded, kind_of
from annotation.studies.drafts.schema import Design
from annotation.studies.drafts.workload import outline_of, outline_or_why
from annotation.studies.wages import WORDS_PER_MINUTE
from judging.designers.designs import design, questionnaires_of, together, undealt
from judging.designers.questionnaires import CannotDesign
from judging.designers.texts import DesignParameters
from judging.drafts import workload as of_judging
from judging.drafts.workload import sparse_in
from judging.instruments.files import available, load
from judging.items.kinds import Holds
from tests.annotation.studies.drafts.drafted import drafted, judging_document, temporary_study
from tests.cast import small_corpus
from tests.coded_errors import raises
from tests.hooks import numbers
from tests.judging.designers.test_designs import responses, small


def attempt(make, *arguments, **named):
    """Return the result, or that there is none."""
    try:
        return make(*arguments, **named)
    except CannotDesign:
        return None


def parts(plan):
    """Return a design of pairs in either direction, and one of single texts beside it."""
    texts = responses(plan["topics"], plan["per_topic"], seed=plan["seed"])
    pairs = DesignParameters(
        seed=plan["seed"], reversed_share=plan["share"], items_per_questionnaire=plan["size"]
    )
    single = replace(pairs, kind="response", designer="pool", reversed_share=0.0)
    return [{"material": {Holds.RESPONSE: texts}, "parameters": each} for each in (pairs, single)]


@given(small)
def test_what_is_counted_is_what_would_be_dealt(plan):
    one = parts(plan)[0]
    number, dealt = attempt(questionnaires_of, [undealt(**one)]), attempt(design, **one)
    assert (number is None) == (dealt is None)
    if dealt is not None:
        made = undealt(**one)
        assert number == len(dealt.questionnaires)
        assert made.items == dealt.items
        assert made.topics == dealt.topics
        assert made.figures.words == dealt.words().sum()


@given(small)
def test_methods_together_fill_as_many_questionnaires_as_they_are_dealt_into(plan):
    number = attempt(lambda: questionnaires_of([undealt(**part) for part in parts(plan)]))
    dealt = attempt(lambda: together([design(**part) for part in parts(plan)]))
    assert number == (None if dealt is None else len(dealt[0].questionnaires))


@pytest.mark.django_db
def test_methods_that_differ_in_their_tasks_alone_share_a_design(monkeypatch):
    document, made = judging_document(responses=4), []
    corpus, kind = Corpus.objects.get(), kind_of("judging")
    monkeypatch.setattr(of_judging, "undealt", lambda **of: made.append(of) or undealt(**of))

    def outlines():
        for items, quota in ((2, 1), (3, 5), (6, 2)):
            document.instruments[0]["defaults"] |= {
                "items_per_questionnaire": items,
                "quota": quota,
            }
            yield kind.outline(document, corpus)

    alone = list(outlines())
    assert len(made) == 3
    with shared_reads():
        assert list(outlines()) == alone
    assert len(made) == 4


@pytest.mark.django_db
@pytest.mark.parametrize("method", available())
def test_a_launch_makes_what_was_said(method):
    draft = drafted(judging_document(method=method, responses=4))
    kind = kind_of("judging")
    document, corpus = decoded(draft.document), Corpus.objects.get()
    try:
        summary = kind.outline(document, corpus)
    except CannotDesign as error:
        with pytest.raises(ValueError, match=str(error)[:30]), temporary_study(draft=draft):
            pass
        return
    with temporary_study(draft=draft) as study:
        tasks = Task.objects.filter(batch__study=study)
        assert (summary.tasks, summary.places) == (len(tasks), sum(task.quota for task in tasks))
        assert summary.minutes == study.minutes
        sizes = sorted({task.items.distinct().count() for task in tasks})
        assert set(sizes) <= set(numbers(summary.notes[0]))
        words = sum(task.words for task in tasks) / len(tasks)
        assert summary.reading_minutes == pytest.approx(words / WORDS_PER_MINUTE)


@pytest.mark.django_db
def test_a_pair_in_both_orders_is_said_to_have_votes_for_both():
    document = judging_document(responses=4)
    document.instruments[0]["defaults"] |= {
        "reversed_share": 0.5,
        "quota": 3,
        "items_per_questionnaire": 2,
    }
    summary = kind_of("judging").outline(document, Corpus.objects.get())
    assert numbers(summary.notes[0])[-2:] == [6, 3]
    document.instruments[0]["defaults"]["reversed_share"] = 0.0
    summary = kind_of("judging").outline(document, Corpus.objects.get())
    assert "votes" not in summary.notes[0]


@pytest.mark.django_db
def test_systems_with_texts_for_few_topics_are_named():
    corpus = small_corpus(topics=5, responses=3)
    many = corpus.systems.create(key="many", name="Lamp 2")
    corpus.responses.exclude(key__endswith="a").update(system=many)
    files = [load("crowdrag-pairwise")]
    assert list(sparse_in(files, corpus)) == []
    corpus.responses.filter(key__in=["t1a", "t2a", "t3a"]).update(system=many)
    (fault,) = sparse_in(files, corpus)
    assert (fault.path, numbers(fault.sentence)) == ("design/systems", [5, 2])
    assert list(sparse_in(files, corpus, Design(systems=["many"]))) == []
    both = Design(systems=["many", "origin:human"])
    assert numbers(next(sparse_in(files, corpus, both)).sentence)[1:] == [2]
    chosen = Design(chosen_topics=["t4", "t5"])
    assert list(sparse_in(files, corpus, chosen)) == []
    assert list(sparse_in([load("retrieval-relevance")], corpus)) == []


@pytest.mark.django_db
def test_an_outline_is_kept_until_the_draft_or_its_corpus_changes(django_assert_max_num_queries):
    cache.clear()
    document = judging_document(responses=4)
    corpus = Corpus.objects.get()
    first = outline_of(document, corpus)
    with django_assert_max_num_queries(5):  # the state of the corpus, and what is kept
        assert outline_of(document, corpus) == first
    before = state_of(corpus)
    Response.objects.filter(pk=corpus.responses.latest("pk").pk).update(text="", words=0)
    assert state_of(corpus) != before
    assert outline_of(document, corpus).judgments < first.judgments


@pytest.mark.django_db
def test_an_outline_is_kept_for_each_language_in_which_its_notes_are(monkeypatch):
    cache.clear()
    document = judging_document(responses=4)
    corpus = Corpus.objects.get()
    first = outline_of(document, corpus)
    other = replace(kind_of("judging"), outline=lambda *_: "auf Deutsch")
    monkeypatch.setattr(workload, "kind_of", lambda _: other)
    assert outline_of(document, corpus) == first
    with translation.override("de"):
        assert outline_of(document, corpus) == "auf Deutsch"


@pytest.mark.django_db
def test_a_refusal_is_kept_until_the_corpus_changes(django_assert_max_num_queries):
    cache.clear()
    document = judging_document(responses=1)
    corpus = Corpus.objects.get()
    nothing, why = outline_or_why(document, corpus)
    assert nothing is None
    assert why
    with django_assert_max_num_queries(5):  # the state of the corpus, and what is kept
        assert outline_or_why(document, corpus) == (None, why)
    with raises(CannotDesign, "nothing_to_judge"):
        outline_of(document, corpus)
    with translation.override("de"):
        assert outline_or_why(document, corpus)[1] != ""
    topic = corpus.topics.get()
    Response.objects.create(
        corpus=corpus,
        topic=topic,
        key="another",
        origin="llm",
        style="essay",
        text="One more.",
        words=2,
    )
    made, why = outline_or_why(document, corpus)
    assert (made.judgments > 0, why) == (True, "")
