"""`python manage.py bank_steps CORPUS BANK`: run the steps of the Rubric workbench on a bank."""

import gzip
import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from analysis.exports.bank_passages import grade_lines
from analysis.exports.passages import QREL_LINES
from analysis.inputs.bank_cells import MODELS
from analysis.pages.banks.agreement import agreement_with_judgments
from analysis.pages.banks.boards import Choice, as_json, shown_board
from annotation.clock import database_now
from annotation.models import Corpus, Study
from annotation.refusals import Refusal
from annotation.studies.instruments import BadInstrument
from judging.banks import adding, deciding, grading, starting_rounds
from judging.banks.appending import Change
from judging.banks.entries_at import State, entries_at
from judging.banks.files import export_bank
from judging.calls.asking import BadAsker, Terms
from judging.calls.prompts import BadPrompt
from judging.labels.importing_files import LabelFile, bring_grades
from judging.labels.passage_files import keep
from judging.labels.rubric import graded
from judging.models import Bank, Criterion, EntryRound, MachineJudge, PassageFile

FILES = {
    "queries": "topics for the corpus",
    "passages": "Rubric file of passages for the corpus, with or without grades",
    "entries": "questions or nuggets for the bank, confirmed",
}
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
        for name, content in FILES.items():
            parser.add_argument(f"--{name}", type=Path, metavar="FILE", help=content)
        parser.add_argument("--model", required=True, help="name of the model at the endpoint")
        parser.add_argument("--url", required=True, help="URL of the endpoint")
        parser.add_argument("--method", default="", help="a ready-made method")
        parser.add_argument(
            "--confirm", action="store_true", help="accept all proposed entries without review"
        )
        parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="output folder")

    def handle(self, *args: Any, **options: Any) -> None:
        files = [options[name] for name in FILES if options[name]]
        if files:
            call_command("import_corpus", options["corpus"], *files, stdout=self.stdout)
        corpus = Corpus.objects.there().filter(slug=options["corpus"]).first()
        if corpus is None:
            raise CommandError(f"Corpus {options['corpus']!r} doesn't exist.")
        if file := options["entries"]:
            call_command("bank", corpus.slug, "import", options["bank"], file, stdout=self.stdout)
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
        except (Refusal, BadAsker, BadInstrument, BadPrompt) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"Can't write {options['out']}: {error}") from error

    def _generate(self, bank: Bank, options: dict[str, Any]) -> None:
        """Propose entries for topics without any, after unfinished rounds; accept if told."""
        how = {"stdout": self.stdout, "url": options["url"], "topics": "empty", "repeats": True}
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
            self.stdout.write(f"{len(proposed):,} proposed entries are waiting for review.")
        bank.refresh_from_db()
        file = export_bank(bank, format="rubric", secret=True)
        (options["out"] / "rubric_bank.jsonl").write_bytes(file.content)

    def _grade(self, bank: Bank, options: dict[str, Any]) -> None:
        """Let the model grade the cells of the confirmed entries that it has not graded yet."""
        study = grading.study_of(bank, method=options["method"])
        if options["passages"]:
            self._keep(study, options["passages"])
        terms = Terms(options["url"], repeats=True)
        judge = grading.grader_of(
            study, model=options["model"], terms=terms, key="", by=None, now=database_now()
        )
        if judge.state != MachineJudge.State.DONE:
            call_command("rate", study.slug, judge.name, stdout=self.stdout)
        self._write(bank, options["out"] / "rubric_passages.jsonl.gz", "rubric")

    def _keep(self, study: Study, path: Path) -> None:
        """Store the file of passages with its grades, once for the bank."""
        banks = study.instruments.values("bank")
        if PassageFile.objects.filter(study__instruments__bank__in=banks, name=path.name).exists():
            return
        keys = Criterion.objects.filter(instrument__study=study).values_list("key", flat=True)
        if any(graded(path=path, known=set(keys)).grades.values()):
            bring_grades(
                study=study, file=LabelFile(path), by=None, now=database_now(), unknown="make"
            )
        else:
            keep(study=study, path=path, name=path.name, raters={}, now=database_now())

    def _verify(self, bank: Bank, options: dict[str, Any]) -> None:
        self._write(bank, options["out"] / "verified_answers.jsonl", "answers")

    def _evaluate(self, bank: Bank, options: dict[str, Any]) -> None:
        board = as_json(shown_board(bank, Choice(pool=MODELS)))
        self._write_json(options["out"] / "board.json", board)
        for by in (*QREL_LINES, "facets", "entries"):
            self._write(bank, options["out"] / f"qrels_{by}.txt", by)
        call_command("bank_board", bank.corpus.slug, bank.name, pool=MODELS, stdout=self.stdout)

    def _analyse(self, bank: Bank, options: dict[str, Any]) -> None:
        """Compare the grades with judgments of the passages."""
        found = agreement_with_judgments(bank, Choice(pool=MODELS))
        self._write_json(options["out"] / "agreement.json", found)
        for row in found["kappas"]:
            label = f"{row['scheme']} {row['label']} / {row['judgment']}"
            kappa = "" if row["kappa"] is None else f"{row['kappa']:.4f}"
            self.stdout.write(f"{row['judge']:<24}{label:<24}{row['answers']:<4}{kappa}")
        for reason in found["reasons"]:
            self.stdout.write(reason)

    def _write(self, bank: Bank, path: Path, name: str) -> None:
        """Write the grades of the bank to a file, replaced as a whole."""
        part = path.with_suffix(".part")
        pool = "" if name == "rubric" else MODELS
        with (gzip.open if path.suffix == ".gz" else open)(part, "wb") as file:
            file.writelines(grade_lines(bank, name, pool=pool, secret=True))
        part.replace(path)
        self.stdout.write(str(path))

    def _write_json(self, path: Path, content: dict[str, Any]) -> None:
        path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n")
