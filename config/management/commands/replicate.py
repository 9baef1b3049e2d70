"""`python manage.py replicate PAPER --data DIR --out DIR`: recompute the tables of a paper."""

import time
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from analysis.replication.cells import TableCells, tables_json
from analysis.replication.paper_replication import PAPERS, RAGELO, outcome_of
from analysis.replication.papers.cells import Replica
from analysis.replication.papers.table_files import BadTable
from analysis.replication.ragelo.games import BadGames
from analysis.replication.report import report, summary
from analysis.stats.errors import CannotCompute
from annotation.corpora.crowdrag import BadCorpus, check_folder
from config.replicating import PartFailed, Stopped, run_parts
from judging.crowdrag.rows import FILES


class Command(BaseCommand):
    help = (
        "Recompute the tables of a paper from published data and compare them with the printed "
        "numbers, in report.html and tables.json. crowdrag25: Gienapp et al. (SIGIR 2025), in a "
        "temporary database. ragelo: Rackauckas et al. (2024), from "
        "pairwise_answers_evaluations.csv. popp, rubric, sgss: from the printed tables as CSV "
        "(docs/replicate-papers.md). Your database isn't changed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "what", choices=["crowdrag25", RAGELO, *PAPERS], help="paper to replicate"
        )
        parser.add_argument(
            "--data", type=Path, metavar="DIR", required=True, help="folder with the data"
        )
        parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="output folder")
        parser.epilog = "Example: manage.py replicate ragelo --data ragelo/ --out out/"

    def handle(self, *args: Any, **options: Any) -> None:
        if options["what"] in (RAGELO, *PAPERS):
            self._paper(options["what"], options["data"], options["out"])
        else:
            self._crowdrag(options["data"], options["out"])

    def _paper(self, paper: str, data: Path, out: Path) -> None:
        try:
            outcome = outcome_of(paper, data)
        except (BadGames, BadTable, CannotCompute) as error:
            raise CommandError(str(error)) from error
        with _writing(out):
            out.mkdir(parents=True, exist_ok=True)
            (out / "tables.json").write_text(outcome.tables_json, encoding="utf-8")
            (out / "report.html").write_text(outcome.report, encoding="utf-8")
        for agent, mean in outcome.agents:
            self.stdout.write(f"{agent:32} {mean:8.1f}")
        if outcome.replica is not None:
            self._tell(outcome.replica)
        for name, reason in outcome.unread.items():
            self.stdout.write(f"{name}: {reason}")
        self.stdout.write(f"{out / 'report.html'}")

    def _tell(self, replica: Replica) -> None:
        for table in replica.tables:
            for cell in table.wrong:
                self.stdout.write(
                    f"{table.name}: {cell.row}, {cell.column}: printed {cell.printed:g}, "
                    f"computed {cell.computed:.6g}. {cell.reason}"
                )
            for cell in table.cells:
                if not cell.comparable:
                    self.stdout.write(
                        f"{table.name}: {cell.row}, {cell.column}: {cell.computed:.6g} "
                        f"({cell.rule}). {cell.reason}"
                    )
        for name, reason in replica.missing.items():
            self.stdout.write(f"{name}: {reason}")
        self.stdout.write(f"{replica.wrong:,} of {replica.printed:,} printed numbers differ.")

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
        self.stdout.write(f"\n{steps}; total {time.monotonic() - began:.0f} s")
        self.stdout.write(f"{out / 'report.html'}")

    def _computed(self, data: Path) -> TableCells:
        cells = TableCells()
        with tqdm(total=100, disable=None, leave=False, bar_format="{l_bar}{bar}{elapsed}") as bar:

            def show(done: float) -> None:
                bar.update(100 * done - bar.n)

            parts = run_parts(("judging", "writing"), data=data, share=show)
        for part in parts:
            cells.add(TableCells(**part))
        return cells


@contextmanager
def _writing(out: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise CommandError(f"Can't write {out}: {error.strerror}.") from error
