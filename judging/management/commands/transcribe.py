"""`python manage.py transcribe STUDY`: transcripts of recorded sessions by faster-whisper."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Study
from annotation.refusals import Refusal
from judging.models import ModeratedSession
from judging.sessions.transcribing import MODEL, transcribe


class Command(BaseCommand):
    help = (
        "Write transcripts of recorded sessions with faster-whisper, on this machine. Sessions "
        "that have a transcript are skipped."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study (newest version)")
        parser.add_argument(
            "--session", type=int, help="number of one session; replaces its transcript"
        )
        parser.add_argument("--model", default=MODEL, help="such as small, medium or large-v3")
        parser.add_argument("--language", default="", help="such as en (default: detected)")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).order_by("version").last()
        if study is None:
            raise CommandError(f"Study {options['study']!r} doesn't exist.")
        rows = ModeratedSession.objects.filter(
            assignment__study=study, recordings__chunks_expected__isnull=False
        )
        wanted = options["session"]
        rows = rows.filter(pk=wanted) if wanted else rows.filter(utterances=None)
        sessions = list(rows.order_by("pk"))
        if not sessions:
            raise CommandError("All recorded sessions have transcripts.")
        for session in sessions:
            try:
                n = transcribe(
                    session=session,
                    model=options["model"],
                    language=options["language"],
                    by=None,
                )
            except Refusal as refusal:
                raise CommandError(str(refusal)) from refusal
            self.stdout.write(f"Session {session.pk}: {n} utterances")
