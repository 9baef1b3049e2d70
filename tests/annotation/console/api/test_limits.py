"""Bodies for the API have limits: of each text, of each list, and of requests in a minute."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from drf_spectacular.generators import SchemaGenerator

from tests.annotation.console.api.test_studies_by_program import Program
from tests.annotation.studies.drafts.drafted import drafted

pytestmark = pytest.mark.django_db
BOUNDED = {"enum", "maxLength", "format", "oneOf", "allOf", "$ref"}
# As many files as an upload takes; changes, the bytes of a document and entries of a bank have
# limits that the description does not show.
OTHERWISE = ("/files", "/changes", "/document/instruments", "/entries")


def bodies(schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            for kind, body in operation.get("requestBody", {}).get("content", {}).items():
                yield f"{method} {path} {kind}", body["schema"]


def unbounded(schema: dict[str, Any], part: Any, where: str) -> Iterator[str]:
    """Texts and lists of a body without a limit."""
    if "$ref" in part:
        name = part["$ref"].rpartition("/")[2]
        yield from unbounded(schema, schema["components"]["schemas"][name], where)
    elif part.get("type") == "string":
        if not BOUNDED & set(part):
            yield where
    elif part.get("type") == "array":
        if "maxItems" not in part and not where.endswith(OTHERWISE):
            yield f"{where}[]"
        yield from unbounded(schema, part["items"], f"{where}[]")
    for name, field in part.get("properties", {}).items():
        yield from unbounded(schema, field, f"{where}/{name}")
    if isinstance(more := part.get("additionalProperties"), dict):
        yield from unbounded(schema, more, f"{where}/*")


def test_every_text_and_list_that_is_sent_has_a_limit():
    schema = json.loads(json.dumps(SchemaGenerator().get_schema(public=True)))
    found = [each for where, part in bodies(schema) for each in unbounded(schema, part, where)]
    assert found == []


@pytest.mark.parametrize("length", [401, 900_000])
def test_a_title_that_is_too_long_is_refused(length):
    answer = Program().post("drafts/", {"title": "x" * length, "instruments": []}, said=400)
    assert list(answer) == ["title"]


def test_too_many_changes_are_refused_before_any_is_done():
    program = Program()
    draft = drafted(user=User.objects.get())
    changes = [{"path": "title", "value": f"Lamps {number}"} for number in range(501)]
    body = {"revision": 0, "changes": changes}
    assert "changes" in program.post(f"drafts/{draft.pk}/changes/", body, said=400)
    draft.refresh_from_db()
    assert draft.revision == 0


def test_an_account_sends_so_many_requests_in_a_minute(settings):
    settings.API_REQUESTS_PER_MINUTE = 3
    program = Program()
    for _ in range(3):
        program.get("corpora/")
    assert program.client.get("/api/corpora/").status_code == 429
