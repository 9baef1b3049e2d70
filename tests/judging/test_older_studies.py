"""Studies from the days when a study was one instrument: all that is there stays, and is asked."""

import json
import os
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=["sqlite", "postgres"])
def said(request, tmp_path):
    """What a database of those days said before, after, and back again."""
    address = f"sqlite:///{tmp_path / 'old.sqlite3'}"
    if request.param == "postgres":
        server = request.getfixturevalue("own_postgres")
        with psycopg.connect(server.url("postgres"), autocommit=True) as database:
            database.execute("CREATE DATABASE crowdwright")
        address = server.url()
    run = subprocess.run(
        [sys.executable, "-m", "tests.judging.older_studies"],
        cwd=ROOT,
        env={
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": address,
            "CROWDWRIGHT_VAR": str(tmp_path),
        },
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


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
    assert sorted(said["criteria"]) == [[slug, "better"] for slug in ("asked", "pairs", "scored")]
