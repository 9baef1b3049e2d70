"""Studies that exclude the participants of others, or require them."""

import pytest

from annotation.fieldwork.screening.qualifying import qualify
from annotation.fieldwork.work import assigning
from annotation.fieldwork.work.admission import unknown_studies
from annotation.models import Assignment, Batch
from annotation.studies.drafts.screening_schema import Screening, names_in
from tests.cast import NOW, begun, bob, charlie, small_study
from tests.refusals import refused

pytestmark = pytest.mark.django_db


def later_study(first, **screening):
    return small_study(
        slug="later", corpus=first.corpus, team=first.team, screening=screening, quota=3
    )


def test_participants_of_an_excluded_study_are_kept_out_before_they_take_a_place():
    first = small_study(slug="first", quota=3)
    begun(first, bob())
    later = later_study(first, excluded_studies="other, first")
    with refused("Excluded"):
        assigning.claim(study=later, worker=bob(), now=NOW)
    assert assigning.claim(study=later, worker=charlie(), now=NOW).is_live
    assert later.assignments.count() == 1


def test_only_participants_of_all_required_studies_are_let_in():
    first = small_study(slug="first", quota=3)
    second = small_study(slug="second", corpus=first.corpus, team=first.team, quota=3)
    for study, person in ((first, bob()), (second, bob()), (first, charlie())):
        begun(study, person)
    later = later_study(first, required_studies="first,second")
    assert assigning.claim(study=later, worker=bob(), now=NOW).is_live
    with refused("NotQualified"):
        assigning.claim(study=later, worker=charlie(), now=NOW)


def test_who_only_looked_took_part_in_nothing():
    first = small_study(slug="first", quota=3)
    assigning.claim(study=first, worker=bob(), now=NOW)  # without consent
    later = later_study(first, excluded_studies="first")
    assert assigning.claim(study=later, worker=bob(), now=NOW).is_live


def test_holders_of_an_excluded_qualification_are_kept_out():
    first = small_study(slug="first")
    qualify(workers=[bob()], name="Knows lamps", by="rita", now=NOW, study=first)
    later = later_study(first, excludes=" Knows lamps ")
    with refused("Excluded"):
        assigning.claim(study=later, worker=bob(), now=NOW)
    assert assigning.claim(study=later, worker=charlie(), now=NOW).is_live


def test_studies_of_another_team_exclude_nobody():
    theirs = small_study(slug="theirs", quota=3)
    begun(theirs, bob())
    own = small_study(slug="own", corpus=theirs.corpus, screening={"excluded_studies": "theirs"})
    assert own.team_id != theirs.team_id
    assert assigning.claim(study=own, worker=bob(), now=NOW).is_live


def test_the_sentence_of_a_refusal_is_shown_and_no_place_is_taken(client):
    first = small_study(slug="first")
    later = later_study(first, required_studies="first")
    page = client.get(later.public_path)
    assert page.status_code == 403
    assert 'data-refusal="NotQualified"' in page.content.decode()
    assert not Assignment.objects.filter(study=later).exists()
    assert later.batches.get().state == Batch.State.OPEN


def test_names_that_the_team_has_no_study_of_are_named():
    first = small_study(slug="first")
    screening = Screening(required_studies="first, frist", excluded_studies="gone")
    assert unknown_studies(screening, team=first.team_id) == {"frist", "gone"}
    assert names_in(" a ,, b,") == ["a", "b"]
