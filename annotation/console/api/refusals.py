"""Refusals in the description of the API: the statuses that every address can answer with.

Generated clients and tests by the description need them; no view lists them.
"""

from typing import Any

REFUSAL = "Refusal"
SCHEMA = {
    "type": "object",
    "description": (
        "A refused request. `detail` is the reason, `faults` lists problems by their path in a "
        "document. For invalid fields, the keys are field names with lists of reasons."
    ),
    "properties": {
        "detail": {"type": "string"},
        "faults": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"path": {"type": "string"}, "sentence": {"type": "string"}},
                "required": ["path", "sentence"],
            },
        },
    },
    "additionalProperties": True,
}
# Status -> what it means.
OF_ALL = {
    400: "The request is malformed or has invalid fields.",
    401: "The API key is missing or unknown.",
    403: "The key or your role doesn't allow this.",
    406: "The API returns JSON or a file.",
    429: "Too many requests. Try again later.",
}
OF_ONE = {
    404: "The object doesn't exist, or you can't see it.",
    409: "The state of the object doesn't allow this.",
}
OF_POST = {
    404: "The body names an object that doesn't exist or that you can't see.",
    409: OF_ONE[409],
    413: "The body is too large.",
    415: "The content type of the body isn't supported.",
}


def add_refusals(
    result: dict[str, Any], generator: Any, request: Any, public: bool
) -> dict[str, Any]:
    """Add the refusals to each operation (a hook of drf-spectacular)."""
    result["components"]["schemas"][REFUSAL] = SCHEMA
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            statuses = dict(OF_ALL)
            if "{" in path:
                statuses |= OF_ONE
            if method == "post":
                statuses |= OF_POST
            for status, meaning in sorted(statuses.items()):
                operation["responses"].setdefault(str(status), _response(meaning))
    return result


def _response(meaning: str) -> dict[str, Any]:
    reference = {"$ref": f"#/components/schemas/{REFUSAL}"}
    return {"description": meaning, "content": {"application/json": {"schema": reference}}}
