"""`python manage.py replicate PAPER --data DIR --out DIR`: a paper's tables, recomputed."""

import json
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from analysis.replication.cells import Cells
from analysis.replication.papers import popp, rubric, sgss
from analysis.replication.papers.reading import BadTable
from analysis.replication.papers.report import report as paper_report
from analysis.replication.ragelo import tables as ragelo
from analysis.replication.ragelo.reading import BadGames, read_games
from analysis.replication.ragelo.report import report as ragelo_report
from analysis.replication.report import report
from analysis.replication.summary import summary
from analysis.replication.tables_file import tables_json
from analysis.stats.errors import CannotCompute
from annotation.corpora.crowdrag import BadCorpus, check_folder
from config.replicating import PartFailed, Stopped, run_parts
from judging.crowdrag.rows import FILES

PAPERS = {"popp": popp.replicate, "rubric": rubric.replicate, "sgss": sgss.replicate}


class Command(BaseCommand):
    help = (
        "Replicates the tables of a paper from its published data and writes tables.json and "
        "report.html, which set what is printed beside what is computed. crowdrag25: Gienapp et "
        "al. (SIGIR 2025), by way of a scratch database. ragelo: Rackauckas et al. (2024), from "
        "the games in pairwise_answers_evaluations.csv. popp, rubric, sgss: from the tables that "
        "the papers print, as CSV (docs/replicate-papers.md). The database that is configured is "
        "not touched."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=["crowdrag25", "ragelo", *PAPERS], help="the paper")
        parser.add_argument(
            "--data", type=Path, metavar="DIR", required=True, help="the folder of its data"
        )
        parser.add_argument(
            "--out", type=Path, metavar="DIR", required=True, help="the folder to write into"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["what"] == "ragelo":
            self._ragelo(options["data"], options["out"])
        elif options["what"] in PAPERS:
            self._paper(options["what"], options["data"], options["out"])
        else:
            self._crowdrag(options["data"], options["out"])

    def _ragelo(self, data: Path, out: Path) -> None:
        try:
            found = ragelo.tables(read_games(data))
        except (BadGames, CannotCompute) as error:
            raise CommandError(str(error)) from error
        _write(out, found, ragelo_report(found))
        ratings = found["elo"]["float"]
        for agent in sorted(ratings, key=lambda each: -ratings[each]["mean"]):
            self.stdout.write(f"{agent:32} {ratings[agent]['mean']:8.1f}")
        self.stdout.write(f"{out / 'report.html'}")

    def _paper(self, what: str, data: Path, out: Path) -> None:
        try:
            found = PAPERS[what](data)
        except BadTable as error:
            raise CommandError(str(error)) from error
        _write(out, found.as_json(), paper_report(found))
        for table in found.tables:
            for cell in table.wrong:
                self.stdout.write(
                    f"{table.name}: {cell.row}, {cell.column}: {cell.printed:g} is printed, "
                    f"{cell.computed:.6g} is right. {cell.reason}"
                )
        for name, why in found.missing.items():
            self.stdout.write(f"{name}: {why}")
        self.stdout.write(f"{found.printed:,} printed numbers, {found.wrong:,} differ")
        self.stdout.write(f"{out / 'report.html'}")

    def _crowdrag(self, data: Path, out: Path) -> None:
        began = time.monotonic()
        try:
            check_folder(data, FILES)
            with _writing(out):
                out.mkdir(parents=True, exist_ok=True)
            cells = self._computed(data)
        except (BadCorpus, PartFailed) as error:
            raise CommandError(str(error)) from error
        except Stopped as stopped:
            raise CommandError(str(stopped), returncode=128 + stopped.signum) from stopped
        with _writing(out):
            (out / "tables.json").write_text(tables_json(cells), encoding="utf-8")
            (out / "report.html").write_text(report(cells), encoding="utf-8")
        for line in summary(cells):
            self.stdout.write(line)
        steps = ", ".join(f"{step} {seconds:.0f} s" for step, seconds in cells.seconds.items())
        self.stdout.write(f"\n{steps}; in all {time.monotonic() - began:.0f} s")
        self.stdout.write(f"{out / 'report.html'}")

    def _computed(self, data: Path) -> Cells:
        cells = Cells()
        with tqdm(total=100, disable=None, leave=False, bar_format="{l_bar}{bar}{elapsed}") as bar:

            def show(done: float) -> None:
                bar.update(100 * done - bar.n)

            found = run_parts(("judging", "writing"), data=data, share=show)
        for part in found:
            cells.add(Cells(**part))
        return cells


def _write(out: Path, found: dict[str, Any], page: str) -> None:
    with _writing(out):
        out.mkdir(parents=True, exist_ok=True)
        text = json.dumps(found, indent=1, allow_nan=False, ensure_ascii=False)
        (out / "tables.json").write_text(f"{text}\n", encoding="utf-8")
        (out / "report.html").write_text(page, encoding="utf-8")


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CommandError(f"{out} cannot be written: {error.strerror}.") from error
