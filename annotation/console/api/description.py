"""Description of the API (OpenAPI 3), made once a process and language."""

from functools import lru_cache
from typing import Any

from django.utils.translation import get_language
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.views import SpectacularJSONAPIView
from rest_framework.request import Request


@lru_cache(maxsize=8)  # an address may ask for any language
def _described(language: str | None) -> dict[str, Any]:
    """In the language that is active: the names of choices are translated."""
    made: dict[str, Any] = SchemaGenerator().get_schema(public=True)  # type: ignore[no-untyped-call]
    return made


class Generator(SchemaGenerator):
    """Schema for everyone, the same with and without an account."""

    def get_schema(self, request: Request | None = None, public: bool = False) -> dict[str, Any]:
        return _described(get_language())


class Description(SpectacularJSONAPIView):
    generator_class = Generator
