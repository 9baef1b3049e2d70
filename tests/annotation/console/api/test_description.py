"""The description of the API: made once a process, the same for everybody of a language."""

import json
from unittest import mock

import pytest
from django.contrib.auth.models import User
from django.utils.translation import override
from drf_spectacular.generators import SchemaGenerator

from annotation.console.api import description
from tests.annotation.console.api.test_studies_by_program import Program

pytestmark = pytest.mark.django_db
SCHEMA = "/api/schema/"


@pytest.fixture(autouse=True)
def _of_a_new_process():
    description._described.cache_clear()


def test_it_is_made_once():
    program = Program()
    made = mock.Mock(wraps=SchemaGenerator.get_schema)
    with mock.patch.object(
        SchemaGenerator, "get_schema", lambda *args, **named: made(*args, **named)
    ):
        contents = [program.client.get(SCHEMA).content for _ in range(3)]
    assert made.call_count == 1
    assert contents[0] == contents[1] == contents[2]


def test_it_is_the_one_that_would_be_made_for_anybody(client):
    client.force_login(User.objects.create_user("charlie"))
    data = json.loads(client.get(SCHEMA).content)
    assert data == json.loads(Program().client.get(SCHEMA).content)
    with override("en"):
        made = SchemaGenerator().get_schema(public=True)
    assert data == json.loads(json.dumps(made))


def test_each_language_has_its_own(client):
    client.force_login(User.objects.create_user("charlie"))
    said = {language: client.get(f"{SCHEMA}?lang={language}").content for language in ("en", "de")}
    assert said["en"] != said["de"]
    assert client.get(f"{SCHEMA}?lang=en").content == said["en"]


def test_nobody_reads_it_without_a_key(client):
    assert client.get(SCHEMA).status_code in (401, 403)


@pytest.mark.parametrize(
    "path", ["nothing/", "uploads/null/", "uploads/1/nothing/", "studies/a/b/"]
)
def test_unknown_addresses_are_refused_in_json(path):
    answer = Program().client.get(f"/api/{path}")
    assert answer.status_code == 404
    assert answer.json()["detail"]


def test_a_request_that_no_database_can_keep_is_refused_in_json():
    answer = Program().client.get("/api/studies/?a=%00")
    assert answer.status_code == 400
    assert answer.json()["detail"]


def test_unknown_pages_are_refused_as_pages(client):
    answer = client.get("/nothing/")
    assert answer.status_code == 404
    assert "<!doctype html>" in answer.text
