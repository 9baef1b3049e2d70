"""A client that is generated from the description of the API and knows nothing else of it.

It has a method for each operation, named by its id. Every request and every answer is held
against the description: parameters, body, status, content type and schema.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlencode

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from jsonschema import Draft4Validator, FormatChecker
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT4

JSON = "application/json"
FORM = "multipart/form-data"


class NotDescribed(AssertionError):
    """The API did what its description does not say."""


def as_json_schema(part: Any) -> Any:
    """Return a schema of OpenAPI 3.0 as JSON schema: `nullable` is a type there."""
    if isinstance(part, list):
        return [as_json_schema(each) for each in part]
    if not isinstance(part, dict):
        return part
    made = {name: as_json_schema(each) for name, each in part.items() if name != "nullable"}
    return {"anyOf": [made, {"type": "null"}]} if part.get("nullable") is True else made


class Generated:
    """`client.OPERATION(parameters..., body=..., files=...)` returns the parsed answer."""

    def __init__(self, description: Mapping[str, Any], http: Client) -> None:
        self._http = http
        self._schema = as_json_schema(description)
        resource = Resource.from_contents(self._schema, default_specification=DRAFT4)
        self._registry = Registry().with_resource("urn:api", resource)
        self._operations = {
            operation["operationId"]: (path, method, operation)
            for path, methods in self._schema["paths"].items()
            for method, operation in methods.items()
        }

    def __getattr__(self, name: str) -> Callable[..., Any]:
        path, method, operation = self._operations[name]

        def call(*, body: Any = None, files: Any = None, said: int = 0, **given: Any) -> Any:
            address = self._address(path, operation, given)
            sent = self._body(operation, body, files)
            answer = getattr(self._http, method)(address, **sent)
            return self._answer(name, operation, answer, said)

        return call

    def _address(self, path: str, operation: Any, given: dict[str, Any]) -> str:
        parameter_by_name = {
            parameter["name"]: parameter for parameter in operation.get("parameters", ())
        }
        if unknown := set(given) - set(parameter_by_name):
            raise NotDescribed(f"{operation['operationId']} has no parameters {unknown}")
        for name, each in parameter_by_name.items():
            if name not in given:
                assert not each.get("required"), f"{name} is required"
        for name, value in given.items():
            self._check(parameter_by_name[name]["schema"], value, name)
        inside = {name: quote(str(given[name]), safe="") for name in given if f"{{{name}}}" in path}
        query = {name: value for name, value in given.items() if name not in inside}
        return path.format(**inside) + (f"?{urlencode(query)}" if query else "")

    def _body(self, operation: Any, body: Any, files: Any) -> dict[str, Any]:
        described = operation.get("requestBody", {}).get("content", {})
        if files is not None:
            properties = self._followed(described[FORM]["schema"])["properties"]
            (name,) = files
            one = properties[name].get("items", properties[name])
            if (one.get("type"), one.get("format")) != ("string", "binary"):
                raise NotDescribed(f"{name} is no file but {one}")
            sent = [SimpleUploadedFile(*file) for file in files[name].items()]
            return {"data": {name: sent, **(body or {})}}
        if body is None:
            return {}
        self._check(described[JSON]["schema"], body, "body")
        return {"data": json.dumps(body), "content_type": JSON}

    def _answer(self, name: str, operation: Any, answer: Any, said: int) -> Any:
        described = operation["responses"].get(str(answer.status_code))
        if described is None:
            raise NotDescribed(f"{name} answered {answer.status_code}: {answer.content[:300]!r}")
        if said:
            assert answer.status_code == said, answer.content[:500]
        else:
            assert answer.status_code < 300, answer.content[:500]
        data = answer.getvalue()
        if not described.get("content"):
            assert not data
            return None
        kind = answer["Content-Type"].partition(";")[0]
        if kind not in described["content"]:
            raise NotDescribed(f"{name} answered with {kind}")
        if kind != JSON:
            return data
        parsed = json.loads(data)
        self._check(described["content"][JSON]["schema"], parsed, f"answer of {name}")
        return parsed

    def _followed(self, schema: Any) -> Any:
        if "$ref" in schema:
            return self._schema["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
        return schema

    def _check(self, schema: Any, value: Any, name: str) -> None:
        rooted = json.loads(json.dumps(schema).replace('"#/', '"urn:api#/'))
        checker = Draft4Validator(rooted, registry=self._registry, format_checker=FormatChecker())
        for error in checker.iter_errors(value):
            at = "/".join(map(str, error.absolute_path))
            raise NotDescribed(f"{name}, {at or 'whole'}: {error.message[:300]}")
