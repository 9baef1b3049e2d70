"""Documents in view of a pair by the score that another study gave them."""

from io import StringIO
from typing import Any

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from annotation.console.builder.editing import edit
from annotation.fieldwork.work import assigning
from annotation.models import Batch, Corpus, Study
from annotation.people.access import sharing
from annotation.studies.drafts import document_files, making, saving
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.faults import faults_of
from annotation.studies.drafts.kinds import decoded, kind_of
from annotation.studies.drafts.launching import HasFaults, launch
from annotation.studies.drafts.warnings import DraftState
from annotation.studies.drafts.workload import digest_of, outline_of
from judging.answering import recording
from judging.answering.recording import GivenAnswer
from judging.calls.prompts import BadPrompt
from judging.design.document_scores import offered, scores_for
from judging.design.extending import add_topics
from judging.designers.designs import design
from judging.designers.questionnaires import CannotDesign
from judging.designers.texts import DesignParameters, DesignText
from judging.items.drawing import draw_presentations
from judging.items.kinds import Holds
from judging.labels.removing import remove_labels
from judging.machines import setting_up
from judging.machines.preparing import prepare
from judging.machines.previews import preview
from judging.models import (
    DocumentReason,
    DocumentScore,
    Item,
    Judgment,
    MachineCall,
    MachineJudge,
    Rater,
)
from tests.annotation.studies.drafts.drafted import drafted, remarks_of
from tests.cast import NOW, alice, begun, bob, draft_study, open_study, rita, small_corpus, worker
from tests.coded_errors import raises
from tests.hooks import numbers, outlined
from tests.judging.machines.cast import machine

pytestmark = [pytest.mark.django_db, pytest.mark.storage]

AT = "instruments/documents-pairwise/defaults/documents_"
FIGURES = {
    "documents_scored_at_least": 2,
    "documents_scored_in": "relevant/1",
    "documents_scored_on": "",
    "documents_scored_by": "people",
}
# Of the passages p1, p2, ... of the topics t1, t2 and t3, by two people.
GRADES = {"t1": ("12", "22", "01"), "t2": ("22", "11", "22"), "t3": ("00", "11", "01")}


def scored(*, closed: bool = True) -> Corpus:
    """Two people have graded three passages of three topics, with reasons."""
    corpus = small_corpus(topics=3, responses=2)
    for topic in corpus.topics.order_by("key"):
        for rank in (1, 2, 3):
            topic.passages.create(
                key=f"{topic.key}-p{rank}", rank=rank, text=f"Light {rank} of {topic.key}."
            )
    study = open_study(
        draft_study(slug="relevant", instrument="retrieval-relevance", corpus=corpus), quota=2
    )
    for number, person in enumerate((alice(), bob())):
        work = begun(study, person)
        answers = []
        for presentation in draw_presentations(assignment=work):
            passage = presentation.item.slots.get().passage
            grade = GRADES[passage.topic.key][passage.rank - 1][number]
            reason = f"{person.pseudonym} on {passage.key}" if grade != "0" else ""
            answers.append(GivenAnswer(presentation.position, "relevance", grade, comment=reason))
        recording.record(assignment=work, answers=answers, now=NOW)
        assigning.submit(assignment=work, now=NOW)
    if not closed:
        Batch.objects.filter(study=study).update(state=Batch.State.OPEN, closed_at=None)
    return corpus


def document(corpus: Corpus, **figures: Any) -> Any:
    made = making.document_of_methods(
        kind="judging",
        instruments=[kind_of("judging").load("documents-pairwise")],
        title="Pairs with documents",
        corpus=corpus,
    )
    made.instruments[0]["defaults"].update(FIGURES | figures)
    made.instruments[0]["defaults"]["quota"] = 1
    return msgspec.structs.replace(made, contact="Rita, University of Lamps")


def sentence(made: Any) -> dict[str, str]:
    return {fault.path: fault.sentence for fault in faults_of(made)}


def shown(study: Study) -> dict[str, list[str]]:
    """Of each topic the documents beside its pairs."""
    found = {}
    for item in Item.objects.filter(study=study):
        slots = item.slots.filter(passage__isnull=False).order_by("position")
        found[item.topic.key] = [slot.passage.key for slot in slots]
    return found


def launched(made: Any) -> Study:
    draft = drafted(made)
    return launch(draft=draft, revision=draft.revision, user=None, now=NOW)


def test_the_grades_are_the_means_of_the_raters_halves_up() -> None:
    """As in the qrels of TREC that the same study gives out."""
    corpus = scored()
    found = scores_for(FIGURES, corpus=corpus)
    keys = dict((pk, key) for pk, key in corpus.topics.values_list("passages__pk", "passages__key"))
    assert {keys[pk]: score for pk, score in found.items()} == {
        "t1-p1": 2, "t1-p2": 2, "t1-p3": 1,
        "t2-p1": 2, "t2-p2": 1, "t2-p3": 2,
        "t3-p1": 0, "t3-p2": 1, "t3-p3": 1,
    }  # fmt: skip


def test_only_documents_of_that_score_stand_in_view_and_topics_without_are_named() -> None:
    corpus = scored()
    made = document(corpus)
    assert sentence(made) == {}
    notes = outline_of(made, corpus).notes
    per_topic, skipped = notes[1:]
    assert numbers(per_topic) == [2, 2, 1, 2]
    assert outlined([per_topic, skipped], "… relevant/1", "… 1 topic … t3")
    lacking = remarks_of(DraftState(made, outline=outline_of(made, corpus)))
    assert {each.path: each.sentence for each in lacking}[f"{AT}scored_at_least"].endswith(notes[2])
    study = launched(made)
    assert shown(study) == {"t1": ["t1-p1", "t1-p2"], "t2": ["t2-p1", "t2-p3"]}


def test_the_best_passages_are_the_best_of_those_that_reach_the_score() -> None:
    corpus = scored()
    study = launched(document(corpus, depth=1, documents_scored_at_least=1))
    assert shown(study) == {"t1": ["t1-p1"], "t2": ["t2-p1"], "t3": ["t3-p2"]}


def test_what_happens_later_in_the_other_study_changes_nothing() -> None:
    corpus = scored()
    made = msgspec.structs.replace(
        document(corpus), design=msgspec.structs.replace(document(corpus).design, topics=1)
    )
    study = launched(made)
    Judgment.objects.filter(question__key="relevance").update(score=0, value="0", raw="0")
    before = shown(study)
    add_topics(batch=study.batches.get(), topics=1, name="more")
    assert shown(study) == {"t1": ["t1-p1", "t1-p2"], "t2": ["t2-p1", "t2-p3"]} != before
    assert numbers(sentence(made)[f"{AT}scored_at_least"]) == [1, 2, 0]


def test_the_count_of_a_draft_follows_the_scores() -> None:
    corpus = scored()
    made = document(corpus)
    assert len(outline_of(made, corpus).notes) == 3
    Judgment.objects.filter(item__topic__key="t3", question__key="relevance").update(score=2)
    assert len(outline_of(made, corpus).notes) == 2


REFUSED = [
    ({"documents_scored_in": ""}, "in", "Enter the study that scored"),
    ({"documents_scored_in": "relevant"}, "in", "no study 'relevant'"),
    ({"documents_scored_in": "relevant/2"}, "in", "no study 'relevant/2'"),
    ({"documents_scored_on": "beauty"}, "on", "Question 'beauty' in"),
    ({"documents_scored_by": "models"}, "in", "no passage scores by models"),
    ({"documents_scored_by": "Gwen"}, "by", "has no rater pool 'Gwen'"),
    ({"documents_scored_at_least": 3}, "at_least", "relevant/1 scores 3 or more"),
]


def test_it_says_why_there_are_no_such_scores() -> None:
    corpus = scored()
    for figures, field, said in REFUSED:
        faults = sentence(document(corpus, **figures))
        assert said in faults[f"{AT}scored_{field}"]
        assert len(faults) == 1


@pytest.mark.parametrize("figures", [refusal[0] for refusal in REFUSED[:4]] + [REFUSED[5][0]])
def test_what_a_design_is_made_of_is_the_same_in_every_language(
    figures: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = scored()
    made = document(corpus, **figures)
    here = digest_of(made, corpus)
    monkeypatch.setattr(translation._trans, "gettext", lambda words: f"¡{words}!")
    assert all(said.startswith("¡") for said in sentence(made).values())
    assert digest_of(made, corpus) == here


def test_a_study_that_still_runs_is_refused() -> None:
    assert "relevant" in sentence(document(scored(closed=False)))[f"{AT}scored_in"]


def test_a_study_on_another_corpus_is_none() -> None:
    scored()
    other = small_corpus(slug="other")
    assert "'relevant/1'" in sentence(document(other))[f"{AT}scored_in"]


def test_a_study_that_scores_no_passages_is_refused() -> None:
    corpus = scored()
    draft_study(slug="pairs", instrument="crowdrag-pairwise", corpus=corpus)
    faults = sentence(document(corpus, documents_scored_in="pairs/1"))
    assert "pairs/1" in faults[f"{AT}scored_in"]


def test_annotations_are_shown_of_scores_alone_and_beside_pairs_alone() -> None:
    corpus = scored()
    made = document(corpus, documents_scored_at_least=None, documents_annotations="shown")
    assert f"{AT}scored_at_least" in sentence(made)
    made = document(corpus)
    made.instruments[0]["item_kind"] = "pair"
    assert f"{AT}scored_at_least" in sentence(made)


def test_the_document_goes_out_and_in_unchanged_and_stays_with_the_study() -> None:
    made = document(scored(), documents_annotations="shown")
    assert document_files.read(document_files.file_of(made)) == made
    study = launched(made)
    assert making.document_of(study).instruments == made.instruments
    one: Any
    (one,) = kind_of("judging").instruments_of(study)
    assert msgspec.to_builtins(one.defaults).items() >= (FIGURES | {"depth": 5}).items()
    assert one.defaults.documents_annotations == "shown"


def test_the_form_offers_what_can_be_chosen_and_saves_it() -> None:
    corpus, user = scored(), rita()
    draft = drafted(document(corpus, documents_scored_at_least=None), user=user)
    paths = {field.path for group in kind_of("judging").groups(decoded(draft.document))
             for field in group.fields}  # fmt: skip
    assert f"{AT}scored_at_least" in paths
    assert f"{AT}scored_in" not in paths
    edited = edit(draft=draft, sent={f"{AT}scored_at_least": "2"}, boxes=[], user=user, now=NOW)
    whole = decoded(edited.draft.document)
    paths = {field.path for group in kind_of("judging").groups(whole) for field in group.fields}
    assert {f"{AT}scored_in", f"{AT}scored_by", f"{AT}annotations"} <= paths
    assert offered(whole, Study.objects.all()) == {f"{AT}scored_in": ["relevant/1"]}


def test_nobody_draws_on_a_study_that_they_do_not_see(django_user_model: Any) -> None:
    made = document(scored())
    charlie = django_user_model.objects.create_user("charlie", password="a long password")
    draft = drafted(made, user=charlie)
    assert draft.document["instruments"][0]["defaults"]["documents_scored_in"] == ""
    with pytest.raises(saving.NotSaved) as refused:
        saving.save(
            draft=draft, revision=draft.revision, user=charlie, now=NOW,
            changes=[DraftChange("set", f"{AT}scored_in", "relevant/1")],
        )  # fmt: skip
    assert refused.value.path == f"{AT}scored_in"
    draft = drafted(made)  # of somebody who does
    sharing.begin(of=Corpus.objects.get(), owners=[charlie])
    with pytest.raises(HasFaults) as faulty:
        launch(draft=draft, revision=draft.revision, user=charlie, now=NOW)
    assert [fault.path for fault in faulty.value.faults] == [f"{AT}scored_in"]


def test_a_withdrawal_takes_the_reasons_along_and_leaves_the_scores() -> None:
    study = launched(document(scored(), documents_annotations="shown"))
    texts = DocumentReason.objects.filter(score__instrument__study=study)
    assert set(texts.values_list("text", flat=True)) == {
        f"{who} on {key}"
        for who in ("alice", "bob")
        for key in ("t1-p1", "t1-p2", "t2-p1", "t2-p3")
    }
    work = alice().assignments.get()
    assigning.withdraw(assignment=work, now=NOW)
    assert all(text.startswith("bob") for text in texts.values_list("text", flat=True))
    assert DocumentScore.objects.filter(instrument__study=study, score=2).count() == 4


def test_labels_that_are_taken_out_take_their_reasons_along() -> None:
    corpus = scored()
    relevant = Study.objects.get(slug="relevant")
    rater = Rater.objects.create(kind="model", name="gpt", pseudonym="gpt", model="gpt")
    for item in Item.objects.filter(study=relevant):
        Judgment.objects.create(
            rater=rater, item=item, question=relevant.questions.get(), raw="2", value="2", score=2,
            shown="", comment="It says so.", first_at=NOW, answered_at=NOW,
        )  # fmt: skip
    study = launched(document(corpus, documents_scored_by="gpt", documents_annotations="shown"))
    reasons = DocumentReason.objects.filter(score__instrument__study=study)
    assert reasons.count() == 9
    assert shown(study)["t3"] == ["t3-p1", "t3-p2", "t3-p3"]
    assert remove_labels(study=relevant, rater=rater, expected=9).labels == 9
    assert not reasons.exists()
    assert DocumentScore.objects.filter(instrument__study=study, score=2).count() == 9


def test_hidden_reasons_are_not_even_kept() -> None:
    launched(document(scored()))
    assert not DocumentReason.objects.exists()


def test_a_command_asks_for_the_same() -> None:
    scored()
    asked: dict[str, Any] = {
        "corpus": "lamps", "instrument": "documents-pairwise", "quota": 1,
        "documents_scored_at_least": 2, "documents_scored_in": "relevant/1",
    }  # fmt: skip
    output = StringIO()
    call_command("create_study", "pairs", write=True, stdout=output, **asked)
    assert ": t3." in output.getvalue()
    assert shown(Study.objects.get(slug="pairs"))["t1"] == ["t1-p1", "t1-p2"]
    with pytest.raises(CommandError, match=r"relevant/1.*\b2\b"):
        call_command("create_study", "more", **asked | {"documents_scored_at_least": 7})


def page_of(client: Any, study: Study) -> list[str]:
    """All pages of a worker who agrees."""
    work = begun(study, worker("gina"))
    pages = []
    for presentation in draw_presentations(assignment=work):
        pages.append(client.get(reverse("judging:item", args=[work.token, presentation.position])))
    assert {page.status_code for page in pages} == {200}
    return [page.content.decode() for page in pages]


@pytest.mark.parametrize("annotations", ["hidden", "shown"])
def test_people_and_models_read_the_annotations_only_where_they_are_shown(
    client: Any, annotations: str
) -> None:
    study = launched(document(scored(), documents_annotations=annotations))
    is_shown = annotations == "shown"
    pages = "".join(page_of(client, study))
    contents = [
        call.request["messages"][-1]["content"]
        for call in MachineCall.objects.filter(judge=prepared(study, "{texts}"))
    ]
    assert len(contents) == 4  # two pairs in both orders
    for said in (pages, "".join(contents)):
        assert "Light 2 of t1." in said
        assert "Light 3 of t1." not in said
        for words in ("bob on t1-p2", "alice on t2-p1", "2 (Very relevant)", "Rated by others:"):
            assert (words in said) is is_shown


def test_one_method_that_hides_them_hides_them_on_a_page_of_several(client: Any) -> None:
    made = document(scored(), documents_annotations="shown")
    (one,) = made.instruments
    other = {**one, "name": "other", "defaults": {**one["defaults"]}}
    other["defaults"]["documents_annotations"] = "hidden"
    design = msgspec.structs.replace(made.design, one_page=True)
    both = msgspec.structs.replace(made, instruments=[one, other], design=design)
    study = launched(both)
    pages = "".join(page_of(client, study))
    calls = MachineCall.objects.filter(judge=prepared(study, "{texts}"))
    assert {call.instrument.key for call in calls} == {one["name"], "other"}
    text = "".join(call.request["messages"][-1]["content"] for call in calls)
    told = preview(study=study, prompt=calls[0].judge.prompt, at_once=True, structured=False)
    assert told is not None
    for said in (pages, text):  # a model of either method reads what the page of both shows
        assert "Light 2 of t1." in said
        assert "Rated by others:" not in said
    assert "Rated by others:" not in str(told.messages)


def test_on_pages_of_their_own_each_method_shows_people_and_models_its_own(client: Any) -> None:
    made = document(scored(), documents_annotations="shown")
    (one,) = made.instruments
    other = {**one, "name": "other", "defaults": {**one["defaults"]}}
    other["defaults"]["documents_annotations"] = "hidden"
    study = launched(msgspec.structs.replace(made, instruments=[one, other]))
    assert {"Rated by others:" in page for page in page_of(client, study)} == {True, False}
    calls = MachineCall.objects.filter(judge=prepared(study, "{texts}"))
    by_method = {(call.instrument.key, "Rated by others:" in str(call.request)) for call in calls}
    assert by_method == {(one["name"], True), ("other", False)}


def prepared(study: Study, shown: str) -> MachineJudge:
    judge = machine(study)
    prompt = setting_up.save_prompt(
        study=study, key="own", system="", user=f"{shown} {{questions}}", by=None, now=NOW
    )
    MachineJudge.objects.filter(pk=judge.pk).update(prompt=prompt)
    judge.refresh_from_db()
    prepare(judge=judge)
    return judge


def test_annotations_are_a_variable_of_the_prompt_where_they_are_shown() -> None:
    corpus = scored()
    shown = launched(document(corpus, documents_annotations="shown"))
    call = MachineCall.objects.filter(judge=prepared(shown, "{a} {b} {annotations}")).first()
    assert call is not None
    content = call.request["messages"][-1]["content"]
    assert (
        "### Document 1\n\nRated by others: 2 (Very relevant)\n- alice on t1-p1\n- bob" in content
    )
    assert "Light 1 of t1." not in content
    made = msgspec.structs.replace(document(corpus), slug="hidden")
    with raises(BadPrompt, "unknown_variable"):
        prepared(launched(made), "{a} {b} {annotations}")


def test_a_withdrawn_reason_leaves_the_prompts_too() -> None:
    study = launched(document(scored(), documents_annotations="shown"))
    judge = prepared(study, "{texts}")
    calls = MachineCall.objects.filter(judge=judge)
    calls.filter(item__topic__key="t1").update(
        state="answered", parsed={}, raw="alice on t1-p1 is right"
    )
    assigning.withdraw(assignment=alice().assignments.get(), now=NOW)
    assert {call.raw for call in calls} == {""}
    assert "alice" not in str([call.request for call in calls])
    assert prepare(judge=judge) == 2  # what was not asked yet is asked without her reasons
    assert "alice" not in str([call.request for call in calls.all()])


scores = st.dictionaries(
    st.tuples(st.integers(1, 4), st.integers(1, 5)), st.none() | st.integers(-1, 3), max_size=20
)


@given(scores=scores, least=st.integers(-1, 3), depth=st.none() | st.integers(1, 3))
def test_all_and_only_the_best_that_reach_it_are_in_view(
    scores: dict[tuple[int, int], int | None], least: int, depth: int | None
) -> None:
    passages = [
        DesignText(id=topic * 10 + rank, topic=topic, words=1, rank=rank, score=score)
        for (topic, rank), score in scores.items()
    ]
    responses = [
        DesignText(id=100 + 2 * t + n, topic=t, words=1) for t in (1, 2, 3, 4) for n in (0, 1)
    ]
    wanted = DesignParameters(
        seed=1, kind="pair_documents", depth=depth, items_per_questionnaire=1,
        documents_scored_at_least=least,
    )  # fmt: skip
    reach = {
        topic: [t.id for t in sorted(passages, key=lambda t: t.rank)
                if t.topic == topic and t.score is not None and t.score >= least][:depth]
        for topic in (1, 2, 3, 4)
    }  # fmt: skip
    material = {Holds.RESPONSE: responses, Holds.PASSAGE: passages}
    if not any(reach.values()):
        with raises(CannotDesign, "nothing_to_judge"):
            design(material=material, parameters=wanted)
        return
    made = design(material=material, parameters=wanted)
    assert {item.topic: list(item.contents[2:]) for item in made.items} == {
        topic: ids for topic, ids in reach.items() if ids
    }
    assert set(made.left_out) == {topic for topic, ids in reach.items() if not ids}
