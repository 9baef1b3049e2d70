"""Update the translation catalogues: `python -m config.catalogues`, or `make messages`.

Messages are written in English in the source code. For each language, messages for workers are
collected in locale/<language>/LC_MESSAGES/: those of templates and Python in django.po, those of
scripts in djangojs.po. New messages have no translation until somebody adds one. The compiled .mo
files are committed, so that running the site needs no tools; Babel is a development dependency.

Messages for researchers are collected in locale/console.pot, a template for translators that is
built here and not committed.
"""

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from babel.messages import Catalog
from babel.messages.extract import (
    DEFAULT_KEYWORDS,
    extract_from_dir,
    extract_javascript,
    extract_python,
)
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT = Path(__file__).resolve().parent.parent
LOCALE = ROOT / "locale"
CONSOLE_TEMPLATE = LOCALE / "console.pot"
KEYWORDS = DEFAULT_KEYWORDS | {
    "gettext_lazy": None,
    "Sentence": (1, 2),
    "ProblemClass": (1, 2),
    "marked": None,
    "say": None,
    "sayCount": (1, 2),
}
Found = Iterator[tuple[Any, ...]]


def _templates(file: IO[bytes], keywords: Any, tags: Any, options: Any) -> Found:
    """Extract the messages of a template, from Django's form of it for xgettext."""
    code = templatize(file.read().decode()).encode()
    return extract_javascript(BytesIO(code), keywords, tags, options)


def _python(file: IO[bytes], keywords: Any, tags: Any, options: Any) -> Found:
    """Extract the messages of Python code, with the plural form of a Sentence if it has one."""
    messages: Found = extract_python(file, keywords, tags, options)
    for line, function, words, comments in messages:
        if function != "Sentence":
            yield line, function, words, comments
            continue
        literals = [words] if isinstance(words, str) else words or ()  # None: a name alone
        forms = [form for form in literals if form]
        if len(forms) > 1:
            yield line, "ngettext", tuple(forms[:2]), comments
        else:
            yield line, "gettext", forms[0] if forms else None, comments


def _scripts(file: IO[bytes], keywords: Any, tags: Any, options: Any) -> Found:
    """Extract the messages of modules that import words.js; others define their own `say`."""
    code = file.read()
    if b'/words.js"' not in code:
        return iter(())
    return extract_javascript(BytesIO(code), keywords, tags, options)


APPS = ("annotation", "judging", "writing", "analysis", "config")
SAID = [
    *((app, "**.py", _python) for app in APPS),
    ("templates", "**.html", _templates),
    ("templates", "**.txt", _templates),
]
SOURCES: dict[str, list[tuple[str, str, Any]]] = {
    "django": SAID,
    "djangojs": [("static/js", "**.js", _scripts)],
    "console": SAID,
}
DOMAINS = ("django", "djangojs")  # those that are translated

# Where only researchers read. All else is a worker's until it is said here, so that a sentence
# of a new place cannot go without its translation.
CONSOLE = (
    "analysis/",
    "annotation/people/access/",
    "annotation/console/builder/",
    "annotation/fieldwork/consenting/demographics.py",
    "annotation/fieldwork/consenting/importing_demographics.py",
    "annotation/fieldwork/consenting/erasing_participants.py",
    "annotation/fieldwork/consenting/erasing_study_data.py",
    "annotation/fieldwork/consenting/erasing_expired.py",
    "annotation/console/",
    "annotation/lists/",
    "annotation/corpora/",
    "annotation/studies/drafts/",
    "annotation/corpora/formats/",
    "annotation/models/access.py",
    "annotation/models/accounts.py",
    "annotation/models/corpus.py",
    "annotation/models/money.py",
    "annotation/models/platforms.py",
    "annotation/models/studies.py",
    "annotation/models/uploads.py",
    "annotation/models/work.py",
    "annotation/fieldwork/paying/",
    "annotation/links.py",
    "annotation/outgoing/",
    "annotation/fieldwork/platforms/",
    "annotation/fieldwork/recruiting/contracting.py",
    "annotation/fieldwork/recruiting/prolific/",
    "annotation/people/pseudonyms.py",
    "annotation/fieldwork/review/platform_states.py",
    "annotation/fieldwork/review/reviewing.py",
    "annotation/fieldwork/review/undoing.py",
    "annotation/fieldwork/review/saving_views.py",
    "annotation/console/qualification_views.py",
    "annotation/texts/untrusted.py",
    "annotation/fieldwork/screening/qualifying.py",
    "annotation/studies/",
    "annotation/fieldwork/trials/",
    "annotation/corpora/uploads/",
    "config/",
    "judging/drafts/sample_pages.py",
    "judging/drafts/check_faults.py",
    "judging/drafts/check_sheets.py",
    "judging/banks/",
    "judging/designers/designs.py",
    "judging/drafts/documents.py",
    "judging/design/known_items.py",
    "judging/drafts/systems.py",
    "judging/drafts/workload.py",
    "judging/pages/",
    "judging/design/plans.py",
    "judging/drafts/question_sheets.py",
    "judging/designers/questionnaires.py",
    "judging/drafts/warnings.py",
    "judging/design/document_scores.py",
    "judging/drafts/sheets.py",
    "judging/instruments/copying.py",
    "judging/instruments/methods.py",
    "judging/instruments/design_schema.py",
    "judging/instruments/schema.py",
    "judging/instruments/studyfiles.py",
    "judging/calls/",
    "judging/labels/",
    "judging/machines/",
    "judging/models/",
    "judging/raters/",
    "judging/queries/",
    "judging/review/evidence.py",
    "judging/review/waiting.py",
    "static/js/sort-by.js",
    "templates/analysis/",
    "templates/console/",
    "templates/judging/_console.html",
    "templates/judging/_exports.html",
    "templates/judging/_saved.html",
    "templates/writing/_console.html",
    "templates/writing/_exports.html",
    "templates/writing/_saved.html",
    "writing/editor/showing.py",
    "writing/log/backups.py",
    "writing/exports/formats.py",
    "writing/review/restoring.py",
    "writing/process/measured.py",
    "writing/review/views.py",
    "writing/instruments/schema.py",
    "writing/review/waiting.py",
    "writing/studies/",
)


def extracted(domain: str) -> Catalog:
    """All that the code says to people, without a translation."""
    catalogue = Catalog(charset="utf-8")
    for folder, pattern, method in SOURCES[domain]:
        for name, _, words, _, context in _said(folder, pattern, method):
            place = f"{folder}/{name}"
            if place.startswith(CONSOLE) == (domain == "console"):
                catalogue.add(words, locations=[(place, 0)], context=context)
    return catalogue


@cache  # workers and researchers are told from the same files, which are read once for both
def _said(folder: str, pattern: str, method: Any) -> list[tuple[Any, ...]]:
    """File, line, words, comments and context of all that is said in a folder, in their order."""
    messages = extract_from_dir(
        ROOT / folder, [(pattern, method)], keywords=KEYWORDS, strip_comment_tags=True
    )
    return sorted(messages, key=lambda message: (message[0], message[1]))


def languages() -> list[str]:
    return sorted(path.name for path in LOCALE.iterdir() if path.is_dir())


def path_of(language: str, domain: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / f"{domain}.po"


def kept(language: str, domain: str) -> Catalog:
    """Return the catalogue in the repository."""
    path = path_of(language, domain)
    if not path.exists():
        return Catalog(locale=language, charset="utf-8", fuzzy=False)
    with path.open("rb") as file:
        return read_po(file, locale=language, domain=domain)


def updated(language: str, domain: str) -> Catalog:
    """Return the stored catalogue with today's messages: new ones empty, old ones removed."""
    catalogue = kept(language, domain)
    catalogue.update(extracted(domain), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    return catalogue


def compiled(catalogue: Catalog) -> bytes:
    """Return the compiled catalogue; without the time of day it is reproducible."""
    catalogue.creation_date = catalogue.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    file = BytesIO()
    write_mo(file, catalogue)
    return file.getvalue()


def written(catalogue: Catalog) -> bytes:
    """Return a catalogue as a file, without dates and line numbers that change with the code."""
    file = BytesIO()
    header = ["MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8"]
    if catalogue.locale:
        header[:0] = [
            f"Language: {catalogue.locale_identifier}",
            f"Plural-Forms: {catalogue.plural_forms}",
        ]
    lines = "".join(f'"{line}\\n"\n' for line in header)
    file.write(f'msgid ""\nmsgstr ""\n{lines}\n'.encode())
    write_po(file, catalogue, omit_header=True, include_lineno=False, sort_by_file=True, width=100)
    return file.getvalue()


def main() -> int:
    """Write all catalogues, and return the number of messages without a translation."""
    missing = 0
    CONSOLE_TEMPLATE.write_bytes(written(extracted("console")))
    for language in sys.argv[1:] or languages():
        for domain in DOMAINS:
            path = path_of(language, domain)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(written(updated(language, domain)))
            catalogue = kept(language, domain)
            path.with_suffix(".mo").write_bytes(compiled(catalogue))
            empty = [m.id for m in catalogue if m.id and not _is_said(m.string)]
            missing += len(empty)
            for words in empty:
                sys.stdout.write(f"{language}: {words}\n")
    return missing


def _is_said(string: Any) -> bool:
    return all(string) if isinstance(string, tuple | list) else bool(string)


if __name__ == "__main__":
    sys.exit(bool(main()))
