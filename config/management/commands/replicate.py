"""`python manage.py replicate crowdrag25 --data DIR --out DIR`: a paper's tables, computed anew."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from analysis.replicating.cells import Cells
from annotation.crowdrag import BadCorpus, check_folder
from config.replicating import PartFailed, run_parts
from judging.crowdrag import FILES


class Command(BaseCommand):
    help = (
        "Replicates the tables and figures of Gienapp et al. (SIGIR 2025) from the Crowd RAG "
        "Corpus 2025: imports it into a scratch database, analyses, and writes tables.json and "
        "report.html, which set what is printed beside what is computed. The database that is "
        "configured is not touched."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=["crowdrag25"], help="the paper to replicate")
        parser.add_argument(
            "--data", type=Path, metavar="DIR", required=True, help="the folder of the corpus"
        )
        parser.add_argument(
            "--out", type=Path, metavar="DIR", required=True, help="the folder to write into"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        data, out = options["data"], options["out"]
        try:
            check_folder(data, FILES)
            out.mkdir(parents=True, exist_ok=True)
            cells = self._computed(data)
            text = json.dumps(cells.values | {"missing": cells.missing}, indent=1)
            (out / "tables.json").write_text(f"{text}\n", encoding="utf-8")
        except (BadCorpus, PartFailed) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{out} cannot be written: {error.strerror}.") from error

    def _computed(self, data: Path) -> Cells:
        cells = Cells()
        with tqdm(total=100, disable=None, leave=False, bar_format="{l_bar}{bar}{elapsed}") as bar:

            def show(done: float) -> None:
                bar.update(100 * done - bar.n)

            found = run_parts(("judging", "writing"), data=data, share=show)
        for part in found:
            cells.add(Cells(**part))
        return cells
