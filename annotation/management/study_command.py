"""Shared parts of the commands that make a study of any kind."""

import re
from argparse import ArgumentParser
from decimal import Decimal, InvalidOperation
from typing import Any, TypeVar

import msgspec
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from annotation.clock import database_now
from annotation.management.owners import add_owner_option, owners_of
from annotation.models import Batch, Corpus, Place, Study, Task
from annotation.people.access import sharing
from annotation.studies import batching
from annotation.studies.consent_texts import for_platform
from annotation.studies.creating import RefusedSetting, StudyExists, draft_of, with_contact
from annotation.studies.drafts.columns import PATHS
from annotation.studies.drafts.schema import SETTINGS

OPTIONAL = ("pay", "currency", "tasks_per_worker", "recruitment", "seed", "language")
DEFAULTS = {column: SETTINGS[PATHS[column]].default for column in OPTIONAL}
# Options that a draft can contradict.
DRAFTED = ("title", *DEFAULTS, "completion_code")


class StudyCommand(BaseCommand):
    """Previews a study; creates a draft with --write and launches with --launch."""

    refusals: tuple[type[Exception], ...] = ()  # of the kind; their sentence is the answer

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="name of the study in URLs, such as which-is-better")
        parser.add_argument("--corpus", help="slug of the corpus")
        parser.add_argument("--title", help="title for participants (default: made from the slug)")
        parser.add_argument(
            "--language",
            choices=Study.Language.values,
            help="language of pages and methods for participants (default: en)",
        )
        parser.add_argument("--topics", type=int, help="number of topics to sample (default: all)")
        parser.add_argument(
            "--topic",
            action="append",
            metavar="KEY",
            help="use only this topic (repeatable; default: all of the corpus)",
        )
        parser.add_argument("--quota", type=int, help="participants per task")
        parser.add_argument(
            "--contact",
            default="",
            metavar="TEXT",
            help="name and contact of the researcher, for the consent text; required to launch",
        )
        parser.add_argument("--pay", help="pay per task (default: 0)")
        parser.add_argument("--currency", help="currency code (default: USD)")
        parser.add_argument(
            "--tasks-per-worker", type=int, help="maximum tasks per participant (default: 1)"
        )
        parser.add_argument(
            "--recruitment",
            choices=Study.Recruitment.values,
            help="platform (default: a plain link)",
        )
        parser.add_argument(
            "--completion-code",
            help="one code for all participants (default: a random code on Prolific, one code per "
            "submission for a plain link)",
        )
        parser.add_argument("--seed", type=int, help="seed of all random choices (default: 1)")
        add_owner_option(parser)
        parser.add_argument(
            "--new-version", action="store_true", help="create a new version of a launched study"
        )
        parser.add_argument(
            "--write", action="store_true", help="create a draft of the study and its batch"
        )
        parser.add_argument(
            "--launch",
            action="store_true",
            help="create and launch the study; an existing draft is launched unchanged",
        )

    def make_batch(self, corpus: Corpus, options: dict[str, Any]) -> Batch:
        """Make study and draft batches, say what they are like and return the main one."""
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        draft = None
        if options["launch"] and not options["new_version"]:
            draft = draft_of(options["slug"])
        unsaid = {name: default for name, default in DEFAULTS.items() if options.get(name) is None}
        try:
            with transaction.atomic():
                if draft is not None:
                    study = self._launch(prepared(draft, options))
                else:
                    study = self.make_batch(corpus_of(options["corpus"]), options | unsaid).study
                    sharing.begin(of=study, owners=owners_of(options["owner"]))
                    if options["launch"]:
                        study = batching.launch(study=study, now=database_now())
                if not options["launch"] and not options["write"]:
                    transaction.set_rollback(True)
        except (batching.NotReady, RefusedSetting, StudyExists) as error:
            raise CommandError(_sentence(error)) from error
        except self.refusals as error:
            raise CommandError(str(error)) from error
        if options["launch"]:
            self._say_how_to_recruit(study)
        elif not options["write"]:
            self.stdout.write(
                "Nothing was written. Add --write to create a draft, or --launch to open the study."
            )

    def _launch(self, draft: Study) -> Study:
        places = Place.objects.filter(task__batch__study=draft).count()
        tasks = Task.objects.filter(batch__study=draft).count()
        self.stdout.write(
            f"Launching the draft of {draft.slug!r} unchanged: {tasks} tasks, {places} places, "
            f"{draft.pay:.2f} {draft.currency} each."
        )
        return batching.launch(study=draft, now=database_now())

    def _say_how_to_recruit(self, study: Study) -> None:
        self.stdout.write(f"Participant link: {study.worker_link}")
        if study.completion_code:
            self.stdout.write(f"Completion code: {study.completion_code}")
        else:
            self.stdout.write("Completion codes: one per submission, on its last page")
        if study.no_consent_code:
            self.stdout.write(f"Code without consent: {study.no_consent_code}")


def named(given: str | list[str] | None) -> list[str] | None:
    """call_command hands on a single name as it is."""
    return [given] if isinstance(given, str) else given


def chosen_topics(corpus: Corpus, options: dict[str, Any]) -> list[str] | None:
    """Return the named topics, None for all. Raises CommandError for unknown ones."""
    keys = named(options["topic"])
    existing = set(corpus.topics.filter(key__in=keys or ()).values_list("key", flat=True))
    if gone := [key for key in keys or () if key not in existing]:
        raise CommandError(f"Corpus {corpus.slug!r} has no topic {gone[0]!r}.")
    return keys


def _sentence(error: Exception) -> str:
    """Return the sentence of a refusal with the command's option names."""
    if isinstance(error, RefusedSetting):
        option = error.name if error.name == "slug" else f"--{error.name.replace('_', '-')}"
        return f"{option} can't be {error.value}: {error.reasons}"
    if isinstance(error, StudyExists):
        launch = "--launch opens its draft unchanged, and "
        further = (
            f"{'' if error.study.launched_at else launch}--new-version creates another version"
        )
        return f"{str(error).removesuffix('.')}; {further} of it."
    return str(error)


def prepared(draft: Study, options: dict[str, Any]) -> Study:
    """Apply the options to a draft. Raises CommandError if they contradict it.

    A launch freezes the study, so an option must never be ignored.
    """
    wanted = {name: options[name] for name in DRAFTED if options.get(name) is not None}
    if "pay" in wanted:
        wanted["pay"] = _amount(wanted["pay"])
    other = [name for name, value in wanted.items() if getattr(draft, name) != value]
    if other:
        differing = ", ".join(
            f"--{name.replace('_', '-')} {wanted[name]} (draft: {getattr(draft, name)})"
            for name in other
        )
        raise CommandError(
            f"These options differ from the draft of {draft.slug!r}: {differing}. Omit them to "
            "launch the draft unchanged, or edit the draft."
        )
    consent = with_contact(draft.consent, options["contact"])
    if consent != draft.consent:
        draft.consent = consent
        draft.save()
    return draft


def corpus_of(slug: str | None) -> Corpus:
    """Return the corpus of this slug. Raises CommandError with the existing slugs."""
    if slug is None:
        raise CommandError("Choose a corpus with --corpus.")
    corpus = Corpus.objects.there().filter(slug=slug).first()
    if corpus is None:
        slugs = ", ".join(Corpus.objects.there().values_list("slug", flat=True)) or "none"
        raise CommandError(f"Corpus {slug!r} doesn't exist. Corpora: {slugs}.")
    return corpus


def title_of(slug: str) -> str:
    """Return a readable title: which-is-better becomes Which is better."""
    words = re.sub(r"[-_]+", " ", slug).strip()
    return words[:1].upper() + words[1:] or slug


def study_settings(options: dict[str, Any]) -> dict[str, Any]:
    """Return the study fields that the options set. Raises CommandError."""
    fields: dict[str, Any] = {
        "slug": options["slug"],
        "title": options["title"] or title_of(options["slug"]),
        "seed": options["seed"],
        "language": options["language"],
        "pay": _amount(options["pay"]),
        "currency": options["currency"],
        "tasks_per_worker": options["tasks_per_worker"],
        "recruitment": options["recruitment"],
        "contact": options["contact"],
        "new_version": options["new_version"],
    }
    if options.get("completion_code"):
        fields["completion_code"] = options["completion_code"]
    return fields


T = TypeVar("T", bound=msgspec.Struct)


def as_recruited(instrument: T, options: dict[str, Any]) -> T:
    """Return an instrument whose consent text fits the way of recruitment."""
    consent = for_platform(getattr(instrument, "consent", ""), options["recruitment"])
    return msgspec.structs.replace(instrument, consent=consent)


def _amount(pay: str) -> Decimal:
    try:
        return Decimal(pay)
    except InvalidOperation as error:
        raise CommandError(f"--pay must be a number, not {pay!r}.") from error
