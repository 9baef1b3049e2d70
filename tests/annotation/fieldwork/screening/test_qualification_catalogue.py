"""All qualifications of the studies that somebody sees, on one page."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from annotation.fieldwork.screening import connecting_qualifications, qualification_catalogue
from annotation.fieldwork.screening.qualifying import qualify
from annotation.models import Membership, Study
from tests.annotation.fieldwork.screening.test_scoring import screening
from tests.annotation.people.access.people import join, somebody
from tests.cast import NOW, alice, bob, charlie, draft_study, rita, small_study
from tests.hooks import element

pytestmark = pytest.mark.django_db


@pytest.fixture
def giving():
    study = small_study(screening=screening(gives="lamp reader"))
    qualify(workers=[alice(), bob()], name="lamp reader", by="rita", now=NOW, study=study)
    join(somebody("boris"), study, "owner")
    other = small_study(slug="other", corpus=study.corpus)
    join(User.objects.get(username="boris"), other, "researcher")
    qualify(workers=[charlie()], name="lamp reader", by="boris", now=NOW, study=other)
    return study


@pytest.fixture
def asking(giving):
    wanted = {"slug": "later", "corpus": giving.corpus}
    study = small_study(**wanted, screening={"requires": "lamp reader"})
    join(boris := User.objects.get(username="boris"), study, "researcher")
    connecting_qualifications.connect(study=study, user=boris, now=NOW)
    return study


def test_each_has_its_people_its_givers_and_who_asks_for_it(giving, asking):
    (known,) = qualification_catalogue.known_in([giving, asking])
    assert (known.name, known.people, known.elsewhere) == ("lamp reader", 3, 1)
    assert known.given == [(giving, 2)]
    assert known.asking == [(asking, True)]


def test_one_that_nobody_has_is_there_where_it_is_asked_for(giving):
    study = draft_study(slug="hopeless", corpus=giving.corpus, screening={"requires": "astronaut"})
    (known,) = qualification_catalogue.known_in([study])
    assert (known.name, known.people, known.given) == ("astronaut", 0, [])
    assert known.asking == [(study, False)]


def test_the_page_has_the_studies_that_its_reader_sees(client, giving, asking):
    dora = User.objects.create_user("dora", password="a long password")
    Membership.objects.create(team=asking.team, user=dora, role="viewer", since=NOW)
    client.force_login(dora)
    page = client.get(reverse("all_qualifications")).content.decode()
    assert "lamp reader" in page
    assert element(page, "data-elsewhere", "3").numbers == [3]
    assert reverse("qualifications", args=["lamps", 1]) not in page
    client.force_login(User.objects.create_user("eve", password="a long password"))
    assert "data-qualification" not in client.get(reverse("all_qualifications")).content.decode()
    client.force_login(rita())
    assert "2 participants" in client.get(reverse("all_qualifications")).content.decode()
    assert reverse("all_qualifications") in client.get(reverse("people")).content.decode()


def test_as_many_queries_for_many_studies_as_for_one(giving, asking, django_assert_num_queries):
    every = list(Study.objects.all())
    with django_assert_num_queries(3):
        qualification_catalogue.known_in(every)
