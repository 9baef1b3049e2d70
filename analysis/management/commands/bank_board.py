"""`python manage.py bank_board CORPUS BANK`: print the leaderboard of a bank."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.analyses.bank_board import K
from analysis.inputs.bank_cells import POOLS
from analysis.pages.banks.board_view import heading, lead_sentence
from analysis.pages.banks.boards import Choice, as_json, assignments, shown_board
from annotation.models import Corpus
from annotation.refusals import Refusal
from judging.models import Bank


class Command(BaseCommand):
    help = "Print the leaderboard of a bank from the grades of all its studies."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("corpus", help="slug of the corpus")
        parser.add_argument("bank", help="name of the bank")
        parser.add_argument("--pool", choices=list(POOLS), default="", help="raters")
        parser.add_argument("--measure", default="", help="measure that orders the systems")
        parser.add_argument("--revision", type=int, help="default: the current one")
        parser.add_argument("--before", type=int, help="earlier revision to compare with")
        parser.add_argument("-k", type=int, default=K, help="ranking depth (default: 20)")
        parser.add_argument("--json", action="store_true", help="print the leaderboard as JSON")
        parser.add_argument(
            "--assignments", action="store_true", help="print nuggetizer assignments"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        bank = Bank.objects.filter(
            corpus__in=Corpus.objects.there().filter(slug=options["corpus"]), name=options["bank"]
        ).first()
        if bank is None:
            raise CommandError(f"Bank {options['bank']!r} doesn't exist in this corpus.")
        names = ("pool", "measure", "revision", "before", "k")
        choice = Choice(**{name: options[name] for name in names})
        try:
            if options["assignments"]:
                for line in assignments(bank, choice):
                    self.stdout.write(line)
                return
            shown = shown_board(bank, choice)
        except Refusal as error:
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(as_json(shown), ensure_ascii=False))
            return
        self.stdout.write(f"{heading(shown)}. {lead_sentence(shown)}".strip())
        for row in shown.board.rows.to_dict("records"):
            ends = f"  {row['low']:.4f} {row['high']:.4f}" if row["low"] == row["low"] else ""
            self.stdout.write(f"{row['measure']:<20}{row['system']:<24}{row['value']:.4f}{ends}")
        if shown.changed is not None:
            for row in shown.changed.board.to_dict("records"):
                self.stdout.write(f"{'difference':<20}{row['system']:<24}{row['difference']:+.4f}")
