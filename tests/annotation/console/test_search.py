"""The search at the top: what it finds, for whom, and with how many queries."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.console.search import found
from annotation.corpora.systems import writer_of
from annotation.models import Role
from tests.annotation.people.access.people import join, somebody
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import begun, bob, handed_in, rita, small_study
from tests.config.askers import client_of

pytestmark = pytest.mark.django_db


def hits(user, words):
    return {group.title: [hit.name for hit in group.hits] for group in found(user, words)}


def test_it_finds_studies_workers_topics_texts_and_drafts_by_name():
    study, user = small_study(), rita()
    work = handed_in(begun(study, bob()))
    topic, text = study.corpus.topics.first(), study.corpus.responses.first()
    assert hits(user, "LAMPS")["Studies"] == ["Lamps"]
    assert hits(user, work.worker.pseudonym)["Participants"] == [work.worker.pseudonym]
    assert topic.query in hits(user, " ".join(reversed(topic.query.split())))["Topics"]
    assert hits(user, text.key)["Texts"] == [f"{writer_of(text)}: {text.topic.query}"]
    assert hits(user, "nothing at all") == {}
    assert hits(user, " ") == {}


def test_every_hit_leads_to_a_page():
    study, user = small_study(), rita()
    drafted_words = str(study)
    work = handed_in(begun(study, bob()))
    client = client_of(user)
    for words in (drafted_words, work.worker.pseudonym, study.corpus.responses.first().key):
        for group in found(user, words):
            for hit in group.hits:
                assert client.get(hit.address).status_code == 200, hit


def test_a_draft_is_found_by_its_title():
    drafted(judging_document())
    assert hits(rita(), "compared")["Studies"] == ["Lamps compared"]


def test_a_draft_is_called_one_beside_its_kind():
    drafted(judging_document())
    (studies,) = [each for each in found(rita(), "compared") if each.title == "Studies"]
    assert [hit.what for hit in studies.hits] == ["Judging, draft"]


def test_nobody_finds_what_is_not_theirs():
    study, member, stranger = small_study(), somebody(), somebody("else")
    work = handed_in(begun(study, bob()))
    join(member, study, Role.VIEWER)
    for words in ("lamps", work.worker.pseudonym):
        assert hits(member, words)
        assert hits(stranger, words) == {}
    assert hits(member, study.corpus.responses.first().key) == {}  # the corpus is not theirs


def test_it_asks_once_for_each_kind_of_thing_and_keeps_the_words():
    study = small_study()
    handed_in(begun(study, bob()))
    client = client_of(rita())
    with CaptureQueriesContext(connection) as asked:
        page = client.get("/search/?q=lamp").text
    assert len(asked) <= 8
    assert 'value="lamp"' in page
    assert client.get("/search/?q=%00").status_code == 400
