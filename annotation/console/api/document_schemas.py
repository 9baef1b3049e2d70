"""Schemas of the study document and its methods, from the declared settings (OpenAPI 3.0)."""

from inspect import cleandoc
from typing import Any

import msgspec
from django.utils.translation import gettext

from annotation.studies.drafts.editor_forms import translated_choices
from annotation.studies.drafts.kinds import registered_kinds
from annotation.studies.drafts.plain_data import MAX_TEXT_LENGTH
from annotation.studies.drafts.schema import Document
from annotation.studies.drafts.setting import Setting, declared_in, structs_in, value_type

PLACE = "#/components/schemas/"


def add_document(
    result: dict[str, Any], generator: Any, request: Any, public: bool
) -> dict[str, Any]:
    """Add the document and the methods of all kinds (a hook of drf-spectacular)."""
    schemas = _schemas(Document, "Study")
    methods = []
    for name, kind in sorted(registered_kinds().items()):
        schemas |= _schemas(kind.instrument, name.title())
        methods.append({"$ref": f"{PLACE}{name.title()}{kind.instrument.__name__}"})
    schemas["StudyDocument"]["properties"]["instruments"]["items"] = {"anyOf": methods}
    result["components"]["schemas"] |= dict(sorted(schemas.items()))
    return result


def _schemas(struct: type[msgspec.Struct], prefix: str) -> dict[str, Any]:
    """Return the schema of a struct and of each struct in it, by name."""
    template = f"{PLACE}{prefix}{{name}}"
    _, components = msgspec.json.schema_components([struct], ref_template=template)
    for part in set(structs_in(struct)):
        schema, settings = components[part.__name__], declared_in(part)
        del schema["title"]  # generated clients would name their classes by it
        if "description" in schema:
            schema["description"] = cleandoc(schema["description"])
        for name, value in schema["properties"].items():
            schema["properties"][name] = _in_openapi(value) | _declared(settings.get(name))
        if not schema["required"]:
            del schema["required"]
    return {f"{prefix}{name}": schema for name, schema in components.items()}


def _in_openapi(schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema of JSON Schema as OpenAPI 3.0 writes it."""
    if "$ref" in schema:  # whatever is beside a reference is not read
        return {"allOf": [{"$ref": schema["$ref"]}]}
    if "anyOf" in schema:
        (value,) = [part for part in schema.pop("anyOf") if part != {"type": "null"}]
        schema |= value | {"nullable": True}
    if schema.get("nullable") and "enum" in schema:
        schema["enum"] = [*schema["enum"], None]
    if schema.get("type") == "string" and "format" not in schema:
        schema["maxLength"] = MAX_TEXT_LENGTH
    return schema


def _declared(setting: Setting | None) -> dict[str, Any]:
    """Return the words and limits of a setting, without words that depend on the document."""
    if setting is None:
        return {}
    choices = (f"* `{key}` - {words}" for key, words in translated_choices(setting.choices) if key)
    is_number = value_type(setting.type) in (int, float)  # an amount is a text
    declared = {
        "title": _translated(setting.title),
        "description": "\n".join(filter(None, [_translated(setting.help), *choices])),
        "minimum": setting.minimum if is_number else None,
        "maximum": setting.maximum if is_number else None,
        "maxLength": setting.max_length,
    }
    return {name: value for name, value in declared.items() if value not in (None, "")}


def _translated(words: Any) -> str:
    return gettext(words) if words and isinstance(words, str) else ""
