"""Documents of judging and writing studies: out and in, their faults, their launch."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.models import Place, Study
from annotation.studies.drafts import document_files, making
from annotation.studies.drafts.faults import faults_of
from annotation.studies.drafts.kinds import decoded, kind_of
from annotation.studies.drafts.launching import DraftChanged, HasFaults, launch
from annotation.studies.drafts.plain_data import BadDocument, odd_numbers, plain
from annotation.studies.drafts.saving import DraftClosed
from annotation.studies.drafts.schema import Document
from judging.design import designing
from judging.design.plans import plans_of
from judging.instruments.files import load
from tests.annotation.studies.drafts.drafted import drafted, judging_document, temporary_study
from tests.cast import NOW, draft_study, rita, small_corpus
from tests.coded_errors import raises
from writing.instruments import files as writing_files

METHODS = [
    (kind, name)
    for kind, available in (("judging", None), ("writing", writing_files.available))
    for name in (available() if available else [])
]


def methods() -> list[tuple[str, str]]:
    from judging.instruments import files as judging_files

    return [("judging", name) for name in judging_files.available()] + METHODS


@pytest.mark.parametrize(("kind", "name"), methods())
def test_the_document_of_each_method_goes_out_and_in_unchanged(kind: str, name: str) -> None:
    document = making.document_of_methods(
        kind=kind, instruments=[kind_of(kind).load(name)], title="Lamps", corpus=None
    )
    out = document_files.file_of(document)
    assert document_files.read(out) == document
    assert document_files.file_of(document_files.read(out)) == out


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=30)


@given(
    st.builds(
        Document,
        kind=st.just("judging"),
        slug=TEXTS,
        title=TEXTS,
        contact=TEXTS,
        instruments=st.just([plain(load("crowdrag-pairwise"))]),
        design=st.builds(
            Document.__annotations__["design"],
            topics=st.none() | st.integers(),
            seed=st.integers(),
            one_page=st.booleans(),
            systems=st.none() | st.lists(TEXTS),
        ),
        onboarding=st.from_type(Document.__annotations__["onboarding"]),
        recruitment=st.builds(
            Document.__annotations__["recruitment"],
            platform=st.sampled_from(["link", "prolific"]),
            pay=st.decimals(0, 1000, places=2),
            hourly_wage=st.decimals(0, 1000, places=2),
            currency=TEXTS,
        ),
    )
)
def test_any_document_goes_out_and_in_unchanged(document: Document) -> None:
    out = document_files.file_of(document)
    if any(odd_numbers(document)):
        with raises(BadDocument, "odd_number"):
            document_files.read(out)
    else:
        assert document_files.read(out) == document


def test_an_instrument_alone_comes_in_as_a_document() -> None:
    content = msgspec.json.encode(load("best-worst"))
    document = document_files.read(content, name="best-worst.json")
    assert document.kind == "judging"
    (instrument,) = document.instruments
    consent = instrument["consent"]
    assert instrument == plain(load("best-worst")) | {"consent": consent}
    # A new document is for people who come plain link.
    assert "random ID" in consent
    assert "the platform that sent you here" not in consent


def test_the_papers_own_study_file_comes_in() -> None:
    content = {
        "instructions": "Read both texts.",
        "type": "pairwise",
        "questions": [
            {
                "name": "quality_overall",
                "text": "Which is better?",
                "description": "All in all.",
                "options": {"A": "Left", "N": "Equal", "B": "Right"},
            }
        ],
    }
    document = document_files.read(json.dumps(content).encode(), name="pairs.json")
    assert document.instruments[0]["questions"][0]["text"] == "Which is better?"
    assert document.instruments[0]["name"] == "pairs"


@pytest.mark.parametrize("content", [b"", b"{}", b"[1]", b"query,text\n", b"\xff\xfe", b"null"])
def test_what_is_no_study_is_refused_with_a_sentence(content: bytes) -> None:
    with pytest.raises(BadDocument):
        document_files.read(content, name="study.json")


@pytest.mark.django_db
def test_a_new_document_says_what_is_missing() -> None:
    paths = {fault.path for fault in faults_of(Document(kind="judging"))}
    assert {"title", "corpus", "instruments"} <= paths
    assert "slug" not in paths  # the first title gives it
    paths = {fault.path for fault in faults_of(Document(kind="judging", title="Lamps"))}
    assert "slug" in paths


@pytest.mark.django_db
def test_faults_stand_at_their_places() -> None:
    document = plain(judging_document())
    method = document["instruments"][0]
    method["scales"][0]["options"] = method["scales"][0]["options"][:1]
    method["questions"][0]["text"] = " "
    method["questions"][1]["criterion"] = "unknown"
    method["defaults"] |= {"quota": 0, "reversed_share": 2}
    document["recruitment"]["pay"] = "-1"
    document["contact"] = ""
    document["design"]["topics"] = 9
    sentence_by_path = {fault.path: fault.sentence for fault in faults_of(decoded(document))}
    at = "instruments/crowdrag-pairwise"
    assert set(sentence_by_path) >= {
        f"{at}/scales/preference/options",
        f"{at}/questions/correctness_topical/text",
        f"{at}/questions/coherence_logical/criterion",
        f"{at}/defaults/quota",
        f"{at}/defaults/reversed_share",
        "recruitment/pay",
        "contact",
        "design/topics",
    }


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["crowdrag-pairwise", "best-worst", "direct-quality"])
def test_a_launched_document_is_the_study_that_the_command_makes(name: str) -> None:
    document = judging_document(method=name, responses=5)
    study = launch(draft=drafted(document), revision=0, user=rita(), now=NOW)
    other = draft_study(instrument=name, corpus=study.corpus, slug="by-command")
    batch = designing.write_plans(
        study=other, plans=plans_of(study=other, seed=1, reversed_share=0)
    )
    assert study.batches.get().state == "open"
    assert of_design(study) == of_design(other) == of_design(batch.study)
    assert study.consent.count("Rita, University of Lamps")


def of_design(study: Study) -> Any:
    """All that workers meet, without ids."""
    return (
        list(study.items.order_by("key").values_list("key", "kind", "unit")),
        list(
            study.questions.values_list(
                "key", "text", "arity", "scale__spec__options", "criterion__name"
            )
        ),
        list(
            study.batches.values_list(
                "tasks__number", "tasks__quota", "tasks__words", "tasks__task_items__item__key"
            ).order_by("tasks__number", "tasks__task_items__position")
        ),
        study.exit_form,
        study.instructions,
        study.minutes,
        study.minimum_seconds,
        study.time_limit_minutes,
    )


@pytest.mark.django_db
def test_a_second_launch_leads_to_the_first_study() -> None:
    draft = drafted()
    study = launch(draft=draft, revision=0, user=None, now=NOW)
    with pytest.raises(DraftClosed) as refused:
        launch(draft=draft, revision=0, user=None, now=NOW)
    assert refused.value.draft.study == study
    assert Study.objects.count() == 1


@pytest.mark.django_db
def test_what_nobody_has_looked_at_is_not_launched() -> None:
    with pytest.raises(DraftChanged):
        launch(draft=drafted(), revision=1, user=None, now=NOW)


@pytest.mark.django_db
def test_faults_and_a_corpus_without_texts_keep_a_launch_back() -> None:
    empty = msgspec.structs.replace(judging_document(responses=1), slug="empty")
    with pytest.raises(HasFaults) as without_pairs:
        launch(draft=drafted(empty), revision=0, user=None, now=NOW)
    assert without_pairs.value.faults
    with pytest.raises(HasFaults) as refused:
        launch(draft=drafted(Document(kind="judging")), revision=0, user=None, now=NOW)
    assert "corpus" in {fault.path for fault in refused.value.faults}
    assert not Study.objects.exists()


@pytest.mark.django_db
def test_a_rehearsal_leaves_nothing() -> None:
    with temporary_study(draft=drafted()) as study:
        assert Place.objects.filter(task__batch__study=study).count() == 5
    assert not Study.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["crowdrag-pairwise", "best-worst", "nuggets"])
def test_a_study_that_was_made_otherwise_has_a_document(name: str) -> None:
    study = draft_study(instrument=name, responses=4, topics=3)
    plans = plans_of(study=study, seed=1, topics=2, quota=2) if name != "nuggets" else []
    if plans:
        designing.write_plans(study=study, plans=plans)
    document = making.document_of(study)
    [told] = document.instruments
    method = plain(load(name))
    method["defaults"] |= {"quota": 2} if plans else {}
    method |= {"source": "", "consent": study.consent, "designer": told["designer"]}
    assert told == method
    assert document.design.topics == (2 if plans else None)


@pytest.mark.django_db
def test_a_new_version_keeps_the_address_and_a_copy_does_not() -> None:
    study = launch(draft=drafted(), revision=0, user=None, now=NOW)
    version = making.make_version(study=study, user=None, now=NOW)
    assert faults_of(decoded(version.document), draft=version) == []
    assert launch(draft=version, revision=0, user=None, now=NOW).version == 2
    copy = making.make_copy(study=study, user=None, now=NOW)
    assert copy.slug == "lamps-compared-copy"
    assert launch(draft=copy, revision=0, user=None, now=NOW).version == 1


@pytest.mark.django_db
def test_a_writing_study_with_onboarding_is_launched() -> None:
    corpus = small_corpus(topics=4, responses=0)
    for topic in corpus.topics.all():
        topic.passages.create(key=f"{topic.key}p", text="A lamp shines.", rank=1)
    document = making.document_of_methods(
        kind="writing",
        instruments=[writing_files.load("crowdrag-writing")],
        title="Letters",
        corpus=corpus,
    )
    onboarding = msgspec.structs.replace(document.onboarding, topics=2, writers=3, accepted=1)
    document = msgspec.structs.replace(document, contact="Rita", onboarding=onboarding)
    study = launch(draft=drafted(document), revision=0, user=None, now=NOW)
    assert study.onboarding_tasks == 1
    counts = {batch.name: batch.tasks.count() for batch in study.batches.all()}
    assert counts == {"onboarding": 2, "main": 6}
    assert study.time_limit_minutes == 240
    again = making.document_of(study)
    assert (again.onboarding, again.design) == (onboarding, document.design)
