"""`python manage.py bank CORPUS ACT`: list, import, export and decide on banks of entries."""

import json
from argparse import ArgumentParser
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
from django.core.management.base import BaseCommand, CommandError

from annotation.clock import database_now
from annotation.corpora.formats.bank_files import FORMATS, Faults
from annotation.models import Corpus
from annotation.people.access import record_secret
from annotation.refusals import Refusal
from judging.banks import rows, starting_rounds
from judging.banks.appending import Change
from judging.banks.deciding import decide
from judging.banks.entries_at import entries_at
from judging.banks.files import export_bank
from judging.banks.importing import import_bank
from judging.banks.setting_up import EntrySettings
from judging.banks.studies import method_of
from judging.banks.verifying import verified_answers
from judging.calls import running_rounds
from judging.calls.asking import BadAsker, Terms
from judging.calls.prompts import BadPrompt
from judging.management.asking import ask
from judging.models import Bank, EntryDecision, EntryRound

TEXTS = ("passages", "responses")  # that a model may read
State, Importance = EntryDecision.State, EntryDecision.Importance


class Command(BaseCommand):
    help = (
        "List, import, export and change banks of questions and nuggets. File formats: Rubric, "
        "nuggetizer, AutoJudge and RAGTIME; `method` prints a method for create_study."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("corpus", help="slug of the corpus")
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("list", help="list the banks as JSON Lines")
        importing = acts.add_parser("import", help="import a file into a bank")
        importing.add_argument("name", help="name of the bank; a new bank is created if needed")
        importing.add_argument("file", type=Path)
        importing.add_argument("--state", choices=State.values, default=State.CONFIRMED)
        importing.add_argument("--unknown", choices=("refuse", "skip", "create"), default="refuse")
        exporting = acts.add_parser("export", help="export a bank to a file")
        exporting.add_argument("name")
        exporting.add_argument("--format", choices=FORMATS, required=True)
        exporting.add_argument("--revision", type=int)
        exporting.add_argument("--secret", action="store_true", help="include secret entries")
        exporting.add_argument("--out", type=Path, help="output file (default: print)")
        entries = acts.add_parser("entries", help="list the entries as JSON Lines")
        entries.add_argument("name")
        entries.add_argument("--revision", type=int)
        entries.add_argument("--state", choices=State.values)
        entries.add_argument("--secret", action="store_true", help="include secret texts")
        deciding = acts.add_parser("decide", help="change entries, by key")
        deciding.add_argument("name")
        deciding.add_argument("keys", nargs="+", metavar="KEY")
        deciding.add_argument("--state", choices=State.values)
        deciding.add_argument("--importance", choices=["", *Importance.values])
        deciding.add_argument("--secret", choices=("yes", "no"))
        deciding.add_argument("--reason", default="")
        rounds = acts.add_parser("rounds", help="list the rounds of proposals as JSON Lines")
        rounds.add_argument("name")
        proposing = acts.add_parser(
            "propose", help="run a round of proposals until all calls are answered, or resume it"
        )
        proposing.add_argument("name")
        proposing.add_argument("round", help="name of the round; --model creates a new one")
        proposing.add_argument("--model", help="name of the model at the endpoint")
        proposing.add_argument("--url", default="", help="URL of the endpoint")
        proposing.add_argument("--topics", choices=("all", "empty"), default="all")
        proposing.add_argument("--number", type=int, default=10, help="entries per topic")
        proposing.add_argument(
            "--repeats", action="store_true", help="retry calls that got no response"
        )
        for name in TEXTS:
            proposing.add_argument(f"--{name}", type=int, default=0, help=f"{name} to read")
        proposing.add_argument(
            "--subtopic", action="append", default=[], help="subtopic with its own call; repeatable"
        )
        verifying = acts.add_parser(
            "verify", help="list extracted answers as JSON Lines, with verdicts"
        )
        verifying.add_argument("name")
        method = acts.add_parser("method", help="print a method with the confirmed entries")
        method.add_argument("name")
        method.add_argument("--method", default="", help="a ready-made method")
        method.add_argument("--revision", type=int)
        method.add_argument("--cells", choices=("all", "unknown"), default="all")
        method.add_argument("--secret", action="store_true", help="include secret entries")

    def handle(self, *args: Any, **options: Any) -> None:
        corpus = Corpus.objects.there().filter(slug=options["corpus"]).first()
        if corpus is None:
            raise CommandError(f"Corpus {options['corpus']!r} doesn't exist.")
        act = {
            "list": self._list,
            "import": self._import,
            "export": self._export,
            "entries": self._entries,
            "decide": self._decide,
            "rounds": self._rounds,
            "propose": self._propose,
            "verify": self._verify,
            "method": self._method,
        }[options["act"]]
        try:
            act(corpus, options)
        except Faults as error:
            lines = [f"line {line}: {fault.field} {fault.reason}" for line, fault in error.faults]
            raise CommandError("\n".join(lines[:20])) from error
        except (Refusal, BadAsker, BadPrompt) as error:
            raise CommandError(str(error)) from error

    def _list(self, corpus: Corpus, options: dict[str, Any]) -> None:
        self._print(rows.banks(corpus))

    def _import(self, corpus: Corpus, options: dict[str, Any]) -> None:
        try:
            content = options["file"].read_bytes()
        except OSError as error:
            raise CommandError(f"Can't read {options['file']}.") from error
        report = import_bank(
            corpus=corpus,
            name=options["name"],
            content=content,
            by=None,
            now=database_now(),
            state=options["state"],
            unknown=options["unknown"],
        )
        self.stdout.write(
            f"{report.bank}: {report.added:,} entries added, {report.same:,} unchanged, "
            f"{report.repeated:,} repeated ({report.format}), revision {report.bank.revision}"
        )

    def _export(self, corpus: Corpus, options: dict[str, Any]) -> None:
        bank = _bank(corpus, options["name"])
        if options["secret"]:
            record_secret(user=None, what=f"bank {bank.pk}", of=bank)
        file = export_bank(
            bank,
            format=options["format"],
            revision=options["revision"],
            secret=options["secret"],
        )
        if options["out"]:
            options["out"].write_bytes(file.content)
        else:
            self.stdout.write(file.content.decode(), ending="")
        for reason, n in file.left_out.items():
            self.stderr.write(self.style.WARNING(f"skipped: {n:,} {reason}"))

    def _entries(self, corpus: Corpus, options: dict[str, Any]) -> None:
        states = [options["state"]] if options["state"] else []
        bank = _bank(corpus, options["name"])
        shown = entries_at(bank, options["revision"], states=states)
        if options["secret"]:
            record_secret(user=None, what=f"entries of bank {bank.pk}", of=bank)
        self._print(rows.entries(bank, shown, secret=options["secret"]))

    def _decide(self, corpus: Corpus, options: dict[str, Any]) -> None:
        bank = _bank(corpus, options["name"])
        by_key = {row.key: row for row in entries_at(bank)}
        if unknown := [key for key in options["keys"] if key not in by_key]:
            raise CommandError(f"The bank has no entry {unknown[0]}.")
        secret = options["secret"]
        done = decide(
            bank=bank,
            shown={by_key[key].pk: by_key[key].revision for key in options["keys"]},
            change=Change(
                state=options["state"],
                importance=options["importance"],
                secret=None if secret is None else secret == "yes",
            ),
            by=None,
            now=database_now(),
            reason=options["reason"],
        )
        self.stdout.write(f"{len(done.done)} changed, {done.same} unchanged, act {done.act}")

    def _rounds(self, corpus: Corpus, options: dict[str, Any]) -> None:
        found = EntryRound.objects.filter(bank=_bank(corpus, options["name"]))
        self._print([rows.entry_round(one) for one in found.select_related("prompt")])

    def _propose(self, corpus: Corpus, options: dict[str, Any]) -> None:
        bank, name = _bank(corpus, options["name"]), options["round"]
        if options["model"]:
            one = starting_rounds.set_up(
                bank=bank,
                name=name,
                which=options["topics"],
                manner=EntrySettings(
                    options["model"], **{n: options[n] for n in ("number", *TEXTS)}
                ),
                terms=Terms(options["url"], repeats=options["repeats"]),
                key="",
                by=None,
                now=database_now(),
                subtopics=options["subtopic"],
            )
        else:
            found = EntryRound.objects.filter(bank=bank, name=name).select_related("bank__corpus")
            if not found:
                raise CommandError(f"{bank} has no round {name!r}. Pass --model to create it.")
            one = found[0]
        run = partial(running_rounds.run, round=one, by=None)
        ask(one, run=run, stdout=self.stdout, paused="The round is paused.")

    def _verify(self, corpus: Corpus, options: dict[str, Any]) -> None:
        self._print([asdict(row) for row in verified_answers(_bank(corpus, options["name"]))])

    def _method(self, corpus: Corpus, options: dict[str, Any]) -> None:
        bank = _bank(corpus, options["name"])
        if options["secret"]:
            record_secret(user=None, what=f"method of bank {bank.pk}", of=bank)
        file = method_of(
            bank,
            secret=options["secret"],
            revision=options["revision"],
            method=options["method"],
            cells=options["cells"],
        )
        content = msgspec.json.format(msgspec.json.encode(file), indent=2)
        self.stdout.write(content.decode())

    def _print(self, lines: list[dict[str, Any]]) -> None:
        for line in lines:
            self.stdout.write(json.dumps(line, ensure_ascii=False))


def _bank(corpus: Corpus, name: str) -> Bank:
    bank = Bank.objects.filter(corpus=corpus, name=name).first()
    if bank is None:
        names = ", ".join(Bank.objects.filter(corpus=corpus).values_list("name", flat=True))
        raise CommandError(f"Bank {name!r} doesn't exist. Banks: {names or 'none'}.")
    return bank
