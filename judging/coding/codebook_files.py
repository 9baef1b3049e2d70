"""Codebook files: JSON with groups of codes, or CSV with one row per code. Only reads."""

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec
from django.utils.text import slugify

from annotation.refusals import Refusal
from annotation.texts.sentences import Sentence
from annotation.texts.spreadsheets import Csv
from judging.models import CodebookVersion

FORMATS = ("json", "csv")
LIMIT = 1_000_000  # bytes
MOST_CODES = 1_000
MOST_COLUMNS = 50
COLUMNS = ("group", "code", "definition", "examples", "key")
BETWEEN = " | "  # examples of a code in a cell
CHOOSE = Sentence("Choose a codebook.")
TEMPLATES = Path(__file__).parent / "templates"
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Words = Annotated[str, msgspec.Meta(max_length=5000)]


class BadCodebook(Refusal):
    """A file that can't be read as a codebook."""

    def __init__(self, code: str, sentence: Sentence) -> None:
        super().__init__(code, sentence, status=422)


class CodeSpec(msgspec.Struct, frozen=True):
    name: Name
    definition: Words = ""
    examples: Annotated[list[Words], msgspec.Meta(max_length=50)] = []
    key: Annotated[str, msgspec.Meta(max_length=200)] = ""


class GroupSpec(msgspec.Struct, frozen=True):
    codes: list[CodeSpec]
    name: Annotated[str, msgspec.Meta(max_length=200)] = ""


class CodebookFile(msgspec.Struct, frozen=True):
    groups: list[GroupSpec]
    name: Annotated[str, msgspec.Meta(max_length=200)] = ""
    description: Words = ""
    source: Words = ""


def read(content: bytes) -> CodebookFile:
    """Return the codebook of a JSON or CSV file, each code with a key. Raises BadCodebook."""
    if len(content) > LIMIT:
        raise BadCodebook("codebook_too_large", Sentence("A codebook can be up to 1 MB."))
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadCodebook("codebook_not_utf8", Sentence("The file is not UTF-8.")) from error
    file = _json(text) if text.lstrip().startswith("{") else _csv(text)
    if "\x00" in text or any("\x00" in words for words in _texts(file)):  # JSON may escape it
        raise BadCodebook("codebook_has_nul", Sentence("The file contains a NUL character."))
    return with_keys(file)


def _texts(file: CodebookFile) -> Iterator[str]:
    yield from (file.name, file.description, file.source)
    for group in file.groups:
        yield group.name
        for code in group.codes:
            yield from (code.name, code.definition, code.key, *code.examples)


def _json(text: str) -> CodebookFile:
    try:
        return msgspec.json.decode(text.encode(), type=CodebookFile)
    except (msgspec.MsgspecError, RecursionError, UnicodeEncodeError) as error:
        sentence = Sentence("Not a valid codebook: {fault}", fault=str(error))
        raise BadCodebook("codebook_bad_json", sentence) from error


def _csv(text: str) -> CodebookFile:
    """Return the codes of a table separated by commas, semicolons or tabs."""
    separator = max(",;\t", key=text.split("\n", 1)[0].count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    groups: dict[str, list[CodeSpec]] = {}
    try:
        names = [name.strip().lower() for name in next(rows, [])]
        if len(names) > MOST_COLUMNS or "code" not in names:
            raise csv.Error
        for n, row in enumerate(row for row in rows if any(row)):
            if n == MOST_CODES:
                raise _count()
            cells = dict(zip(names, (cell.strip() for cell in row), strict=False))
            groups.setdefault(cells.get("group", "")[:201], []).append(_code(cells))
        groups_spec = [msgspec.convert({"name": name, "codes": []}, GroupSpec) for name in groups]
    except (csv.Error, msgspec.ValidationError) as error:
        sentence = Sentence(
            "Line {line}: expected the columns group, code, definition and examples.",
            line=max(rows.line_num, 1),
        )
        raise BadCodebook("codebook_bad_csv", sentence) from error
    return CodebookFile(
        [msgspec.structs.replace(group, codes=groups[group.name]) for group in groups_spec]
    )


def _code(cells: dict[str, str]) -> CodeSpec:
    examples = [one.strip() for one in cells.get("examples", "").split(BETWEEN.strip())]
    spec = {
        "name": cells.get("code", ""),
        "definition": cells.get("definition", ""),
        "examples": [one for one in examples if one],
        "key": cells.get("key", ""),
    }
    return msgspec.convert(spec, CodeSpec)


def _count() -> BadCodebook:
    sentence = Sentence("A codebook needs 1 to {most} codes.", most=MOST_CODES)
    return BadCodebook("codebook_code_count", sentence)


def with_keys(file: CodebookFile) -> CodebookFile:
    """Return the codebook with a key for each code; equal ones are numbered.

    Raises BadCodebook for a name or a written key that occurs twice.
    """
    codes = [(group, code) for group in file.groups for code in group.codes]
    if not 0 < len(codes) <= MOST_CODES:
        raise _count()
    names = Counter((group.name.casefold(), code.name.casefold()) for group, code in codes)
    keys = Counter(code.key for _, code in codes if code.key)
    for twice in [name for (_, name), n in names.items() if n > 1] + [
        key for key, n in keys.items() if n > 1
    ]:
        sentence = Sentence("The code “{name}” is listed twice.", name=twice[:80])
        raise BadCodebook("codebook_code_twice", sentence)
    taken = set(keys)

    def numbered(group: str, name: str) -> str:
        key = key_of(group, name)
        names = (key, *(f"{key[:190]}-{n}" for n in range(2, MOST_CODES + 2)))
        free = next(name for name in names if name not in taken)
        taken.add(free)
        return free

    groups = [
        msgspec.structs.replace(
            group,
            codes=[
                msgspec.structs.replace(code, key=code.key or numbered(group.name, code.name))
                for code in group.codes
            ],
        )
        for group in file.groups
        if group.codes
    ]
    return msgspec.structs.replace(file, groups=groups)


def key_of(group: str, name: str) -> str:
    """Return the key of a code: its group and name in lower case."""
    words = [slugify(part, allow_unicode=True) or part.strip() for part in (group, name) if part]
    return "/".join(words)[:200]


def file_of(version: CodebookVersion) -> CodebookFile:
    """Return a version of a codebook in the file format."""
    groups: dict[str, list[CodeSpec]] = {}
    for code in version.codes.order_by("position"):
        spec = CodeSpec(code.name, code.definition, code.examples, code.key)
        groups.setdefault(code.group, []).append(spec)
    return CodebookFile(
        groups=[GroupSpec(codes, name) for name, codes in groups.items()],
        name=version.codebook.name,
        description=version.description,
        source=version.source,
    )


def written(file: CodebookFile, format: str) -> bytes:
    """Return a codebook as the text of a JSON or CSV file."""
    if format == "json":
        content = json.dumps(msgspec.to_builtins(file), ensure_ascii=False, indent=2)
        return f"{content}\n".encode()
    cells = [
        (group.name, code.name, code.definition, BETWEEN.join(code.examples), code.key)
        for group in file.groups
        for code in group.codes
    ]
    return Csv().lines([COLUMNS, *cells]).encode()


@cache
def templates() -> dict[str, CodebookFile]:
    """Return the built-in codebooks by file name."""
    return {path.stem: read(path.read_bytes()) for path in sorted(TEMPLATES.glob("*.json"))}
