"""`python manage.py bank_steps CORPUS BANK`: run the steps of the Rubric workbench on a bank."""

import json
from argparse import ArgumentParser
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.db.models import Max
from msgspec.structs import replace

from analysis.inputs.bank_cells import MODELS
from analysis.pages.banks.boards import Choice, as_json, shown_board
from annotation.clock import database_now
from annotation.models import Corpus, Passage, Study
from annotation.refusals import Refusal
from judging.banks import adding, deciding, starting_rounds
from judging.banks.appending import Change
from judging.banks.entries_at import State, entries_at
from judging.banks.studies import method_of
from judging.banks.verifying import verified_answers
from judging.calls.asking import BadAsker, Terms
from judging.calls.prompts import BadPrompt
from judging.design.designing import create_study, write_plans
from judging.design.plans import plans_of
from judging.machines import setting_up
from judging.machines.prompt_variables import READY
from judging.machines.setting_up import Character
from judging.models import Bank, EntryRound, MachineJudge

STEPS = ("generate", "grade", "verify", "evaluate", "analyse")


class Command(BaseCommand):
    help = (
        "Run the steps of the Autograder Workbench (Rubric) with one model: generate entries, "
        "grade all passages, verify extracted answers, evaluate systems, analyse agreement. "
        "Interrupted steps can be run again; answered calls are not sent again, and after an "
        "edit only new cells are graded."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("corpus", help="slug of the corpus")
        parser.add_argument("bank", help="name of the bank; created if needed")
        parser.add_argument("--steps", nargs="+", choices=STEPS, default=STEPS, help="default: all")
        parser.add_argument("--kind", choices=Bank.Kind.values, default=Bank.Kind.QUESTIONS)
        parser.add_argument("--model", required=True, help="name of the model at the endpoint")
        parser.add_argument("--url", required=True, help="of the endpoint")
        parser.add_argument("--method", default="", help="a ready-made method")
        parser.add_argument(
            "--confirm", action="store_true", help="accept all proposed entries unreviewed"
        )
        parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="output folder")

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = Corpus.objects.there().filter(slug=options["corpus"]).first()
        if corpus is None:
            raise CommandError(f"Corpus {options['corpus']!r} doesn't exist.")
        try:
            options["out"].mkdir(parents=True, exist_ok=True)
            bank = Bank.objects.filter(corpus=corpus, name=options["bank"]).first() or adding.make(
                corpus=corpus, name=options["bank"], kind=options["kind"], by=None,
                now=database_now(),
            )  # fmt: skip
            for step in STEPS:
                if step in options["steps"]:
                    self.stdout.write(self.style.MIGRATE_HEADING(step))
                    getattr(self, f"_{step}")(bank, options)
                    bank.refresh_from_db()
        except (Refusal, BadAsker, BadPrompt) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"Can't write {options['out']}: {error}") from error

    def _generate(self, bank: Bank, options: dict[str, Any]) -> None:
        """Propose entries for topics without any, after unfinished rounds; accept if told."""
        how = {"stdout": self.stdout, "url": options["url"], "topics": "empty"}
        rounds = EntryRound.objects.filter(bank=bank, name__startswith="generate ")
        for unfinished in rounds.exclude(state__in=("done", "withdrawn")):
            call_command("bank", bank.corpus.slug, "propose", bank.name, unfinished.name)
        if starting_rounds.topics_of(bank, "empty"):
            name = f"generate {rounds.count() + 1}"
            command = ("bank", bank.corpus.slug, "propose", bank.name, name)
            call_command(*command, model=options["model"], **how)
        proposed = entries_at(bank, states=[State.PROPOSED])
        if proposed and options["confirm"]:
            shown = {row.pk: row.revision for row in proposed}
            change = Change(state=State.CONFIRMED)
            deciding.decide(bank=bank, shown=shown, change=change, by=None, now=database_now())
        elif proposed:
            self.stdout.write(f"{len(proposed):,} proposed entries wait for review.")

    def _grade(self, bank: Bank, options: dict[str, Any]) -> None:
        """Let the model grade the cells of the confirmed entries that it has not graded yet."""
        study = Study.objects.filter(slug=_slug(bank)).first() or _study(bank, options["method"])
        judge = study.machine_judges.filter(model=options["model"]).first()
        if judge is None:
            judge = _judge(study, options["model"], options["url"])
        if judge.state != MachineJudge.State.DONE:
            call_command("rate", study.slug, judge.name, stdout=self.stdout)

    def _verify(self, bank: Bank, options: dict[str, Any]) -> None:
        rows = (asdict(answer) for answer in verified_answers(bank))
        n = _write_lines(options["out"] / "verified_answers.jsonl", rows)
        self.stdout.write(f"verified_answers.jsonl: {n:,} rows")

    def _evaluate(self, bank: Bank, options: dict[str, Any]) -> None:
        board = as_json(shown_board(bank, Choice(pool=MODELS)))
        text = json.dumps(board, ensure_ascii=False, indent=1)
        (options["out"] / "board.json").write_text(text + "\n")
        call_command("bank_board", bank.corpus.slug, bank.name, pool=MODELS, stdout=self.stdout)

    def _analyse(self, bank: Bank, options: dict[str, Any]) -> None:
        """Analyse and export the study of this revision: passages, qrels, kappa tables."""
        slug = _slug(bank)
        call_command("analyse", slug, pool=MODELS, stdout=self.stdout)
        call_command("export", slug, out=options["out"] / "study", pool=MODELS, stdout=self.stdout)


def _slug(bank: Bank) -> str:
    """Return the slug of the study of the bank's current revision."""
    end = f"-bank-{bank.pk}-r{bank.revision}"
    return f"{bank.corpus.slug[: 80 - len(end)]}{end}"


@transaction.atomic
def _study(bank: Bank, method: str) -> Study:
    """Create a draft study that asks all confirmed entries of all passages. Raises Refusal."""
    file = method_of(bank, method=method)
    depth = Passage.objects.filter(topic__corpus=bank.corpus).aggregate(n=Max("rank"))["n"]
    whole = replace(file, defaults=replace(file.defaults, depth=max(depth or 0, 1)))
    study = create_study(
        slug=_slug(bank), title=f"{bank.name}, revision {bank.revision}", corpus=bank.corpus,
        instruments=[whole], seed=1, team=bank.corpus.team,
    )  # fmt: skip
    write_plans(study=study, plans=plans_of(study=study, seed=study.seed))
    return study


def _judge(study: Study, model: str, url: str) -> MachineJudge:
    how: dict[str, Any] = {"study": study, "by": None, "now": database_now()}
    words = READY["plain"]
    prompt = setting_up.save_prompt(key=words.key, system=words.system, user=words.user, **how)
    character = Character(model=model)
    terms = Terms(url)
    return setting_up.set_up(
        name=model, prompt=prompt, character=character, terms=terms, key="", **how
    )


def _write_lines(path: Path, rows: Iterable[dict[str, Any]]) -> int:
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows]
    path.write_text("".join(lines))
    return len(lines)
