"""A judging study of some systems: its document, its faults; only their texts are drawn."""

from dataclasses import replace

import msgspec
import pytest
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.corpora.systems import SystemTexts, responses_of, systems_with_texts, topics_of
from annotation.fieldwork.trials.making import make_trial
from annotation.fieldwork.trials.simulating import _copied
from annotation.models import Corpus, Response, Segment, Study
from annotation.studies.drafts import document_files, making
from annotation.studies.drafts.faults import FaultContext, faults_of
from annotation.studies.drafts.kinds import decoded, kind_of
from annotation.studies.drafts.launching import launch
from annotation.studies.drafts.plain_data import plain
from annotation.studies.drafts.plan_results import _drawn, digest_of_design
from annotation.studies.drafts.schema import Design
from judging.design.material import material_for
from judging.design.plans import plans_of
from judging.designers.designs import undealt
from judging.designers.texts import DesignParameters
from judging.drafts.workload import parts_of
from judging.instruments.files import load
from judging.items.kinds import Holds, item_kind
from judging.models import ItemSlot
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.annotation.studies.test_batch_acts import do
from tests.cast import NOW, draft_study, in_sections, rita, small_corpus

pytestmark = pytest.mark.django_db
METHODS = ("crowdrag-pairwise", "direct-quality", "best-worst", "section-coverage")
KEYS = ("ash", "birch", "cedar", "dune", "origin:human", "origin:llm")


def with_systems(corpus: Corpus) -> Corpus:
    """Add four systems and two texts without one to each topic, of a person and a model.

    ash has texts for the first topic only.
    """
    systems = {key: corpus.systems.create(key=key, name=key.title()) for key in KEYS[:4]}
    for response in corpus.responses.order_by("pk"):
        key = dict(zip("abcd", KEYS[:4], strict=True)).get(response.key[-1])
        if key == "ash" and not response.key.startswith("t1"):
            key = "birch"
        if key:
            Response.objects.filter(pk=response.pk).update(system=systems[key])
    return corpus


def several(**design):
    """Return a document of a study on three topics with six texts each."""
    document = judging_document(responses=2)
    Corpus.objects.all().delete()
    with_systems(small_corpus(topics=3, responses=6))
    return msgspec.structs.replace(document, design=Design(**design))


def faulty(document, **design):
    wanted = msgspec.structs.replace(document.design, **design)
    return {f.path: f.sentence for f in faults_of(msgspec.structs.replace(document, design=wanted))}


def shown(study):
    """Return the systems of the study's items, and the origins of texts without one."""
    rows = ItemSlot.objects.filter(item__study=study, response__isnull=False)
    found = rows.values_list("response__system__key", "response__origin").distinct()
    return {key or f"origin:{origin}" for key, origin in found}


def test_the_systems_of_a_corpus_are_counted_with_texts_and_topics_in_one_query(
    django_assert_num_queries,
):
    corpus = with_systems(small_corpus(topics=3, responses=6))
    Response.objects.filter(key="t3d").update(text="")
    with django_assert_num_queries(1):
        found = systems_with_texts(corpus)
    assert found == [
        SystemTexts("ash", "Ash", 1, 1),
        SystemTexts("birch", "Birch", 5, 3),
        SystemTexts("cedar", "Cedar", 3, 3),
        SystemTexts("dune", "Dune", 2, 2),
        SystemTexts("origin:human", "human writers", 3, 3),
        SystemTexts("origin:llm", "LLM writers", 3, 3),
    ]
    for each in found:
        assert responses_of(corpus, [each.key]).count() == each.texts
        assert topics_of(corpus, [each.key]).count() == each.topics
    assert topics_of(corpus, None).count() == 3


def test_a_document_comes_in_as_it_went_out():
    document = several(systems=["birch", "origin:human"])
    again = document_files.read(document_files.file_of(document))
    assert again == decoded(plain(document))
    assert again.design.systems == ["birch", "origin:human"]


def test_an_older_document_means_all_systems_and_what_was_foreseen_of_it_holds():
    document = several()
    older = plain(document)
    for later in (
        *("systems", "chosen_topics", "question_order", "background", "arms", "empty_answers"),
    ):
        del older["design"][later]
    assert decoded(older).design.systems is None
    corpus = Corpus.objects.get()
    digest = digest_of_design(document, corpus)
    named = msgspec.structs.replace(document, design=Design(systems=["birch", "cedar"]))
    assert digest_of_design(named, corpus) != digest
    encoded = msgspec.json.encode(older["design"])
    assert encoded == b'{"topics":null,"seed":1,"one_page":false}'
    assert msgspec.json.encode(_drawn(document.design)) == encoded


def test_a_system_without_texts_is_a_fault_at_its_field():
    document = several()
    Corpus.objects.get().systems.create(key="silent", name="Silent")
    faults = faulty(document, systems=["birch", "elm", "silent", "cedar"])
    assert set(faults) == {"design/systems/elm", "design/systems/silent"}
    assert "'elm'" in faults["design/systems/elm"]
    Response.objects.filter(system=None, origin="llm").delete()
    assert set(faulty(document, systems=["birch", "cedar", "origin:llm"])) == {
        "design/systems/origin:llm"
    }


@pytest.mark.parametrize(
    ("systems", "is_faulty"),
    [
        ([], True),
        (["cedar"], True),
        (["cedar", "cedar"], True),
        (["cedar", "dune"], False),
        (["birch"], False),  # it has two texts for two topics, which can be compared
        (None, False),
    ],
)
def test_fewer_systems_than_the_method_needs_are_a_fault(systems, is_faulty):
    assert ("design/systems" in faulty(several(), systems=systems)) == is_faulty


def test_a_study_that_shows_no_texts_of_systems_names_none():
    document = judging_document(method="retrieval-relevance")
    assert "design/systems" not in faulty(document)
    assert "design/systems" in faulty(document, systems=["birch"])


def test_what_keeps_a_draft_from_its_launch_takes_two_queries_more(django_assert_num_queries):
    documents = [one := several(), msgspec.structs.replace(one, slug="other")]
    with django_assert_num_queries(2):
        FaultContext.of(documents)
    named = [
        msgspec.structs.replace(document, design=Design(systems=["birch", "origin:human", *more]))
        for document, more in zip(documents, (["cedar"], ["dune", "elm"]), strict=True)
    ]
    with django_assert_num_queries(4):
        FaultContext.of(named)


@settings(max_examples=25, deadline=None)
@given(
    named=st.none() | st.sets(st.sampled_from(KEYS)).map(sorted),
    method=st.sampled_from(METHODS),
    seed=st.integers(0, 99),
)
def test_a_design_shows_texts_of_the_named_systems_alone(named, method, seed):
    corpus = Corpus.objects.filter(slug="grove").first()
    if corpus is None:
        corpus = with_systems(small_corpus(slug="grove", topics=3, responses=6))
        for response in corpus.responses.all():
            in_sections(response)
    file = load(method)
    parameters = DesignParameters(
        seed=seed,
        kind=file.item_kind,
        designer=file.designer or item_kind(file.item_kind).designer,
        systems=None if named is None else tuple(named),
    )
    kind = item_kind(file.item_kind)
    asked = {"kind": kind, "corpus": corpus, "points": list, "scores": {}}
    material = material_for(**asked, systems=parameters.systems)
    allowed = set(responses_of(corpus, named).values_list("pk", flat=True))
    whose = {pk: pk for pk in allowed}
    parts = dict(Segment.objects.values_list("pk", "response"))
    try:
        made = undealt(material=material, parameters=parameters)
    except ValueError:
        return  # too few of them
    for item in made.items:
        for slot, pk in zip(kind.slots, item.contents, strict=False):
            response = parts[pk] if slot.holds == Holds.SEGMENT else pk
            assert response in whose


def test_plan_counts_and_a_launch_draws_the_named_systems_alone():
    document = several(systems=["cedar", "origin:human"])
    corpus = Corpus.objects.get()
    (part,) = parts_of([load("crowdrag-pairwise")], corpus=corpus, wanted=document.design)
    assert len(part.made.planned) == 3 + 1  # a pair on each topic, one of them in reverse
    outline = kind_of("judging").outline(document, corpus)
    draft = drafted(document)
    study = launch(draft=draft, revision=0, user=None, now=NOW)
    assert shown(study) == {"cedar", "origin:human"}
    assert outline.judgments == study.items.count() * 5 * study.questions.count()
    assert kind_of("judging").systems_of(study) == ["cedar", "origin:human"]
    assert making.document_of(study).design.systems == ["cedar", "origin:human"]
    draft.delete()
    assert making.document_of(study).design.systems == ["cedar", "origin:human"]


def test_topics_that_a_launched_study_gets_are_about_its_systems():
    document = several(systems=["cedar", "dune"], topics=2)
    study = launch(draft=drafted(document), revision=0, user=None, now=NOW)
    corpus = study.corpus
    late = corpus.systems.create(key="late", name="Late")
    corpus.responses.filter(system=None).update(system=late)
    lone = corpus.topics.create(key="t9", query="of others alone")
    Response.objects.create(
        corpus=corpus, topic=lone, key="t9x", style="essay", origin="llm", system=late,
        text="Late.", words=1,
    )  # fmt: skip
    kind = kind_of("judging")
    assert kind.topics_left(study) == 1
    (batch,) = study.batches.all()
    assert kind.foreseen_topics(batch=batch, topics=1)[0] == 1
    made = do("topics", batch, topics=1)
    assert shown(study) == {"cedar", "dune"}
    assert made.design["systems"] == ["cedar", "dune"]
    assert study.items.values("topic").distinct().count() == 3


def test_a_trial_and_a_simulated_crowd_have_the_named_systems_alone():
    document = several(systems=["cedar", "dune"])
    trial = make_trial(draft=drafted(document), user=rita(), now=NOW)
    assert shown(Study.every.get(pk=trial.study_id)) == {"cedar", "dune"}
    copy = _copied(document, Corpus.objects.get())
    assert copy.design.systems == ["cedar", "dune"]


def test_a_large_copy_gets_fewer_of_the_topics_that_its_systems_have(monkeypatch):
    document = several(systems=["ash", "birch"])
    corpus = Corpus.objects.get()
    for number in range(40):  # that these systems have no texts for
        corpus.topics.create(key=f"other{number}", query="?")
    monkeypatch.setitem(_copied.__globals__["MAX_PLACES_BY_KIND"], "judging", 0)
    assert _copied(document, corpus).design.topics == 1


def test_several_methods_are_asked_about_the_same_systems():
    corpus = with_systems(small_corpus(topics=3, responses=6))
    study = draft_study(corpus=corpus)
    plans = plans_of(study=study, seed=1, systems=["cedar", "dune"], quota=2)
    texts = {pk for plan in plans for item in plan.design.items for pk in item.contents}
    assert texts == set(responses_of(corpus, ["cedar", "dune"]).values_list("pk", flat=True))
    assert plans[0].design.parameters == replace(
        plans[0].design.parameters, systems=("cedar", "dune")
    )


def test_methods_that_are_asked_together_draw_among_the_topics_of_the_systems():
    corpus = with_systems(small_corpus(topics=3, responses=6))
    for topic in corpus.topics.all():
        topic.passages.create(key="p", rank=1, text="A passage about lamps.")
    document_files = [load("direct-quality"), load("retrieval-relevance")]
    every = set(corpus.topics.values_list("pk", flat=True))
    ash = {corpus.topics.get(key="t1").pk}  # ash has a text for this one alone
    kinds = [item_kind(file.item_kind) for file in document_files]
    for systems, topics in ((["ash"], ash), (None, every)):
        asked = {"corpus": corpus, "points": list, "scores": {}, "systems": systems}
        found = [material_for(kind=kind, **asked) for kind in kinds]
        assert [{t.topic for each in one.values() for t in each} for one in found] == [topics] * 2


def test_the_page_of_a_frozen_design_says_which_systems_it_holds(client):
    user = rita()
    client.force_login(user)
    document = several(systems=["cedar", "origin:human"])
    for version, (named, said) in enumerate(
        [(document.design.systems, "Cedar, human writers"), (None, "All")]
    ):
        draft = drafted(
            msgspec.structs.replace(document, slug=f"v{version}", design=Design(systems=named)),
            user=user,
        )
        study = launch(draft=draft, revision=0, user=user, now=NOW)
        address = reverse("study_design_section", args=[study.slug, study.version, "design"])
        assert f'<dd dir="auto">{said}</dd>' in client.get(address).text
