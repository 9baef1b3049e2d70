"""A draft that gets another language takes the texts of its methods along, and nobody's own."""

import pytest

from annotation.console.builder import editing
from annotation.studies.drafts import making, paths
from annotation.studies.drafts.method_texts import translated_texts
from judging.instruments.files import load
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW, rita

pytestmark = pytest.mark.django_db
METHOD = "instruments/crowdrag-pairwise"
QUESTION = f"{METHOD}/questions/coverage_broad/text"


@pytest.fixture(name="user")
def _user():
    return rita()


def edited(draft, user, **typed):
    sent = {"revision": str(draft.revision), **typed}
    return editing.edit(draft=draft, sent=sent, boxes=[], user=user, now=NOW).draft


def test_language_of_a_draft_takes_its_method_along_and_back(user):
    draft = drafted(judging_document())
    before = draft.document
    german = edited(draft, user, language="de").document
    assert paths.get(german, QUESTION).startswith("Welcher Text")
    assert german["instruments"][0]["consent"].startswith("### Bevor Sie beginnen")
    assert list(translated_texts(german, language="de")) == []
    draft.refresh_from_db()
    assert edited(draft, user, language="en").document == before


def test_what_somebody_wrote_stays(user):
    draft = edited(drafted(judging_document()), user, **{QUESTION: "Which is broader?"})
    german = edited(draft, user, language="de", title="Lampen").document
    assert paths.get(german, QUESTION) == "Which is broader?"
    assert paths.get(german, f"{METHOD}/title").startswith("CrowdRAG: zwei Texte")


def test_method_is_taken_in_the_language_of_the_study(user):
    document = making.document_of_methods(
        kind="judging", instruments=[load("nuggets", "de")], corpus=None, language="de"
    )
    draft = making.make_draft(document=document, user=user, now=NOW)
    more = edited(draft, user, do="method retrieval-relevance").document
    assert more["language"] == "de"
    assert more["instruments"][1]["title"] == load("retrieval-relevance", "de").title
