"""The image's static files, and what somebody sees who guessed a password too often."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.services.children import ROOT


def test_every_file_finds_the_others_under_its_hashed_name(tmp_path: Path):
    done = subprocess.run(
        [sys.executable, "manage.py", "collectstatic", "--noinput", "-v0"],
        cwd=ROOT,
        env=os.environ
        | {
            "CROWDWRIGHT_VAR": str(tmp_path),
            "STATIC_HASHED": "true",
            "DATABASE_URL": "sqlite:///:memory:",
            "BROKER_URL": "redis://localhost",
        },
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (saving,) = (tmp_path / "static" / "js").glob("saving.*.js")
    assert 'from "./queue.js"' not in saving.read_text()


@pytest.mark.django_db
def test_who_guesses_too_often_waits(client, settings):
    settings.AXES_FAILURE_LIMIT = 2
    for _ in range(2):
        answer = client.post("/login/", {"username": "rita", "password": "wrong"})
    assert answer.status_code == 429
    assert "Wait 15 minutes" in answer.content.decode()
