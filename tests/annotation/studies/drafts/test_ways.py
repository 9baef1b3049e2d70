"""What people read of ids and pay, and the fields of the editor, follow the way they come."""

import re
from decimal import Decimal
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client

from annotation.console.builder import editing
from annotation.console.builder.study_form import study_groups
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.placeholders import filled
from annotation.models import Study
from annotation.studies.consent_texts import EARLIER, KNOWN_BY, PLATFORM, for_platform, with_pay
from annotation.studies.drafts.kinds import decoded, registered_kinds
from tests.annotation.studies.drafts.drafted import drafted, judging_document
from tests.cast import NOW, answer_all, bob, rita, small_corpus, small_study
from tests.hooks import elements, values

pytestmark = pytest.mark.django_db
CONSENT = "instruments/crowdrag-pairwise/consent"
LINK = "link"


def consent(draft):
    return draft.document["instruments"][0]["consent"]


def edited(draft, **typed):
    sent = {"revision": str(draft.revision), **typed}
    user = User.objects.filter(username="rita").first() or rita()
    return editing.edit(draft=draft, sent=sent, boxes=[], user=user, now=NOW).draft


def paths_of(draft):
    groups = study_groups(decoded(draft.document), [])
    return {field.path for group in groups for field in group.fields}


@pytest.mark.parametrize("language", sorted(KNOWN_BY))
def test_each_method_says_it_in_words_that_can_follow(language):
    for kind in registered_kinds().values():
        for name in kind.available():
            text = kind.load(name, language).consent
            assert text.count(KNOWN_BY[language][PLATFORM]) == 1, name
            assert not re.search("platform|Plattform", for_platform(text, LINK)), name


def test_every_way_has_its_words_and_leads_back_to_the_others():
    for said in KNOWN_BY.values():
        for first in said.values():
            for way in (LINK, "prolific", "upwork", "invitation"):
                assert for_platform(f"Before. {first} After.", way) == (
                    f"Before. {said.get(way, said[PLATFORM])} After."
                )
    assert for_platform("In our own words.", LINK) == "In our own words."


@pytest.mark.parametrize("language", sorted(KNOWN_BY))
def test_a_study_that_pays_says_what_it_pays_where_the_words_leave_it_open(language):
    text = KNOWN_BY[language][LINK]
    paying = Study(pay=Decimal("3.00"), currency="USD", minutes=10)
    assert "{pay}" in with_pay(text)
    assert "3.00" in filled(text, paying)
    assert filled(text, Study(pay=0, currency="USD", minutes=10)) == text


def test_a_text_of_before_is_known_follows_and_stays_where_it_is_launched():
    paying = Study(pay=Decimal("3.00"), currency="USD", minutes=10)
    for language, texts in EARLIER.items():
        for before in texts:
            assert for_platform(before, LINK) == KNOWN_BY[language][LINK]
            assert for_platform(before, "prolific") == KNOWN_BY[language][PLATFORM]
            assert ("3.00" in filled(before, paying)) == ("code" in before.lower())
    for text in (*EARLIER["en"][:2], KNOWN_BY["en"][LINK]):
        assert "3.00 USD" in filled(text, paying)


def test_a_draft_of_before_comes_in_another_language_with_its_consent():
    draft = drafted(judging_document())
    before = consent(draft).replace(KNOWN_BY["en"][LINK], EARLIER["en"][0])
    draft = edited(draft, **{CONSENT: before})
    draft = edited(draft, language="de")
    assert KNOWN_BY["de"][LINK] in consent(draft)
    german = registered_kinds()["judging"].load("crowdrag-pairwise", "de").consent
    assert consent(draft) == for_platform(german, LINK)


def test_what_is_paid_is_said_once_beside_the_figures():
    study = small_study(pay=2, responses=3)
    Study.objects.update(consent=KNOWN_BY["en"][LINK])
    page = Client().get(study.public_path).text
    assert filled(KNOWN_BY["en"][LINK], Study.objects.get()).rpartition(". ")[2] in page
    assert not elements(page, "data-paid-for")


def test_a_draft_begins_with_the_words_of_a_plain_link_and_they_follow_the_platform():
    draft = drafted(judging_document())
    assert KNOWN_BY["en"][LINK] in consent(draft)
    before = draft.document
    draft = edited(draft, **{"recruitment/platform": "prolific"})
    assert KNOWN_BY["en"][PLATFORM] in consent(draft)
    draft = edited(draft, language="de", **{"recruitment/platform": "invitation"})
    assert KNOWN_BY["de"]["invitation"] in consent(draft)
    draft = edited(draft, language="en", **{"recruitment/platform": "link"})
    assert draft.document == before


def test_what_somebody_wrote_themselves_stays_but_for_that_sentence():
    draft = drafted(judging_document())
    mine = f"We are kind. {KNOWN_BY['en'][LINK]} We are short."
    draft = edited(draft, **{CONSENT: mine})
    draft = edited(draft, **{"recruitment/platform": "prolific"})
    assert consent(draft) == f"We are kind. {KNOWN_BY['en'][PLATFORM]} We are short."
    draft = edited(draft, **{CONSENT: "We know nobody."})
    assert consent(edited(draft, **{"recruitment/platform": "link"})) == "We know nobody."


def test_fields_for_prolific_are_there_for_prolific_or_to_be_taken_back():
    draft = drafted(judging_document())
    prolific = {"recruitment/no_consent_code", "recruitment/signed_links"}
    assert not paths_of(draft) & (prolific | {"retention/demographics_until"})
    draft = edited(draft, **{"recruitment/platform": "prolific"})
    assert paths_of(draft) >= prolific | {"retention/demographics_until"}
    draft = edited(draft, **{"recruitment/no_consent_code": "NO"})
    draft = edited(draft, **{"recruitment/platform": "link"})
    assert paths_of(draft) & prolific == {"recruitment/no_consent_code"}


def test_a_study_by_command_says_it_too():
    small_corpus(responses=3)
    given = ["lamps", "--corpus", "lamps", "--instrument", "crowdrag-pairwise", "--write"]
    call_command("create_study", *given, "--reversed", "0", stdout=StringIO())
    assert KNOWN_BY["en"][LINK] in Study.objects.get().consent


@pytest.mark.parametrize(
    ("recruitment", "pay", "before", "after"),
    [
        ("link", 2, ["code"], "payment"),
        ("link", 0, [], "record"),
        ("invitation", 2, ["link"], "link"),
        ("prolific", 2, [], "prolific"),
    ],
)
def test_people_read_how_they_are_paid(recruitment, pay, before, after):
    study = small_study(recruitment=recruitment, pay=pay, completion_code="", responses=3)
    place = assigning.claim(study=study, worker=bob(), now=NOW)
    page = Client().get(f"/w/{place.token}/").content.decode()
    assert values(page, "data-paid-for") == before
    assignment = assigning.begin(assignment=place, now=NOW)
    answer_all(assignment)
    assigning.submit(assignment=assignment, now=NOW)
    done = Client().get(f"/w/{assignment.token}/done/").text
    assert values(done, "data-code-for") == [after]
