"""`python manage.py import_corpus SLUG FILE...`: import a corpus from files."""

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.importing import ImportRefused, Progress, import_corpus
from annotation.corpora.remedies import PROBLEMS, BadChoice, Remedy, RemedyChoices
from annotation.corpora.schema import BadLine, RowKind
from annotation.corpora.uploads.gathering import HEADERS
from annotation.management.owners import add_owner_option, owners_of
from annotation.models import Origin


def corpus_file(argument: str) -> CorpusFile:
    """Return the file of an argument: FILE, or KIND=FILE where its keys do not tell."""
    kind, _, path = argument.partition("=")
    if path and kind in list(RowKind):
        return CorpusFile(Path(path), kind=RowKind(kind), name=path)
    return CorpusFile(Path(argument), name=argument)


@contextmanager
def progress_bar(files: list[CorpusFile]) -> Iterator[Progress]:
    """Show the progress in bytes on stderr if that is a terminal."""
    paths = [file.source for file in files if isinstance(file.source, Path)]
    total = sum(path.stat().st_size for path in paths if path.is_file())
    read: dict[str, int] = {}
    with tqdm(total=total, unit="B", unit_scale=True, disable=None, leave=False) as bar:

        def show(label: str, position: int, _row: int) -> None:
            bar.set_description(label, refresh=False)
            bar.update(position - read.get(label, 0))
            read[label] = position

        yield show


def counted(count: int, lines: list[BadLine]) -> Iterator[str]:
    """Yield the lines that a report holds, and how many more there are."""
    yield from map(str, lines)
    if count > len(lines):
        yield f"and {count - len(lines):,} more"


def choices_of(arguments: list[str]) -> RemedyChoices:
    """Return the choices of arguments such as empty_answer=skip. Raises CommandError."""
    data: dict[str, dict[str, Any]] = {}
    for argument in arguments:
        code, _, choice = argument.partition("=")
        remedy, _, value = choice.partition(":")
        one = data.setdefault(code, {"values": {}})
        one["remedy"] = remedy
        if remedy == Remedy.MAP:
            old, _, new = value.partition("=")
            one["values"][old] = new
        else:
            one["value"] = value
    try:
        return RemedyChoices.from_json(data)
    except BadChoice as error:
        raise CommandError(str(error)) from error


class Command(BaseCommand):
    help = (
        "Import topics, passages, systems, rankings and responses into a corpus. If a row has a "
        "problem, nothing is imported. Identical rows that exist already stay unchanged. Formats: "
        "JSONL, CSV, and TREC topics and runs (.trec, .run, .txt, .tsv), plain or .gz, in any "
        "order; structured summaries as JSONL; study1_retrieval and study1_responses of the Crowd "
        "RAG Corpus 2025 as published."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="name of the corpus in URLs, such as crowdrag25")
        parser.add_argument(
            "files",
            nargs="+",
            metavar="FILE",
            type=corpus_file,
            help=f"file to import; KIND=FILE sets its kind ({', '.join(RowKind)})",
        )
        parser.add_argument("--name", default="", help="name of a new corpus (default: its slug)")
        parser.add_argument("--licence", default="", help="licence, such as CC BY 4.0")
        parser.add_argument(
            "--origin", choices=Origin.values, help="author type of responses that have none"
        )
        parser.add_argument(
            "--unknown-citations",
            choices=["refuse", "report"],
            default="refuse",
            help="citations of unknown passages: refuse the import, or drop and report them",
        )
        parser.add_argument(
            "--unknown-systems",
            choices=["refuse", "make"],
            default="refuse",
            help="responses of unknown systems: refuse the import, or create the systems",
        )
        parser.add_argument(
            "--unknown-passages",
            choices=["refuse", "report"],
            default="refuse",
            help="ranked passages without a row: refuse the import, or drop and report them",
        )
        parser.add_argument(
            "--header-row",
            choices=list(HEADERS),
            default="",
            metavar="N",
            help="row of each table that names its columns, 1 to 20, or none (default: detected)",
        )
        parser.add_argument(
            "--remedy",
            action="append",
            default=[],
            metavar="PROBLEM=REMEDY",
            help="how to handle rows with a problem (repeatable), such as empty_answer=skip, "
            "blank_field=replace:unknown or missing_topic=map:q7=t7. "
            + "; ".join(f"{code}: {', '.join(one.remedies)}" for code, one in PROBLEMS.items()),
        )
        parser.add_argument(
            "--degraded-copies",
            action="store_true",
            help="also create copies of structured summaries without headings or section 1",
        )

        add_owner_option(parser)
        parser.epilog = "Example: manage.py import_corpus mine annotation/demo/*.jsonl"

    def handle(self, *args: Any, **options: Any) -> None:
        owners = owners_of(options["owner"])
        choices = choices_of(options["remedy"])
        header = HEADERS[options["header_row"]]
        files = [replace(file, header=header) for file in options["files"]]
        try:
            with progress_bar(files) as progress:
                report = import_corpus(
                    slug=options["slug"],
                    name=options["name"],
                    licence=options["licence"],
                    files=files,
                    origin=options["origin"],
                    unknown_citations=options["unknown_citations"],
                    unknown_passages=options["unknown_passages"],
                    unknown_systems=options["unknown_systems"],
                    degraded_copies=options["degraded_copies"],
                    choices=choices,
                    progress=progress,
                    owners=owners,
                )
        except ImportRefused as refusal:
            bad = counted(refusal.report.bad_line_count, refusal.report.bad_lines)
            raise CommandError("\n".join((str(refusal), *bad))) from refusal
        for warning in counted(report.warning_count, report.warnings):
            self.stderr.write(self.style.WARNING(f"warning: {warning}"))
        for remark in report.remarks:
            self.stderr.write(self.style.WARNING(f"warning: {remark}"))
        for problem in report.problems.as_json(choices):
            code, chosen = problem["code"], problem["chosen"]
            self.stderr.write(f"{code}: {problem['count']:,} rows, remedy {chosen}")
        for kind in sorted({*report.added, *report.unchanged}):
            added, unchanged = report.added[kind], report.unchanged[kind]
            self.stdout.write(f"{kind}: {added:,} added, {unchanged:,} unchanged")
