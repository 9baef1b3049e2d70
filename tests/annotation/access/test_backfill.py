"""Rights come to a database that knew none: nobody loses what they could do."""

import pytest

from tests import earlier

ALL_OWN = {"ann": "owner", "ben": "owner"}


@pytest.mark.parametrize("storage", ["postgres", "sqlite"])
def test_everybody_keeps_what_they_could_do(storage, request):
    found = earlier.said(storage, request)["tests.annotation.access.before_rights"]
    teams = {thing: team for thing, (team, _) in found.items()}
    people = {thing: members for thing, (_, members) in found.items()}
    assert teams["('hers', 1)"] == teams["('hers', 2)"]
    assert len(set(teams.values())) == 4
    assert people == {
        "('of everybody', 0)": ALL_OWN,
        "('hers', 1)": {"ann": "owner", "ben": "researcher"},
        "('hers', 2)": {"ann": "owner", "ben": "researcher"},
        "('nobodys', 1)": ALL_OWN,
        "('of one who left', 1)": ALL_OWN,
    }
