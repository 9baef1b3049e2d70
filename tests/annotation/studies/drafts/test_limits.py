"""A document has limits of length and size, and many changes cost little."""

import time
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotation.console.builder import editing
from annotation.models import Draft, Study
from annotation.studies.drafts import launching, making, saving
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.kinds import computable, decoded
from annotation.studies.drafts.plain_data import (
    MAX_BYTES,
    MAX_TEXT_LENGTH,
    MAX_TITLE_LENGTH,
    BadDocument,
    plain,
    require_short,
    require_small,
)
from annotation.studies.drafts.workload import outline_or_why
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW, rita

pytestmark = pytest.mark.django_db
QUESTION = "instruments/crowdrag-pairwise/questions/coverage_broad"


def save(draft: Draft, *changes: DraftChange) -> Draft:
    return saving.save(draft=draft, revision=draft.revision, changes=changes, user=None, now=NOW)


@pytest.mark.parametrize(
    ("path", "length"),
    [
        ("title", MAX_TITLE_LENGTH + 1),
        (f"{QUESTION}/text", MAX_TEXT_LENGTH + 1),
        ("contact", 900_000),
    ],
)
def test_a_text_that_is_too_long_is_refused_at_its_place(path, length):
    draft = drafted()
    with pytest.raises(saving.NotSaved) as refused:
        save(draft, DraftChange("set", path, "x" * length))
    assert refused.value.path == path
    assert save(draft, DraftChange("set", path, "x" * MAX_TITLE_LENGTH)).revision == 1


def test_a_document_with_a_long_title_is_no_draft():
    data = plain(judging_document())
    data["title"] = "x" * 900_000
    with pytest.raises(BadDocument):
        making.make_draft(document=decoded(data), user=None, now=NOW)


def test_a_document_that_is_too_large_is_refused_and_one_that_was_may_shrink():
    text = "x" * MAX_TEXT_LENGTH
    document = plain(judging_document())
    large = {**document, "more": [text] * (MAX_BYTES // MAX_TEXT_LENGTH + 1)}
    require_short(large)
    with pytest.raises(BadDocument):
        require_small(large)
    saving._require_document(document, before=large)


def test_of_many_changes_the_wrong_one_is_named():
    draft = drafted()
    good = [DraftChange("set", "title", f"Lamps {number}") for number in range(200)]
    wrong = DraftChange("set", "recruitment/pay", "much")
    for place in (0, 1, 99, 200):
        with pytest.raises(saving.NotSaved) as refused:
            save(draft, *good[:place], wrong, *good[place:])
        assert refused.value.path == "recruitment/pay"
    assert save(draft, *good).title == "Lamps 199"


def test_many_changes_are_checked_once():
    """Ten thousand took 4.7 seconds: the document was checked after each."""
    draft = drafted()
    changes = [DraftChange("set", "title", f"Lamps {number}") for number in range(2_000)]
    begun = time.process_time()
    save(draft, *changes)
    assert time.process_time() - begun < 0.5


def test_a_form_whose_every_field_is_wrong_costs_little():
    """Each refusal was found by saving all others again."""
    owner = rita()
    draft = drafted(user=owner)
    client = Client()
    client.force_login(owner)
    places = {f"{QUESTION}/text#{number}": "x" for number in range(900)}
    wrong = dict.fromkeys(
        ("title", "contact", f"{QUESTION}/text", f"{QUESTION}/help"), "x" * (MAX_TEXT_LENGTH + 1)
    )
    begun = time.process_time()
    answer = client.post(
        reverse("draft_section", args=[draft.pk, "instructions"]),
        {"revision": 0, **places, **wrong},
    )
    assert answer.status_code == 422
    assert time.process_time() - begun < 5
    draft.refresh_from_db()
    assert draft.revision == 0


def test_fields_beyond_the_refused_ones_are_kept_as_typed(monkeypatch):
    monkeypatch.setattr(editing, "MAX_REFUSED", 1)
    draft = drafted()
    sent = {"title": "x" * 500, "contact": "y" * 60_000, "revision": "0"}
    edited = editing.edit(draft=draft, sent=sent, boxes=[], user=rita(), now=NOW)
    assert set(edited.faults) >= {"title", "contact"}
    assert edited.kept["title"] == sent["title"]
    assert edited.kept["contact"] == sent["contact"]


def figures(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths of all numbers of a document, and of those that can be left out."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from figures(part, (*path, name))
    elif isinstance(value, list):
        for index, part in enumerate(value[:3]):
            yield from figures(part, (*path, index))
    elif value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        yield path


@pytest.mark.parametrize("method", ["crowdrag-pairwise", "best-worst", "documents-pairwise"])
def test_no_figure_of_a_draft_makes_its_outline_costly(method):
    """Ten million blocks for each text took 2 s, a million million all memory."""
    draft = drafted(method=method, responses=6, topics=3)
    for path in figures(draft.document):
        for figure in (10**4, 10**7, 10**12):
            document = deepcopy(draft.document)
            place = document
            for part in path[:-1]:
                place = place[part]
            place[path[-1]] = figure
            try:
                whole = computable(decoded(document))
            except BadDocument:
                continue
            begun = time.process_time()
            outline_or_why(whole, draft.corpus)
            assert time.process_time() - begun < 1, (path, figure)


def test_a_study_of_a_million_places_is_not_launched():
    owner = rita()
    draft = drafted(user=owner)
    quota = f"instruments/{draft.document['instruments'][0]['name']}/defaults/quota"
    draft = save(draft, DraftChange("set", quota, 1_000_000))
    begun = time.process_time()
    with pytest.raises(launching.HasFaults) as refused:
        launching.launch(draft=draft, revision=draft.revision, user=owner, now=NOW)
    assert [fault.path for fault in refused.value.faults] == ["design"]
    assert time.process_time() - begun < 1
    assert not Study.every.exists()
