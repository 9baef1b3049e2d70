"""`python manage.py plan_votes STUDY`: predict the gain of more votes, topics or workers."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from analysis.management.commands.analyse import newest_study
from analysis.pages.results.vote_plans import (
    ASSUMES,
    NothingToPlanFrom,
    QuestionPlan,
    question_plans,
)
from analysis.plots.text_fitting import percent
from analysis.runs.findings import records
from analysis.stats.bradley_terry.next_by_topic import AHEAD
from analysis.stats.errors import BadSetting
from annotation.texts.plurals import counted

HEAD = f"  {'':>18}{'total votes':>14}{'width':>8}{'best':>8}{'difference':>12}"


class Command(BaseCommand):
    help = (
        "Predict the effect of more votes, topics or participants from the newest analysis, "
        "and list the pairs where votes help most."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument("--question", default="", help="key of one question (default: all)")
        parser.add_argument(
            "--error",
            type=float,
            default=0.1,
            help="accepted share of pairs in the wrong order (default: 0.1)",
        )
        parser.add_argument(
            "--pairs", type=int, default=10, help="number of pairs to list (default: 10)"
        )
        parser.add_argument("--json", type=Path, metavar="FILE", help="file for the plans")

    def handle(self, *args: Any, **options: Any) -> None:
        study = newest_study(options["study"])
        run = study.runs.newest_finished()
        if run is None:
            raise CommandError(
                f"Study {study.slug!r} hasn't been analysed. Run `analyse {study.slug}` first."
            )
        pairs = max(options["pairs"], 0)
        try:
            plans = question_plans(run, error=options["error"], question=options["question"])
        except (NothingToPlanFrom, BadSetting) as error:
            raise CommandError(str(error)) from error
        self.stdout.write(
            f"Based on run {run.pk} of {study.slug}. width: of the {percent(run.confidence)} "
            "interval for a difference of two systems, in logits. best: power to identify the best "
            "system. difference: detected with 80% power."
        )
        for plan in plans:
            for line in lines_of(plan, pairs):
                self.stdout.write(line)
        self.stdout.write(f"\nAssumes: {' '.join(ASSUMES)}")
        if file := options["json"]:
            findings = {
                "run": run.pk,
                "study": study.slug,
                "confidence": run.confidence,
                "power": 0.8,
                "assumes": list(ASSUMES),
                "questions": {plan.question: plan.as_json(pairs) for plan in plans},
            }
            text = json.dumps(findings, indent=1, ensure_ascii=False, allow_nan=False)
            try:
                file.write_text(f"{text}\n", encoding="utf-8")
            except OSError as error:
                raise CommandError(f"Can't write {file}: {error.strerror}.") from error


def lines_of(plan: QuestionPlan, pairs: int) -> Iterator[str]:
    """Yield the lines of a question for the terminal."""
    start = plan.start
    yield f"\n{plan.title} ({plan.question})"
    enough = (
        counted(plan.votes_for_80, "vote") if plan.votes_for_80 else "more than any number of votes"
    )
    yield (
        f"  {counted(start.topics, 'topic')}, {counted(start.workers, 'worker')}, "
        f"{start.votes_per_item:.1f} votes per item, reliability "
        f"{plan.reliability:.2f}; 0.8 needs {enough} per item"
    )
    yield HEAD
    for row in records(plan.plans):
        named = _varied(row["number"], row["varied"])
        yield (
            f"  {named:>18}{row['votes']:>14,}{row['width']:>8.2f}"
            f"{_best(row['best']):>8}{row['difference']:>12.2f}"
        )
    yield from _next(plan, pairs)


def _varied(number: float, varied: str) -> str:
    """Return `1 vote per item`, `2.5 votes per item`, `10 topics`."""
    if number == 1:
        varied = "vote per item" if varied == "votes per item" else varied.removesuffix("s")
    return f"{number:g} {varied}"


def _best(chance: float) -> str:
    """Return a probability in per cent, never 0 or 100."""
    return "> 99%" if chance > 0.99 else f"{chance * 100:.0f}%"


def _next(plan: QuestionPlan, pairs: int) -> Iterator[str]:
    waiting, topics = plan.open, len(plan.topics)
    yield (
        f"  Expected pairs in the wrong order: {plan.wrong * 100:.0f}%. At most "
        f"{plan.error * 100:.0f}% in {topics - len(waiting)} of {topics} topics."
    )
    if not len(waiting):
        yield "  More votes aren't needed."
        return
    shown = waiting.head(pairs)
    if len(shown):
        yield f"  {AHEAD} more votes help most on:"
    for row in shown.itertuples():
        yield f"    {row.topic}: {row.a} and {row.b} ({row.gain:.2f} fewer wrong pairs)"
