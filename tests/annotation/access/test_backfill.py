"""Rights come to a database that knew none: nobody loses what they could do."""

import json
import os
import subprocess
import sys

import psycopg
import pytest

from tests.services.children import ROOT

ALL_OWN = {"ann": "owner", "ben": "owner"}


@pytest.mark.parametrize("storage", ["postgres", "sqlite"])
def test_everybody_keeps_what_they_could_do(storage, tmp_path, request):
    address = f"sqlite:///{tmp_path / 'old.sqlite3'}"
    if storage == "postgres":
        server = request.getfixturevalue("own_postgres")
        with psycopg.connect(server.url("postgres"), autocommit=True) as database:
            database.execute("CREATE DATABASE crowdwright")
        address = server.url()
    run = subprocess.run(
        [sys.executable, "-m", "tests.annotation.access.before_rights"],
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
    found = json.loads(run.stdout.splitlines()[-1])
    teams = {thing: team for thing, (team, _) in found.items()}
    people = {thing: members for thing, (_, members) in found.items()}
    assert teams["('hers', 1)"] == teams["('hers', 2)"]
    assert len(set(teams.values())) == 4
    assert people == {
        "('lamps', 0)": ALL_OWN,
        "('hers', 1)": {"ann": "owner", "ben": "researcher"},
        "('hers', 2)": {"ann": "owner", "ben": "researcher"},
        "('nobodys', 1)": ALL_OWN,
        "('of one who left', 1)": ALL_OWN,
    }
