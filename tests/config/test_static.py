"""The image's static files, and what somebody sees who guessed a password too often."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command
from django.template import Context, Template

from tests.services.children import ROOT

PAGE = '{% load static %}{% bundle "css/judging-pages.css" %}{% bundle "js/judging.js" %}'
ADDRESS = re.compile(r'(?:href|src)="/static/([^"]+)"')
HASHED = "config.static.HashedStaticFilesStorage"


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


@pytest.fixture
def bundled(tmp_path, settings):
    """Collect the static files with the bundles that the image has."""
    for name in ("static", "node_modules", "package.json"):
        (tmp_path / name).symlink_to(ROOT / name)
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["npm", "run", "bundle"],
        cwd=tmp_path,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    settings.STATIC_BUNDLED = True
    settings.STATICFILES_DIRS = [tmp_path / "build" / "static", ROOT / "static"]
    settings.STATIC_ROOT = str(tmp_path / "collected")
    settings.STORAGES = settings.STORAGES | {"staticfiles": {"BACKEND": HASHED}}
    finders.get_finder.cache_clear()
    call_command("collectstatic", interactive=False, verbosity=0)
    yield tmp_path / "collected"
    finders.get_finder.cache_clear()


def test_a_bundle_is_one_compressed_file_without_imports(bundled: Path):
    sheet, script = ADDRESS.findall(Template(PAGE).render(Context()))
    for name in (sheet, script):
        text = (bundled / name).read_text()
        assert not {"import", "@import"} & set(re.findall(r"[@\w]+", text))
        assert (bundled / f"{name}.br").stat().st_size < len(text) / 2
    fonts = re.findall(r"vendor/[\w.-]+woff2", (bundled / "css/worker-pages.css").read_text())
    assert all((bundled / font).exists() for font in fonts)


def test_without_bundles_a_page_loads_what_they_import_at_once():
    addresses = ADDRESS.findall(Template(PAGE).render(Context()))
    assert {"css/work.css", "js/saving.js", "js/queue.js"} < set(addresses)
    assert addresses[-1] == "js/judging.js"
    assert "css/judging-pages.css" not in addresses
    assert all((ROOT / "static" / address).exists() for address in addresses)


@pytest.mark.django_db
def test_who_guesses_too_often_waits(client, settings):
    settings.AXES_FAILURE_LIMIT = 2
    for _ in range(2):
        answer = client.post("/login/", {"username": "rita", "password": "wrong"})
    assert answer.status_code == 429
    assert "Wait 15 minutes" in answer.content.decode()
