"""Two people in one draft: what each wrote stays."""

import threading

import pytest
from django.contrib.auth.models import User
from django.db import connection

from annotation import tasks
from annotation.models import Draft, DraftRevision
from annotation.studies.drafts import making, paths, saving, undoing
from annotation.studies.drafts.changes import DraftChange
from tests.annotation.studies.drafts.drafted import drafted
from tests.cast import NOW, rita
from tests.refusals import refused

pytestmark = pytest.mark.django_db
QUESTION = "instruments/crowdrag-pairwise/questions/coverage_broad"


def bea() -> User:
    return User.objects.create_user("bea")


def put(draft: Draft, path: str, value: object, user: User | None, revision: int = 0) -> Draft:
    return saving.save(
        draft=draft,
        revision=revision,
        changes=[DraftChange("set", path, value)],
        user=user,
        now=NOW,
    )


def test_people_who_edit_different_fields_merge() -> None:
    draft = drafted()
    put(draft, "title", "Which lamp?", rita())
    saved = put(draft, f"{QUESTION}/text", "Which text has more sides?", bea())
    assert saved.revision == 2
    assert saved.document["title"] == saved.title == "Which lamp?"
    assert paths.get(saved.document, f"{QUESTION}/text") == "Which text has more sides?"


def test_the_same_field_is_refused_with_both_texts() -> None:
    draft = drafted()
    put(draft, "title", "Which lamp?", rita())
    with pytest.raises(saving.Conflict) as refused:
        put(draft, "title", "Which light?", bea())
    assert (refused.value.mine, refused.value.theirs) == ("Which light?", "Which lamp?")
    assert refused.value.who == "rita"
    assert put(draft, "title", "Which light?", bea_again(), revision=1).title == "Which light?"


def bea_again() -> User:
    return User.objects.get(username="bea") if User.objects.filter(username="bea") else bea()


def test_the_same_words_are_no_conflict() -> None:
    draft = drafted()
    put(draft, "title", "Which lamp?", rita())
    assert put(draft, "title", "Which lamp?", None).revision == 1


def test_what_somebody_writes_in_is_not_removed_unseen() -> None:
    draft = drafted()
    put(draft, f"{QUESTION}/text", "Which text has more sides?", rita())
    with pytest.raises(saving.Conflict):
        saving.save(
            draft=draft, revision=0, changes=[DraftChange("remove", QUESTION)], user=None, now=NOW
        )


def test_words_for_a_removed_question_are_given_back() -> None:
    draft = drafted()
    saving.save(
        draft=draft, revision=0, changes=[DraftChange("remove", QUESTION)], user=rita(), now=NOW
    )
    with pytest.raises(saving.Conflict) as refused:
        put(draft, f"{QUESTION}/text", "Which text has more sides?", None)
    assert refused.value.theirs is None
    assert refused.value.who == "rita"


def test_a_move_disturbs_nobody() -> None:
    draft = drafted()
    move = DraftChange("move", QUESTION, position=0)
    saving.save(draft=draft, revision=0, changes=[move], user=rita(), now=NOW)
    saved = put(draft, f"{QUESTION}/text", "Which text has more sides?", None)
    first = saved.document["instruments"][0]["questions"][0]
    assert (first["key"], first["text"]) == ("coverage_broad", "Which text has more sides?")


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("recruitment/pay", "much"),
        ("design/topics", "four"),
        ("kind", "drawing"),
        ("title", None),
        ("title", "a\x00b"),
        ("instruments/crowdrag-pairwise/defaults/quota", 2.5),
        ("instruments", [{}]),
        ("nowhere", 1),
    ],
)
def test_what_is_no_value_is_refused(path: str, value: object) -> None:
    draft = drafted()
    with pytest.raises(saving.NotSaved):
        put(draft, path, value, None)
    draft.refresh_from_db()
    assert draft.revision == 0


def test_every_earlier_state_can_be_seen() -> None:
    draft = drafted()
    states = [draft.document]
    for number, title in enumerate(["a", "b", "c"]):
        draft = put(draft, "title", title, None, revision=number)
        states.append(draft.document)
    assert [saving.document_at(draft, number) for number in range(4)] == states


def test_each_undoes_their_own() -> None:
    draft, one, other = drafted(), rita(), bea()
    first = draft.document
    put(draft, "title", "Rita's", one)
    put(draft, "contact", "Bea, bea@example.org", other, revision=1)
    put(draft, "title", "Rita's second", one, revision=2)
    draft = undoing.undo(draft=draft, user=one, now=NOW)
    assert (draft.title, draft.document["contact"]) == ("Rita's", "Bea, bea@example.org")
    draft = undoing.undo(draft=draft, user=one, now=NOW)
    assert draft.title == first["title"]
    with refused("NothingToUndo"):
        undoing.undo(draft=draft, user=one, now=NOW)
    draft = undoing.redo(draft=draft, user=one, now=NOW)
    draft = undoing.redo(draft=draft, user=one, now=NOW)
    assert draft.title == "Rita's second"
    assert draft.revisions.count() == draft.revision == 7
    draft = undoing.undo(draft=draft, user=other, now=NOW)
    assert draft.document["contact"] == first["contact"]


def test_undo_takes_no_words_of_another_person() -> None:
    draft, one, other = drafted(), rita(), bea()
    put(draft, "title", "Rita's", one)
    put(draft, "title", "Bea's", other, revision=1)
    with pytest.raises(saving.Conflict):
        undoing.undo(draft=draft, user=one, now=NOW)
    assert Draft.objects.get().title == "Bea's"


def test_a_removed_question_comes_back_to_its_place() -> None:
    draft, one = drafted(), rita()
    before = draft.document
    saving.save(
        draft=draft, revision=0, changes=[DraftChange("remove", QUESTION)], user=one, now=NOW
    )
    assert undoing.undo(draft=draft, user=one, now=NOW).document == before


def test_a_deleted_draft_takes_no_changes_and_comes_back_for_a_day() -> None:
    draft = drafted()
    making.delete(draft=draft, user=None, now=NOW)
    with pytest.raises(saving.DraftClosed):
        put(draft, "title", "Which lamp?", None)
    assert making.forget_deleted(now=NOW + making.KEPT / 2) == 0
    assert making.restore(draft=draft, user=None, now=NOW + making.KEPT / 2)
    making.delete(draft=draft, user=None, now=NOW)
    assert not making.restore(draft=draft, user=None, now=NOW + making.KEPT)
    tasks.clear()
    assert not Draft.objects.exists()


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_savings_at_once_are_all_kept() -> None:
    draft = drafted()
    fields = ["title", "contact", "recruitment/currency", "recruitment/completion_code"]

    def save(path: str) -> None:
        put(draft, path, "ABC", None)
        connection.close()

    threads = [threading.Thread(target=save, args=[path]) for path in fields]
    for each in threads:
        each.start()
    for thread in threads:
        thread.join()
    draft.refresh_from_db()
    assert [paths.get(draft.document, path) for path in fields] == ["ABC"] * 4
    assert list(DraftRevision.objects.values_list("number", flat=True)) == [1, 2, 3, 4]
