"""`python manage.py batch STUDY NUMBER ACT`: change a batch, as on *Recruit*."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.clock import database_now
from annotation.models import Batch, Study
from annotation.studies import batch_acts, batching
from annotation.studies.act_effects import terms_of, terms_of_batches
from annotation.studies.batch_acts import ACTS
from annotation.studies.creating import RefusedSetting

FIGURES = {
    "pay": "new pay per task",
    "minutes": "new planned minutes per task",
    "votes": "participants per task; for extend: additional participants",
    "topics": "number of additional topics",
    "items": "for undecided: maximum number of items",
}


class Command(BaseCommand):
    help = (
        "Preview the effect of an action on a batch (places, cost); perform it with --yes. Without "
        "an action: list the batches and their available actions."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study (newest version)")
        parser.add_argument("number", nargs="?", type=int, help="number of the batch")
        parser.add_argument("act", nargs="?", choices=list(ACTS), help="action")
        for name, says in FIGURES.items():
            parser.add_argument(f"--{name}", help=says)
        parser.add_argument("--yes", action="store_true", help="perform the action")
        parser.add_argument(
            "--confirmed",
            action="store_true",
            help="perform the action even if it exceeds the budget",
        )
        parser.epilog = "Example: manage.py batch which-is-better 1 extend --votes 2 --yes"

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).order_by("-version").first()
        if study is None:
            raise CommandError(f"Study {options['study']!r} doesn't exist.")
        if options["act"] is None:
            self._list(study, options["number"])
            return
        batch = study.batches.filter(number=options["number"]).first()
        if batch is None:
            raise CommandError(f"Study {study.slug!r} has no batch {options['number']}.")
        batch.study = study
        given = {name: options[name] for name in FIGURES if options[name] is not None}
        try:
            self._act(ACTS[options["act"]], batch, given, options["yes"], options["confirmed"])
        except (batching.NotReady, RefusedSetting) as error:
            raise CommandError(str(error)) from error

    def _list(self, study: Study, number: int | None) -> None:
        batches = study.batches.select_related("study").order_by("number")
        for offer in terms_of_batches(list(batches.filter(number=number) if number else batches)):
            batch = offer.batch
            can = ", ".join(act.key for act in batch_acts.acts_for(batch))
            self.stdout.write(
                f"{batch.number} {batch.name}: {batch.state}, {offer.done} of {offer.places} "
                f"places done, {offer.at_work} in progress, {offer.free} free. Actions: {can}"
            )

    def _act(
        self,
        act: batch_acts.BatchAct,
        batch: Batch,
        given: dict[str, str],
        does: bool,
        confirmed: bool,
    ) -> None:
        """Print the effect of an act, and then perform it."""
        if unknown := sorted(set(given) - set(act.asks)):
            raise CommandError(f"{act.key} has no option --{unknown[0]}.")
        arguments = batch_acts.parsed_arguments(
            act, {**batch_acts.usual(act, terms_of(batch)), **given}
        )
        stamp, now = batching.stamp_of(batch), database_now()
        effect = batch_acts.preview(act=act, batch=batch, now=now, said=arguments)
        for sentence in (*act.says(effect), *effect.asks):
            self.stdout.write(sentence)
        if not does:
            self.stdout.write("Nothing was done. Add --yes to perform the action.")
            return
        done = batch_acts.perform(
            act=act,
            batch=batch,
            user=None,
            now=now,
            stamp=stamp,
            said=arguments,
            confirmed=confirmed,
        )
        self.stdout.write(f"{act.done}. Batch {done.number} {done.name} is {done.state}.")
