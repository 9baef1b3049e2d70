"""`python manage.py import_labels STUDY FILE --rater NAME --kind expert|model`."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError

from annotation.clock import database_now
from annotation.management.commands.import_corpus import counted
from annotation.models import Study
from judging.labels.checking import LabelCheck, check_labels
from judging.labels.importing import LabelsRefused
from judging.labels.importing_files import NAMED, LabelChoices, LabelFile, bring
from judging.labels.problems import problems_as_json, remedies_of
from judging.labels.rubric import Grader
from judging.labels.saving import LabelReport
from judging.labels.values import BadMapping, ValueMapping
from judging.raters.registering import BadRater


class Command(BaseCommand):
    help = (
        "Import labels of experts or models from elsewhere. If a row has a problem, nothing is "
        "imported. A repeated import adds nothing. Formats: tables (CSV, Excel, Parquet) or JSON "
        "with the columns item (or topic and texts), question and value; TREC qrels; votes of "
        "Chatbot Arena, MT-bench, Label Studio, Argilla and WMT. To analyse the labels, use "
        "`analyse --pool`."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("file", type=Path, metavar="FILE", help="file with labels")
        parser.add_argument("--rater", default="", metavar="NAME", help="name of the rater")
        parser.add_argument(
            "--kind",
            required=True,
            choices=["expert", "model", *NAMED],
            help="kind of rater; crowd: workers of another study; named: columns rater and kind of "
            "the file",
        )
        parser.add_argument("--user", default="", help="user name of an expert with an account")
        parser.add_argument(
            "--model", default="", help="name of the model, such as gpt-4o-2024-08-06"
        )
        parser.add_argument(
            "--prompt-version",
            default="",
            help="version of the prompt; each version is a separate rater",
        )
        parser.add_argument(
            "--model-settings", default="", help="settings of the model, such as temperature=0"
        )
        parser.add_argument("--question", default="", help="question key for rows without one")
        parser.add_argument(
            "--unknown",
            choices=["refuse", "leave", "make"],
            default="refuse",
            help="rows without an item: refuse the file, skip them, or create the items",
        )
        parser.add_argument(
            "--value",
            action="append",
            default=[],
            metavar="VALUE=ANSWER",
            help="map a value of the file to an answer (repeatable); without ANSWER, skip it: "
            "--value=-1=",
        )
        parser.add_argument(
            "--asks",
            action="append",
            default=[],
            metavar="NAME=QUESTION",
            help="map a question name of the file (repeatable); without QUESTION, skip it: "
            "--asks=pw=",
        )
        parser.epilog = (
            "Example: manage.py import_labels which-is-better labels.csv --rater ada --kind expert"
        )
        parser.add_argument(
            "--remedy",
            action="append",
            default=[],
            metavar="PROBLEM=REMEDY",
            help="remedy for a problem, by code: --remedy=contradiction=skip",
        )
        parser.add_argument(
            "--check", action="store_true", help="preview the import without saving anything"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["study"]
        study = Study.objects.filter(slug=slug, kind=Study.Kind.JUDGING).order_by("version").last()
        if study is None:
            raise CommandError(f"Judging study {slug} doesn't exist.")
        try:
            choices = LabelChoices(
                grader=Grader(
                    name=options["rater"],
                    kind=options["kind"],
                    model=options["model"],
                    prompt_version=options["prompt_version"],
                    settings=options["model_settings"],
                ),
                question=options["question"],
                unknown=options["unknown"],
                values=ValueMapping.of(options["value"], options["asks"]),
                remedies=remedies_of(remedy.partition("=")[::2] for remedy in options["remedy"]),
            )
            how: dict[str, Any] = {"study": study, "file": LabelFile(options["file"])}
            how |= {"choices": choices, "by": None, "now": database_now()}
            if options["check"]:
                self._say_check(check_labels(**how))
                return
            brought = bring(user=self._user(options["user"]), **how)
        except (BadRater, BadMapping) as error:
            raise CommandError(str(error)) from error
        except LabelsRefused as refusal:
            bad = counted(refusal.report.bad_line_count, refusal.report.bad_lines)
            raise CommandError("\n".join((str(refusal), *bad))) from refusal
        for rater, report in brought.reports:
            self._say(report, rater.pseudonym)

    def _say_check(self, check: LabelCheck) -> None:
        """Print a preview of the import. Raises CommandError if it would be refused."""
        report = check.report
        kinds = ", ".join(sorted(set(report.kinds.values())))
        self.stdout.write(
            f"{kinds}: {report.rows:,} rows, {report.labels:,} labels of {len(report.raters):,} "
            f"raters, {check.ignored:,} ignored; {report.added:,} new, {report.changed:,} changed"
        )
        for problem in problems_as_json(report.problems, report.remedies):
            remedies = ", ".join(problem["remedies"])
            self.stdout.write(f"{problem['code']}: {problem['count']:,} rows ({remedies})")
        if not check.may_import:
            bad = counted(report.bad_line_count, report.bad_lines)
            raise CommandError("\n".join(filter(None, (check.fault, *bad))))

    def _user(self, username: str) -> User | None:
        if not username:
            return None
        user = User.objects.filter(username=username).first()
        if user is None:
            raise CommandError(f"Account {username} doesn't exist.")
        return user

    def _say(self, report: LabelReport, pseudonym: str) -> None:
        for remark in counted(report.remark_count, report.remarks):
            self.stderr.write(self.style.WARNING(str(remark)))
        self.stdout.write(
            f"{report.added:,} added, {report.changed:,} changed, {report.unchanged:,} unchanged; "
            f"{report.items:,} {'item' if report.items == 1 else 'items'} created"
        )
        if report.of_others:
            self.stdout.write(f"{report.of_others:,} rows of other raters skipped")
        self.stdout.write(f"Pseudonym of the rater: {pseudonym}")
