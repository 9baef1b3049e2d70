"""Bodies of requests to the API."""

from collections.abc import Mapping
from typing import IO, Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from annotation.texts.translation import translated_error
from annotation.texts.untrusted import TooDeep, Unstorable, require_storable


class JsonParser(JSONParser):
    """A JSON parser that refuses input that is too deep, or has NUL or half a surrogate pair.

    Fields refuse these too, but not in parts that are stored unchanged.
    """

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        try:
            content = super().parse(stream, media_type, parser_context)
            require_storable(content)
        except RecursionError as error:
            raise ParseError(translated_error(TooDeep())) from error
        except (TooDeep, Unstorable) as error:
            raise ParseError(translated_error(error)) from error
        return content
