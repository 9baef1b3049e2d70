"""Qualifications that all teams shared belong to the right team after the migration."""

from typing import Any

import pytest

from tests import older_database


@pytest.fixture(params=["postgres", "sqlite"])
def found(request: pytest.FixtureRequest) -> Any:
    module = "tests.annotation.fieldwork.screening.shared_qualifications"
    return older_database.findings(request.param, request, module)


def test_each_team_keeps_the_workers_to_whom_it_gave_a_qualification(found):
    assert found["held"]["q-giver"] == ["q-one", "q-three"]
    assert found["held"]["q-rival"] == ["q-three", "q-two"]


def test_a_study_admits_the_same_workers_as_before(found):
    everybody = ["q-one", "q-three", "q-two"]
    assert found["admitted"]["q-reader"] == everybody
    assert found["admitted"]["q-distant"] == everybody


def test_a_team_that_shares_a_researcher_needs_no_copy(found):
    assert "q-one" not in found["held"]["q-reader"]


def test_a_qualification_without_a_study_keeps_its_holders(found):
    assert found["lost"] == ["q-three"]
    assert "Unused" not in found["names"]


def test_on_the_way_back_a_name_is_one_qualification_again(found):
    assert found["held_before"] == ["q-one", "q-three", "q-two"]
