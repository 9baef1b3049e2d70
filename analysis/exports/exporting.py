"""Export of a study: one streamed file, or all files in a folder with a manifest.

The same data give the same bytes.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from itertools import groupby
from pathlib import Path
from typing import IO, Any

from django.conf import settings

from analysis.exports import catalogue as exports
from analysis.exports import encodings
from analysis.exports.catalogue import File, Table
from analysis.exports.dictionary import describe
from analysis.exports.encodings import Row
from analysis.exports.second_process import SecondProcess, can_fork, require_first
from analysis.exports.source import CannotExport, ExportSource
from analysis.exports.table_files import table_files
from analysis.inputs.settings import PEOPLE, in_force
from analysis.models import AnalysisRun
from analysis.runs.findings import missing
from annotation.clock import database_now
from annotation.models import Study
from annotation.texts.translation import translated_error
from judging.raters.pools import Pool

# Other versions of these may differ in the last digits (docs/methods/reproducibility.md).
PACKAGES = ("numpy", "scipy", "pandas", "krippendorff", "choix")
OLD_RUNS = "runs.txt"  # of all systems together, in exports of earlier versions
MANIFEST, DICTIONARY, RESULTS = "manifest.json", "DATA.md", "tables"
# Half of the work of a large export. Ratings stay: the manifest names the items that they found
# changed.
BESIDE = ("votes", "participants", "assignments")
LARGE = 100_000  # judgments; below, a second process gains little

Progress = Callable[[str, int, int], None]  # table, items read, of how many


@dataclass(frozen=True)
class ExportedFile:
    file: str
    rows: int
    bytes: int
    sha256: str


Written = tuple[list[ExportedFile], dict[str, str]]  # files, and reasons for those left out
WrittenBeside = tuple[dict[str, list[ExportedFile]], dict[str, str]]  # likewise, files by table


@dataclass(frozen=True)
class Manifest:
    """Files of an export and their origin; `left_out` maps missing files to reasons."""

    study: str
    study_version: int
    exported_at: str
    code_version: str
    packages: dict[str, str]
    run: dict[str, Any] | None
    files: list[ExportedFile]
    left_out: dict[str, str]
    notes: list[str]


def stream(*, source: ExportSource, name: str) -> Iterator[bytes]:
    """Return one file as a stream. Raises CannotExport before the first bytes."""
    file = exports.file_named(source, name)
    batches = encodings.batches_if_any(file.rows(source))
    if batches is None:
        raise exports.no_rows(source.study, name)
    return _stream(source, file, batches)


def _stream(source: ExportSource, file: File, batches: Iterable[list[Row]]) -> Iterator[bytes]:
    encoder = file.encoder(source)
    yield encoder.start()
    for rows in batches:
        yield encoder.rows(file.spread(rows))
    yield encoder.end()


def write_bundle(
    *,
    study: Study,
    out: Path,
    progress: Progress | None = None,
    pool: str = "",
    secret: bool = False,
) -> Manifest:
    """Write every export into the folder, each file as a whole or not at all.

    Files that only an earlier export has are removed. Of a large study a second process writes
    the tables BESIDE. Raises CannotExport if there is nothing to export, and OSError.
    """
    reporter = Reporter(progress)
    source = ExportSource.of(study, step=reporter, pool=pool, secret=secret)
    bundle = Bundle(source=source, out=out, reporter=reporter)
    if out.exists() and not out.is_dir():
        raise CannotExport("not_a_folder", f"{out} is a file. Choose a folder.")
    out.mkdir(parents=True, exist_ok=True)
    (out / MANIFEST).unlink(missing_ok=True)
    for old in [*(out / RESULTS).glob("*.csv"), *(out / RESULTS).glob("*.tex")]:
        old.unlink()
    names = bundle.write_beside() if _is_large(study) and can_fork() else bundle.write()
    _remove_others(out, set(names))
    return bundle.manifest()


def _is_large(study: Study) -> bool:
    return Pool().judgments(study=study).count() >= LARGE


class Bundle:
    """All exports of a study, written file by file into a folder.

    1. Each table is read once and written in all its formats.
    2. Tables that the study cannot have, and those without rows, are left out, with the reason.
    3. Every stored table of the run is written into the folder tables/.
    4. The manifest comes last: without it the export is not complete.
    """

    def __init__(
        self, *, source: ExportSource, out: Path, reporter: "Reporter | None" = None
    ) -> None:
        """Raise CannotExport (nothing_to_export) if the study has no table."""
        if not exports.offered_tables(source):
            raise CannotExport(
                "nothing_to_export",
                f"Study {source.study.slug} has nothing to export: no items, approved texts or "
                "participants. To export the logs of a writing study, use export_logs.",
            )
        self.source, self.out = source, out
        self.reporter = reporter or Reporter(None)
        self.files: list[ExportedFile] = []
        self.left_out: dict[str, str] = {}
        self._by_table: dict[str, list[str]] = {}

    def write(self) -> Iterator[str]:
        """Write the files, and yield the name of each complete one."""
        for table in exports.tables_of(self.source):
            yield from self._noted(self._write_table(table))
        yield from self._write_rest()

    def write_beside(self) -> list[str]:
        """Write the same files, those of BESIDE by a second process; return their names."""
        tables, places = exports.tables_of(self.source), dict[str, int]()
        beside = [table for table in tables if table.name in BESIDE]
        with SecondProcess(lambda: self._tables_alone(beside)) as second:
            for table in tables:
                if table in beside:
                    places[table.name] = len(self.files)
                else:
                    list(self._noted(self._write_table(table)))
            list(self._write_rest(lambda: self._insert(places, second)))
        return [*(file.file for file in self.files), MANIFEST]

    def _tables_alone(self, tables: Sequence[Table]) -> WrittenBeside:
        """Write these tables, in a fork."""
        self.reporter.progress = require_first
        return {table.name: [*self._write_table(table)] for table in tables}, self.left_out

    def _insert(self, places: Mapping[str, int], second: SecondProcess[WrittenBeside]) -> None:
        """Put the files of the second process at the places of their tables."""
        self.reporter.table = BESIDE[0]
        self.reporter(0, 1)
        written, reasons = second.answer()
        for name, place in reversed([*places.items()]):
            self.files[place:place] = written[name]
            self._by_table[name] = [file.file for file in written[name]]
        self.left_out |= reasons

    def _write_rest(self, before: Callable[[], None] = lambda: None) -> Iterator[str]:
        """Write the tables of the run; after `before`, data dictionary and manifest."""
        yield from self._noted(_write_results(self.source, self.out / RESULTS))
        before()
        text = describe(self.source, self._by_table)
        yield from self._noted([_write_text(self.out / DICTIONARY, text)])
        manifest = json.dumps(asdict(self.manifest()), indent=1, ensure_ascii=False)
        yield _write_text(self.out / MANIFEST, manifest + "\n").file

    def _noted(self, files: Iterable[ExportedFile]) -> Iterator[str]:
        for file in files:
            self.files.append(file)
            yield file.file

    def _write_table(self, table: Table) -> Iterator[ExportedFile]:
        try:
            table.check(self.source)
        except CannotExport as reason:
            self.left_out |= {
                f"{table.name}.{ending}": translated_error(reason) for ending in table.formats
            }
            return
        self.reporter.table = table.name
        for _, formats in groupby(exports.files_of(self.source, table), lambda each: each.stem):
            written, reasons = _write_table(self.source, list(formats), self.out)
            self.left_out |= reasons
            self._by_table.setdefault(table.name, []).extend(file.file for file in written)
            yield from written

    def manifest(self) -> Manifest:
        """Return the manifest of the files written so far."""
        return _manifest(self.source, self.files, self.left_out)


@dataclass
class Reporter:
    """Hands on how far the table at hand is: `step` of an ExportSource, `reporter` of a Bundle."""

    progress: Progress | None
    table: str = ""

    def __call__(self, done: int, total: int) -> None:
        if self.progress:
            self.progress(self.table, done, total)


def _manifest(
    source: ExportSource, files: list[ExportedFile], left_out: dict[str, str]
) -> Manifest:
    return Manifest(
        study=source.study.slug,
        study_version=source.study.version,
        exported_at=database_now().isoformat(timespec="seconds"),
        code_version=settings.VERSION,
        packages={name: version(name) for name in PACKAGES},
        run=_origin(source.run) if source.run else None,
        files=files,
        left_out=left_out,
        notes=_notes(source),
    )


def _origin(run: AnalysisRun) -> dict[str, Any]:
    return {
        "id": run.pk,
        "code_version": run.version,
        "digest": run.digest,
        "seed": run.seed,
        "parameters": in_force(run.parameters),
        "pool": run.pool,
        "intervals": run.intervals,
        "batch": run.batch and run.batch.number,
        "finished_at": run.finished_at and run.finished_at.isoformat(timespec="seconds"),
    }


def _notes(source: ExportSource) -> list[str]:
    if source.run is None:
        return []
    notes = []
    if source.run.pool != PEOPLE:
        notes.append(
            f"Run {source.run.pk} analyses answers of {Pool(source.run.pool)}: ratings, gold "
            "labels, grades and tables are based on them. Votes are by people."
        )
    if source.run.is_sequential:
        notes.append(
            f"The study was open during run {source.run.pk}: intervals and p-values are "
            "anytime-valid. Fixed-sample intervals appear when the study closes."
        )
    notes += [
        f"{analysis} {question}: {reason}".replace(" :", ":").removeprefix(": ")
        for analysis, question, reason in missing(source.run)
    ]
    if source.run.said_without:
        notes.append(source.run.said_without)
    if source.run.overtaken:
        withdrawn = f"A participant of run {source.run.pk} has withdrawn."
        other = f"Answers in run {source.run.pk} have changed since then."
        notes.append(
            f"{withdrawn if source.run.pool == PEOPLE else other} Their rows are not exported; "
            "gold labels, grades and tables still include their answers. A new analysis starts "
            "automatically. Export again when it has finished."
        )
    if changed := len(source.changed):
        notes.append(
            f"{changed:,} items gained or lost votes since run {source.run.pk}, the source of "
            "gold labels and grades. Run the analysis again, then export."
        )
    return notes


# -- Files -------------------------------------------------------------------------------------


class _PartialFile:
    """File that takes its name when it is complete."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.partial = path.with_name(f".{path.name}.partial")
        self.file: IO[bytes] = self.partial.open("wb")
        self.sha256 = hashlib.sha256()
        self.rows = self.bytes = 0

    def __enter__(self) -> "_PartialFile":
        return self

    def write(self, data: bytes, rows: int = 0) -> None:
        self.file.write(data)
        self.sha256.update(data)
        self.bytes += len(data)
        self.rows += rows

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.file.close()
        if kind is None:
            self.partial.replace(self.path)
        else:
            with suppress(OSError):
                self.partial.unlink()

    def written(self) -> ExportedFile:
        return ExportedFile(self.path.name, self.rows, self.bytes, self.sha256.hexdigest())


def _remove_others(out: Path, written: Collection[str]) -> None:
    """Remove the files that only an earlier export has, also runs of other systems."""
    old = {*exports.FILES, OLD_RUNS}
    for table in exports.TABLES.values():
        if table.parts is not None:
            for ending in table.formats:
                old |= {path.name for path in out.glob(f"{table.prefix}*.{ending}")}
    for name in old.difference(written):
        (out / name).unlink(missing_ok=True)


def _write_table(source: ExportSource, files: list[File], out: Path) -> Written:
    """Write a table in its formats, from one reading; without rows it is left out."""
    batches = encodings.batches_if_any(files[0].rows(source))
    if batches is None:
        return [], {
            file.name: translated_error(exports.no_rows(source.study, file.name)) for file in files
        }
    with ExitStack() as stack:
        sinks = [
            (file, file.encoder(source), stack.enter_context(_PartialFile(out / file.name)))
            for file in files
        ]
        for _, encoder, file in sinks:
            file.write(encoder.start())
        for batch in batches:
            for sink, encoder, file in sinks:
                rows: list[Row] = sink.spread(batch)
                file.write(encoder.rows(rows), len(rows))
        for _, encoder, file in sinks:
            file.write(encoder.end())
    return [file.written() for _, _, file in sinks], {}


def _write_results(source: ExportSource, folder: Path) -> Iterator[ExportedFile]:
    for name, rows, blocks in table_files(source.run) if source.run else ():
        folder.mkdir(exist_ok=True)
        with _PartialFile(folder / name) as file:
            file.rows = rows
            for block in blocks:
                file.write(block)
        yield replace(file.written(), file=f"{RESULTS}/{name}")


def _write_text(path: Path, text: str) -> ExportedFile:
    with _PartialFile(path) as file:
        file.write(text.encode())
    return file.written()
