"""Reference of the programming interface, from its OpenAPI schema, as Markdown."""

from collections.abc import Iterator, Mapping
from typing import Any

Schema = Mapping[str, Any]


def rest_api() -> str:
    """Return a section for each group of addresses, then the objects that they exchange."""
    import django

    django.setup()
    from drf_spectacular.generators import SchemaGenerator

    schema = SchemaGenerator().get_schema(request=None, public=True)
    groups: dict[str, list[str]] = {}
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            tag = operation["tags"][0]
            groups.setdefault(tag, []).append("\n".join(_request(path, method, operation)))
    parts = [f"## {tag.capitalize()}\n\n" + "\n".join(texts) for tag, texts in groups.items()]
    objects = [_object(name, parts) for name, parts in schema["components"]["schemas"].items()]
    return "\n".join([*parts, _errors(schema), "## Objects\n", *objects])


def _errors(schema: Schema) -> str:
    """Return the section of the meanings of error codes, which are those of every request."""
    meanings = {
        code: answer.get("description", "")
        for operations in schema["paths"].values()
        for operation in operations.values()
        for code, answer in operation["responses"].items()
        if code >= "400"
    }
    rows = [f"| {code} | {_cell(meanings[code])} |" for code in sorted(meanings)]
    return "\n".join(["## Errors\n", "| code | meaning |", "|---|---|", *rows, ""])


def _request(path: str, method: str, operation: Schema) -> Iterator[str]:
    """Lines of one request: its parameters, body and answers."""
    yield f"### {method.upper()} {path}\n"
    yield f"{operation.get('description', '')}\n"
    parameters = operation.get("parameters", [])
    if parameters:
        yield "| parameter | in | type | meaning |\n|---|---|---|---|"
        for row in parameters:
            meaning = _cell(row.get("description", ""))
            yield f"| `{row['name']}` | {row['in']} | {type_of(row['schema'])} | {meaning} |"
        yield ""
    for kind, body in operation.get("requestBody", {}).get("content", {}).items():
        yield f"Body, `{kind}`: {type_of(body.get('schema', {}))}\n"
    responses = operation["responses"]
    answers = [f"{code}: {_answer(responses[code])}" for code in responses if code < "400"]
    errors = ", ".join(code for code in responses if code >= "400")
    yield "- Returns " + "; ".join(answers)
    yield f"- [Errors](#errors): {errors}\n" if errors else ""


def _answer(answer: Schema) -> str:
    types = [type_of(body.get("schema", {})) for body in answer.get("content", {}).values()]
    words = answer.get("description", "").rstrip(".")
    return " or ".join(dict.fromkeys(types)) or words or "no content"


def _object(name: str, schema: Schema) -> str:
    head = f"### {name}\n\n{schema.get('description', '')}\n"
    if "properties" not in schema:
        return f"{head}\n{type_of(schema)}\n"
    required = set(schema.get("required", ()))
    rows = [
        f"| `{key}` | {type_of(value)} | {'yes' if key in required else 'no'} "
        f"| {_cell(value.get('description', ''))} |"
        for key, value in schema["properties"].items()
    ]
    table = "\n".join(["| field | type | required | meaning |", "|---|---|---|---|", *rows])
    return f"{head}\n{table}\n"


def type_of(schema: Schema) -> str:
    """Return the type of a value in words; objects are links to their tables."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    for key in ("oneOf", "anyOf", "allOf"):
        if key in schema:
            return " or ".join(dict.fromkeys(type_of(part) for part in schema[key]))
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {type_of(schema.get('items', {}))}"
    kind = schema.get("type", "any")
    kinds = kind if isinstance(kind, list) else [kind]
    words = " or ".join(kinds)
    return f"{words} ({schema['format']})" if "format" in schema else words


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
