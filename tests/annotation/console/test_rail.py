"""The rail of places, the design of a launched study, and the page of its files."""

import re

import msgspec
import pytest
from django.urls import reverse

from annotation.console import rail
from annotation.models import Membership, Role
from annotation.studies.drafts import making
from annotation.studies.drafts.kinds import kind_of
from tests.annotation.studies.drafts.drafted import drafted
from tests.cast import rita, small_study, writing_study
from tests.config.askers import client_of

pytestmark = pytest.mark.django_db
KINDS = {"judging": small_study, "writing": lambda: writing_study(topics=2)}


def links(html):
    """Return the places of the rail.

    Title -> address, or "" where it is none; and which is marked.
    """
    nav = html[html.index('class="places') :]
    nav = nav[: nav.index("</nav>")]
    found = {title: at for at, title in re.findall(r'<a href="([^"]+)"[^>]*>([^<]+)</a>', nav)}
    muted = re.findall(r"<span title=[^>]+>([^<]+)<", nav)
    current = re.findall(r'aria-current="(\w+)">([^<]+)<', nav)
    return found | dict.fromkeys(muted, ""), current


@pytest.mark.parametrize("kind", KINDS)
def test_every_page_of_a_study_shows_the_places_and_which_one_it_is_in(kind):
    study, client = KINDS[kind](), client_of(rita())
    places, _ = links(client.get(study.get_absolute_url()).text)
    assert list(places) == ["Overview", "Design", "Recruit", "Review", "Results", "Export"]
    for title, address in places.items():
        response = client.get(address)
        assert response.status_code == 200, title
        assert links(response.text)[1] == [("page", title)]
    changes = reverse("study_design_section", args=[study.slug, study.version, "changes"])
    assert links(client.get(changes).text)[1] == [("true", "Design")]


def test_a_draft_shows_the_same_places_and_says_of_which_it_has_none_yet():
    user = rita()
    draft = drafted(user=user)
    places, current = links(client_of(user).get(draft.get_absolute_url(), follow=True).text)
    assert set(places) == {"Overview", "Design", "Recruit", "Review", "Results", "Export"}
    assert [title for title, address in places.items() if address] == ["Design"]
    assert current == [("true", "Design")]


def test_who_may_not_download_is_not_led_to_the_files(django_user_model):
    study = small_study()
    viewer = django_user_model.objects.create_user("vera")
    Membership.objects.create(team=study.team, user=viewer, role=Role.VIEWER)
    places, _ = links(client_of(viewer).get(study.get_absolute_url()).text)
    assert "Export" not in places


def test_the_rail_asks_no_database(django_assert_num_queries):
    study = small_study()
    study.role = Role.OWNER
    with django_assert_num_queries(0):
        assert len(list(rail.of_study(study, "study"))) == len(rail.PLACES)


@pytest.mark.parametrize("kind", KINDS)
def test_the_design_of_a_launched_study_is_shown_and_cannot_be_changed(kind):
    study, client = KINDS[kind](), client_of(rita())
    address = reverse("study_design_section", args=[study.slug, study.version, "instructions"])
    page = client.get(address).text
    work = page[page.index('class="draft"') : page.index("<aside")]
    assert "Instructions" in work
    assert "<input" not in work
    assert "<textarea" not in work
    missing = reverse("study_design_section", args=[study.slug, study.version, "nothing"])
    assert client.get(missing).status_code == 404


def test_a_new_version_says_what_it_changed():
    first = small_study()
    changed = msgspec.structs.replace(making.document_of(first), title="More lamps")
    second = kind_of(first.kind).write(
        document=changed, corpus=first.corpus, user=None, new_version=True
    )
    page = client_of(rita()).get(
        reverse("study_design_section", args=[second.slug, second.version, "changes"])
    )
    assert "Changes from" in page.text
    assert "version 1" in page.text
    assert "More lamps" in page.text
