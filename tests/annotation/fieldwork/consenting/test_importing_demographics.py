"""Prolific's demographic data: read as a whole or not at all, shown without anybody in them."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.fieldwork.consenting import demographics, importing_demographics
from annotation.fieldwork.consenting.demographics import BadDemographics, read, sample_of
from annotation.fieldwork.work import assigning
from annotation.models import Demographics
from tests.cast import HOUR, NOW, bob, handed_in, prolific_id, proof, rita, small_study
from tests.hooks import numbers

HEAD = "Submission id,Participant id,Status,Age,Sex,Country of residence,New column"


def line(name, *rest, submission="first"):
    cells = (prolific_id(f"{submission} of {name}"), prolific_id(name), *rest)
    return ",".join(cells)


def file(*lines, head=HEAD):
    return "\n".join((head, *lines)).encode()


GOOD = line("bob", "APPROVED", "34", "Male", "Ireland", "x")


def faults_of(data):
    with pytest.raises(BadDemographics) as caught:
        read(data)
    return caught.value.faults


def test_more_or_fewer_columns_a_bom_and_quoted_newlines_are_read():
    (one,) = read(b"\xef\xbb\xbf" + file(GOOD))
    assert one.said == {"age": "34", "sex": "Male", "country of residence": "Ireland"}
    (few,) = read(file(line("bob"), head="Participant id,Submission id"))
    assert few.said == {}
    (quoted,) = read(file(line("bob", "RETURNED", "34", '"Ma\nle"', "Ireland", '"a ""b"", c"')))
    assert quoted.said["sex"] == "Ma\nle"


@pytest.mark.parametrize("word", ["CONSENT_REVOKED", "DATA_EXPIRED", "Prefer not to say", ""])
def test_what_somebody_did_not_want_to_say_is_not_kept(word):
    (one,) = read(file(line("bob", "APPROVED", word, word, "Ireland", "x")))
    assert one.said == {"country of residence": "Ireland"}


def test_every_bad_line_is_named():
    faults = faults_of(
        file(
            GOOD,
            "not an id,also not,APPROVED,34,Male,Ireland,x",
            line("dora", "APPROVED"),
            line("emil", "APPROVED", "minus", "Male", "Ireland", "x"),
            line("fay", "APPROVED", "³", "Male", "Ireland", "x"),
            GOOD,
        )
    )
    assert [fault.split()[1].strip(":") for fault in faults] == ["3", "4", "5", "6", "7"]
    assert 24 in numbers(faults[0])
    assert numbers(faults[1]) == [4, 3, 7]
    assert numbers(faults[-1]) == [7, 2]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "no column"),
        (b"a,b\n1,2", "no column"),
        (b"\xff\xfe", "UTF-8"),
        (HEAD.encode() + b"\n\x00", "null bytes"),
        (f"{HEAD},Age\n".encode(), "twice"),
        (f'{HEAD}\n"open'.encode(), "read line"),
    ],
)
def test_what_is_no_such_file_gets_its_sentence(data, sentence):
    assert sentence in " ".join(faults_of(data))


@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data):
    with suppress(BadDemographics):
        read(HEAD.encode() + b"\n" + data)


def test_small_groups_stand_together_and_the_total_gives_none_away():
    people = [{"sex": "Female"}] * 9 + [{"sex": "Male"}] * 6 + [{"sex": "Other"}] * 2
    (part,) = sample_of(people)
    assert part.counts == [("Female", 9), ("others, in small groups", 8)]
    assert sample_of([{"sex": "Female"}] * 4) == []
    ages = [{"age": age} for age in ("17", "18", "24", "65", "99")]
    assert sample_of(ages)[0].counts == [("others, in small groups", 5)]


@given(st.lists(st.sampled_from("abcdefg"), max_size=60))
def test_no_group_of_fewer_than_five_is_ever_shown(values):
    for part in sample_of({"sex": value} for value in values):
        assert all(n >= demographics.MIN_GROUP_SIZE for _, n in part.counts)
        assert sum(n for _, n in part.counts) == len(values)


def came(study, name="bob"):
    place = assigning.claim(study=study, worker=bob(), now=NOW, proof=proof(name))
    return handed_in(assigning.begin(assignment=place, now=NOW))


@pytest.mark.django_db
def test_it_is_kept_under_the_pseudonym_and_unknown_submissions_are_listed():
    study = small_study(recruitment="prolific")
    work = came(study)
    stranger = line("charlie", "RETURNED", "50", "Male", "Ireland", "x")
    for _ in range(2):
        done = importing_demographics.describe(
            study=study, data=file(GOOD, stranger), now=NOW, user=rita() if _ == 0 else None
        )
    assert (done.people, done.unknown) == (1, [prolific_id("first of charlie")])
    assert Demographics.objects.get().assignment == work
    assert prolific_id("bob") not in str(Demographics.objects.values())


@pytest.mark.django_db
def test_nothing_is_taken_where_a_submission_is_of_somebody_else():
    study = small_study(recruitment="prolific")
    came(study)
    swapped = GOOD.replace(prolific_id("bob"), prolific_id("charlie"))
    with pytest.raises(BadDemographics, match=r"\b2\b"):
        importing_demographics.describe(study=study, data=file(swapped), now=NOW, user=None)
    assert not Demographics.objects.exists()


@pytest.mark.django_db
def test_nothing_is_taken_of_somebody_who_withdrew():
    study = small_study(recruitment="prolific")
    assigning.withdraw(assignment=came(study), now=NOW + HOUR)
    done = importing_demographics.describe(study=study, data=file(GOOD), now=NOW, user=None)
    assert (done.people, done.withdrawn) == (0, 1)
    assert not Demographics.objects.exists()


@pytest.mark.django_db
def test_the_page_takes_a_file_and_says_what_is_wrong_with_another(client, tmp_path):
    study = small_study(recruitment="prolific")
    came(study)
    client.force_login(rita())
    page = f"/studies/{study.slug}/1/recruit/sample/"
    path = tmp_path / "prolific.csv"
    path.write_bytes(file(GOOD))
    with path.open("rb") as upload:
        shown_page = client.post(page, {"file": upload}).content.decode()
    assert 'data-described="1"' in shown_page
    assert "Male" not in shown_page
    path.write_bytes(b"no\nsuch")
    with path.open("rb") as upload:
        answer = client.post(page, {"file": upload})
    assert answer.status_code == 422
    assert 'data-faults="2"' in answer.content.decode()
    assert client.get(f"{page}sample.csv").content == b"what,value,n\n"
