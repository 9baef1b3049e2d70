"""A planted word, and where a database and its files still contain it."""

import base64
import binascii
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection, models

from writing.log.eventlog import unpack

WORD = "Xylophonkasten"
TEXTS = (models.CharField, models.TextField, models.JSONField, models.BinaryField)


def columns_with(word: str = WORD) -> set[str]:
    """Return each column of each model that contains the word in some row."""
    return {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.concrete_fields
        if isinstance(field, TEXTS)
        for value in model._base_manager.values_list(field.name, flat=True)
        if any(word in text for text in _readings(value))
    }


def _readings(value: Any) -> Iterator[str]:
    """Yield a stored value as text, unpacked in each way that something is packed here."""
    if isinstance(value, str):
        yield value
        with suppress(binascii.Error, ValueError):  # the cache: a pickle in base64
            yield base64.b64decode(value, validate=True).decode(errors="replace")
        return
    if not isinstance(value, bytes | memoryview):
        yield str(value)
        return
    data = bytes(value)
    yield data.decode(errors="replace")
    with suppress(zlib.error):
        yield zlib.decompress(data).decode(errors="replace")
    with suppress(ValueError, zlib.error, IndexError):
        yield "".join(getattr(event, "inserted", "") for event in unpack(data))


def files_with(word: str = WORD) -> list[Path]:
    """Return the files below var/, and of an embedded database, that contain the word."""
    paths = [path for path in Path(settings.VAR_DIR).rglob("*") if path.is_file()]
    if connection.vendor == "sqlite":
        database = Path(connection.settings_dict["NAME"])
        paths += database.parent.glob(f"{database.name}*")
    return [path for path in paths if word.encode() in path.read_bytes()]
