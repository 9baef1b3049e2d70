"""Numbers of a document that nothing can be computed with, sent by a program at any place."""

import json
from copy import deepcopy

import pytest

from annotation.studies.drafts import document_files, making, saving
from annotation.studies.drafts.changes import DraftChange
from annotation.studies.drafts.kinds import computable, decoded, kind_of
from annotation.studies.drafts.launching import launch
from annotation.studies.drafts.making import document_of_methods
from annotation.studies.drafts.paths import joined, names, put
from annotation.studies.drafts.plain_data import LARGEST, BadDocument, plain
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW, rita, small_corpus
from tests.coded_errors import raises

pytestmark = pytest.mark.django_db
# null, or a number
NOT_SAID = {"budget", "topics", "accepted", "depth", "games_per_topic", "min", "max", "score"}
AMOUNTS = ["NaN", "sNaN", "Infinity", "-Infinity", "1e400", "1e-400", "9" * 30]
ODD = [*AMOUNTS, float("nan"), float("inf"), 1e308, 1e-308, 10**400, -(10**400), LARGEST + 2]
PAGES = ("", "check/", "plan/", "plan/certainty/", "launch/", "recruitment/", "document.json")


def document_of(kind):
    if kind == "judging":
        return plain(judging_document(method="crowdrag-pointwise"))
    method = kind_of("writing").load("crowdrag-writing")
    corpus = small_corpus(responses=3)
    made = document_of_methods(kind="writing", instruments=[method], title="W", corpus=corpus)
    return plain(made)


def numbers_in(value, path=()):
    """Return the path of every number, and of what may be one."""
    if isinstance(value, dict):
        for name, each in value.items():
            yield from numbers_in(each, (*path, name))
    elif isinstance(value, list):
        for name, each in zip(names(value), value, strict=True):
            yield from numbers_in(each, (*path, name))
    elif (isinstance(value, int | float) and not isinstance(value, bool)) or (
        path[-1] in {*NOT_SAID, "pay", "hourly_wage", "reward"}
    ):
        yield joined(*path)


@pytest.mark.parametrize("kind", ["judging", "writing"])
def test_no_place_takes_a_number_that_cannot_be_computed_with(kind):
    document = document_of(kind)
    places = list(numbers_in(document))
    assert len(places) > 15
    for place in places:
        for odd in ODD:
            changed = deepcopy(document)
            put(changed, place, odd)
            with pytest.raises(BadDocument):
                computable(decoded(changed))


@pytest.mark.parametrize("kind", ["judging", "writing"])
@pytest.mark.parametrize("number", [0, -1, LARGEST])
def test_every_page_of_a_draft_answers_whatever_numbers_it_has(client, kind, number):
    """All places that take it have it at once; and those of money alone, with all else in order."""
    researcher = rita()
    client.force_login(researcher)
    money = {"recruitment/pay", "recruitment/budget", "recruitment/hourly_wage"}
    document = document_of(kind)
    for only in (None, {*money, "recruitment/tasks_per_worker", "design/seed"}):
        draft = drafted(decoded(deepcopy(document)), user=researcher)
        for place in numbers_in(draft.document):
            if only is None or place in only:
                change = DraftChange("set", place, str(number) if place in money else number)
                try:
                    saving.save(
                        draft=draft,
                        revision=draft.revision,
                        changes=[change],
                        user=researcher,
                        now=NOW,
                    )
                except saving.NotSaved:
                    continue
                draft.refresh_from_db()
        for page in PAGES:
            answer = client.get(f"/drafts/{draft.pk}/{page}", follow=True)
            assert answer.status_code < 500, page
        assert client.get("/").status_code == 200


SCORE = "instruments/crowdrag-pointwise/scales/answered/options/-1/score"
KEPT = {
    "design/seed": 10**25,
    "recruitment/tasks_per_worker": 10**25,
    "recruitment/pay": "NaN",
    SCORE: 5.55e-17,
}


@pytest.mark.parametrize("place", KEPT)
def test_a_draft_that_was_kept_with_one_opens_and_can_be_mended(client, place):
    researcher = rita()
    client.force_login(researcher)
    draft = drafted(judging_document(method="crowdrag-pointwise"), user=researcher)
    put(draft.document, place, KEPT[place])
    draft.save()
    assert client.get("/").status_code == 200
    for page in PAGES:
        answer = client.get(f"/drafts/{draft.pk}/{page}", follow=True)
        assert answer.status_code == 200, page
    # Another place can be changed, and this one; back to what it was it cannot.
    for where, value in (("title", "Lamps"), (place, "2" if place.endswith("pay") else 2)):
        change = DraftChange("set", where, value)
        draft = saving.save(
            draft=draft, revision=draft.revision, changes=[change], user=researcher, now=NOW
        )
    change = DraftChange("set", place, KEPT[place])
    with pytest.raises(saving.NotSaved) as refused:
        saving.save(
            draft=draft, revision=draft.revision, changes=[change], user=researcher, now=NOW
        )
    assert refused.value.__cause__.code == "odd_number"


def test_a_study_that_was_launched_with_one_says_what_it_was_made_from():
    draft = drafted()
    study = launch(draft=draft, revision=draft.revision, user=rita(), now=NOW)
    draft.refresh_from_db()
    put(draft.document, "design/seed", 10**25)
    draft.save()
    assert making.document_of(study).design.seed == 10**25


@pytest.mark.parametrize("odd", [10**25, 5.55e-17])
def test_no_file_brings_one(odd):
    document = document_of("judging")
    put(document, SCORE, odd)
    with raises(BadDocument, "odd_number"):
        document_files.read(json.dumps(document).encode())
    alone = document["instruments"][0]
    with raises(BadDocument, "odd_number"):
        document_files.read(json.dumps(alone).encode())


@pytest.mark.parametrize("odd", AMOUNTS)
def test_the_api_says_why_it_does_not_take_one(client, odd):
    client.force_login(rita())
    document = document_of("judging")
    document["recruitment"]["budget"] = odd
    body = json.dumps({"kind": "judging", "document": document})
    answer = client.post("/api/drafts/", body, content_type="application/json")
    assert (answer.status_code, b"number" in answer.content) == (400, True)
