"""Studies from the days when a study was one instrument: all that is there stays, and is asked."""

import pytest

from tests import earlier


@pytest.fixture(params=["sqlite", "postgres"])
def said(request):
    """What a database of those days said before, after, and back again."""
    return earlier.said(request.param, request)["tests.judging.older_studies"]


def test_each_study_gets_the_instrument_it_was_and_no_row_changes(said):
    instruments = said["after"]["instruments"]
    found = {slug: row[1:] for slug, row in instruments.items()}
    assert found == {
        "pairs": ["crowdrag-pairwise", "Crowdrag pairwise", "pair", "all_pairs", {"quota": 5}],
        "scored": ["crowdrag-pointwise", "Crowdrag pointwise", "response", "pool", {}],
        "asked": ["own", "Study asked", "pair", "all_pairs", {}],
    }
    for slug, (pk, *_) in instruments.items():
        assert said["after"]["asked"][slug] == {str(pk): ["better"]}
    pairs = instruments["pairs"][0]
    for name, rows in said["before"].items():
        belongs = {} if name == "Judgment" else {"instrument_id": pairs}
        assert said["after"]["rows"][name] == [row | belongs for row in rows], name
    assert said["back"] == said["before"]
    assert said["after"]["raters"] == {"Ann": "pairs", "worker bob": "pairs"}
    assert said["raters"] == ["Ann", "Ann (2)"]
    assert sorted(said["criteria"]) == [[slug, "better"] for slug in ("asked", "pairs", "scored")]
