"""A document as one JSON file, out and in; an instrument, or a file of another format, in."""

import msgspec
from django.utils.translation import gettext

from annotation.studies.drafts.kinds import computable, decoded, registered_kinds
from annotation.studies.drafts.making import document_of_methods
from annotation.studies.drafts.plain_data import BadBank, BadDocument, plain
from annotation.studies.drafts.schema import FORMAT, Document
from annotation.texts.translation import translated_error

MOST_BYTES = 2_000_000


def file_of(document: Document) -> bytes:
    """Return the file of a document."""
    return msgspec.json.format(msgspec.json.encode(plain(document)), indent=2) + b"\n"


def read(content: bytes, *, name: str = "file.json") -> Document:
    """Return the document of a file: a study, a method, or a foreign study. Raises BadDocument."""
    if len(content) > MOST_BYTES:
        raise BadDocument(
            "too_large",
            gettext("{name} is larger than {most_bytes} MB.").format(
                name=name, most_bytes=MOST_BYTES // 1_000_000
            ),
        )
    is_lines = name.lower().endswith((".jsonl", ".jsonl.gz"))  # a kind of study may read them
    try:
        data = None if is_lines else msgspec.json.decode(content)
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadDocument("json", gettext("{name} isn't valid JSON.").format(name=name)) from error
    if isinstance(data, dict) and data.get("format") == FORMAT:
        return computable(decoded(data))
    refused = []
    for kind, study_kind in registered_kinds().items():
        try:
            instrument = study_kind.read(content, name)
        except BadBank:
            raise
        except BadDocument as error:
            refused.append(translated_error(error))
        else:
            title = getattr(instrument, "title", "")
            return computable(
                document_of_methods(kind=kind, instruments=[instrument], title=title, corpus=None)
            )
    raise BadDocument(
        "unknown_format",
        gettext("{name} is neither a study nor a method: {refused}").format(
            name=name, refused=refused[0]
        ),
    )
