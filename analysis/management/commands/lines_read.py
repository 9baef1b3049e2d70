"""`python manage.py lines_read LOG`: find Lmax, the lines of a summary that users read."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.replication.papers.table_files import BadTable
from analysis.replication.query_logs import lines_of_log, mean_line_length
from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.summaries.query_log import lines_read
from analysis.stats.summaries.user_experience import CHARACTERS_A_MINUTE


class Command(BaseCommand):
    help = (
        "Compute Lmax from a query log (CSV or TSV): the column line or seconds, one row per "
        "view of a summary, or the columns user and time, one row per event."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("log", type=Path, metavar="LOG", help="CSV or TSV with a header row")
        parser.add_argument(
            "--share", type=float, default=0.95, help="share of views within Lmax (default: 0.95)"
        )
        parser.add_argument("--corpus", default="", help="corpus whose lines are measured")
        parser.add_argument(
            "--characters-a-line", type=float, help=("length of a line, instead of --corpus")
        )
        parser.add_argument("--language", choices=sorted(CHARACTERS_A_MINUTE), default="ko")
        parser.add_argument(
            "--characters-a-minute", type=float, help=("reading speed, instead of --language")
        )

    def handle(self, *args: Any, **options: Any) -> None:
        speed = options["characters_a_minute"] or CHARACTERS_A_MINUTE[options["language"]]
        length = options["characters_a_line"]
        if length is None and options["corpus"]:
            length = mean_line_length(options["corpus"])
            if length is None:
                raise CommandError(f"{options['corpus']} has no structured summaries.")
        try:
            lines, is_timed = lines_of_log(
                options["log"], characters_a_minute=speed, characters_a_line=length
            )
            found = lines_read(lines, share=options["share"])
        except (BadTable, BadSetting, CannotCompute) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Lmax {found.most_lines}: {found.views:,} views, median {found.median:.3g} lines, "
            f"{found.cut:.1%} read more."
        )
        if is_timed and length:
            minutes = found.most_lines * length / speed
            self.stdout.write(
                f"{found.most_lines} lines of {length:.3g} characters take {minutes:.3g} minutes "
                f"at {speed:,.0f} characters a minute."
            )
        self.stdout.write(f"analyse STUDY --set summaries.most_lines={found.most_lines}")
