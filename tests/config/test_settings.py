"""A wrong value refuses to start, with one sentence that names the variable."""

import os
import subprocess
import sys

import pytest

from tests.services.children import ROOT


def load_settings(var, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from django.conf import settings; print(settings.DATABASES)"],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "CROWDWRIGHT_VAR": str(var),
            **env,
        },
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize(
    ("variable", "value", "sentence"),
    [
        ("SECRET_KEY", "short", "SECRET_KEY has 5 characters; it needs at least 40"),
        ("PSEUDONYM_KEY", "short", "PSEUDONYM_KEY has 5 characters; it needs at least 40"),
        ("PUBLIC_URL", "example.org", "PUBLIC_URL must start with http:// or https://"),
        ("DATABASE_URL", "mysql://u:p@host/name", "DATABASE_URL must be postgres://"),
        ("DATABASE_URL", "crowdwright.sqlite3", "DATABASE_URL must be postgres://"),
        ("DATABASE_URL", "postgres://u:p@host:port/name", "DATABASE_URL cannot be read"),
        ("BROKER_URL", "amqp://host", "BROKER_URL must be redis://... or filesystem://"),
        ("LOG_LEVEL", "LOUD", "LOG_LEVEL must be DEBUG, INFO, WARNING or ERROR, not LOUD"),
        ("DEBUG", "maybe", "DEBUG must be 1 or 0, not 'maybe'"),
        ("BEHIND_PROXY", "nginx", "BEHIND_PROXY must be a whole number, not 'nginx'"),
        ("SECURE_SSL_REDIRECT", "", "SECURE_SSL_REDIRECT must be 1 or 0, not ''"),
        ("SECURE_HSTS_SECONDS", "1 year", "SECURE_HSTS_SECONDS must be a whole number"),
        ("PROLIFIC_URL", "http://example.org/", "PROLIFIC_URL must start with https://"),
        ("RECRUITING_DRY_RUN", "no thanks", "RECRUITING_DRY_RUN must be 1 or 0"),
        ("REFUSED_NETWORKS", "198.51.100.7/24", "REFUSED_NETWORKS must be networks"),
        ("REFUSED_NETWORKS", "the university", "REFUSED_NETWORKS must be networks"),
        ("STATIC_HASHED", "2", "STATIC_HASHED must be 1 or 0, not '2'"),
    ],
)
def test_a_wrong_value_refuses_to_start(tmp_path, variable, value, sentence):
    answer = load_settings(tmp_path, **{variable: value})
    assert answer.returncode != 0
    assert f"ImproperlyConfigured: {sentence}" in answer.stderr.splitlines()[-1]


def test_a_wrong_number_for_postgresql_refuses_to_start(tmp_path):
    answer = load_settings(tmp_path, DATABASE_URL="postgres://u@host/name", CONN_MAX_AGE="long")
    assert "CONN_MAX_AGE must be a whole number, not 'long'" in answer.stderr


def test_the_password_of_the_database_is_not_in_the_message(tmp_path):
    for address in ("mysql://u:geheim@host/name", "postgres://u:geheim@host:port/name"):
        assert "geheim" not in load_settings(tmp_path, DATABASE_URL=address).stderr


def test_it_starts_without_any_variable(tmp_path):
    answer = load_settings(tmp_path)
    assert answer.returncode == 0, answer.stderr
    assert str(tmp_path / "crowdwright.sqlite3") in answer.stdout


def test_secrets_are_made_once_and_for_their_owner_alone(tmp_path):
    load_settings(tmp_path)
    first = {path.name: path.read_text() for path in tmp_path.glob("*.key")}
    load_settings(tmp_path)
    assert {path.name: path.read_text() for path in tmp_path.glob("*.key")} == first
    assert set(first) == {"secret.key", "pseudonym.key"}
    assert all(path.stat().st_mode & 0o077 == 0 for path in tmp_path.glob("*.key"))
