"""`python manage.py analyse STUDY`: analyse a study in this process."""

import json
from argparse import ArgumentParser
from collections import deque
from contextlib import suppress
from pathlib import Path
from time import sleep
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.models import Count
from tqdm import tqdm

from analysis.inputs.frozen_work import FrozenWork
from analysis.inputs.parameters import BadParameter, flat, nested, typed
from analysis.inputs.settings import COMPAT, DEFAULTS, PEOPLE, RANKINGS, TIES, WITH_MACHINES
from analysis.models import AnalysisRun
from analysis.pages.results import findings_json
from analysis.runs import findings, running
from annotation.clock import database_now
from annotation.models import Study
from judging.raters.pools import Pool, UnknownPool

# Parameters of a run that the command knows.
ASKED = ("draws", "null_draws", "compat", "ranking", "ties", "cutoffs", "levels", WITH_MACHINES)


def newest_study(slug: str) -> Study:
    """Return the newest version of a study. Raises CommandError."""
    study = Study.objects.filter(slug=slug).order_by("-version").first()
    if study is None:
        slugs = ", ".join(sorted(set(Study.objects.values_list("slug", flat=True)))) or "none"
        raise CommandError(f"Study {slug!r} doesn't exist. Studies: {slugs}.")
    return study


def settings_for(study: Study, lines: list[str]) -> dict[str, Any]:
    """Return the settings in `--set`, over those of the study. Raises BadParameter."""
    wanted = typed(lines)
    touched = {name.partition(".")[0] for name in wanted}
    kept = {n: v for n, v in flat(study.analysis).items() if n.partition(".")[0] in touched}
    if "keep.drop_worst" in wanted:
        kept.pop("keep.most_spam", None)
    if "keep.most_spam" in wanted:
        kept.pop("keep.drop_worst", None)
    return nested(kept | wanted)


def finish(run: AnalysisRun, queue: deque[int], *, progress: bool = True) -> AnalysisRun:
    """Do the steps of a run here, beside any workers, until all are done.

    Raises CommandError if a step failed for good.
    """
    bar = tqdm(total=run.steps.count(), desc="steps", disable=None if progress else True)
    while queue or not run.finished_at:
        if queue:
            # Why a step failed is noted with it; it comes back, or the run has failed.
            with suppress(Exception):
                running.perform(pk=queue.popleft(), enqueue=queue.append)
        else:
            # The rest is with a worker; if that one died, its step comes back here.
            sleep(0.2)
            running.sweep(now=database_now(), enqueue=queue.append)
        run.refresh_from_db(fields=["finished_at"])
        if not bar.disable:
            bar.update(run.steps.filter(state="done").count() - bar.n)
    bar.close()
    run.refresh_from_db()
    if run.state == AnalysisRun.State.FAILED:
        raise CommandError(f"The analysis failed: {' '.join(findings.errors(run))}")
    return run


def _interval(cell: dict[str, Any]) -> str:
    if cell["low"] is None:
        return "[no interval]"
    return f"[{cell['low']:.3f}, {cell['high']:.3f}]"


def _read(run: AnalysisRun, graded: int) -> str:
    """Return the numbers of workers, items, answers and graded responses of a run."""
    if run.study.kind == Study.Kind.WRITING:
        counts = f"{len(FrozenWork.of(run.frozen).counting):,} texts"
    else:
        rows = Pool(run.pool).judgments(
            study=run.study, batch=run.batch, frozen=FrozenWork.of(run.frozen)
        )
        read = rows.aggregate(
            answers=Count("pk"),
            raters=Count("rater", distinct=True),
            items=Count("item", distinct=True),
        )
        raters = "workers" if run.pool == PEOPLE else f"raters ({Pool(run.pool)})"
        counts = (
            f"{read['raters']:,} {raters}, {read['items']:,} items, {read['answers']:,} answers"
        )
    if graded:
        counts += f", {graded:,} graded responses"
    return f"{counts}; digest {run.digest[:12]}"


class Command(BaseCommand):
    help = (
        "Analyse a study: agreement, competence, gold labels, grades. If nothing changed, "
        "print the stored result."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study")
        parser.add_argument(
            "--json", type=Path, metavar="FILE", help="write the findings to this file"
        )
        parser.add_argument("--seed", type=int, help="seed (default: the study's seed)")
        parser.add_argument("--draws", type=int, help="bootstrap draws (default: 1000)")
        parser.add_argument(
            "--null-draws",
            type=int,
            help="shuffles for chance-corrected agreement "
            f"(default: {DEFAULTS['null_draws']}; the smallest p is 1 / (N + 1))",
        )

        parser.add_argument(
            "--pool",
            default="",
            help="raters to analyse: people (default), crowd, experts, models, or a rater's name",
        )

        parser.add_argument(
            "--with-machines",
            action="store_true",
            help="include LLM judges as MACE annotators",
        )
        parser.add_argument(
            "--compat", choices=[COMPAT], help="analyse as published (Gienapp et al. 2025)"
        )
        parser.add_argument(
            "--ranking", choices=list(RANKINGS), help="basis of the ranking (default: votes)"
        )
        parser.add_argument(
            "--ties",
            choices=list(TIES),
            help="model of ties (default: rao-kupper; none: Bradley-Terry without ties)",
        )
        parser.add_argument(
            "--set",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="setting of this run (repeatable), such as summaries.ridge=0.1; names in "
            "docs/methods/defaults.md",
        )
        parser.add_argument(
            "--cutoffs", type=int, nargs="+", help="rank cut-offs (default: 5 10 20)"
        )
        parser.add_argument(
            "--levels",
            type=int,
            nargs="+",
            help="grades that count as relevant (default: upper half of the scale, 3 4 5 of 0 to "
            "5)",
        )
        parser.epilog = "Example: manage.py analyse which-is-better --json findings.json"

    def handle(self, *args: Any, **options: Any) -> None:
        study = newest_study(options["study"])
        if (file := options["json"]) and not file.parent.is_dir():
            raise CommandError(f"Can't write {file}: folder {file.parent} doesn't exist.")
        queue: deque[int] = deque()
        given = {name: options[name] for name in ASKED if options[name]}
        try:
            given |= settings_for(study, options["set"])
        except BadParameter as error:
            raise CommandError(str(error)) from error
        try:
            run = running.start(
                study=study,
                enqueue=queue.append,
                seed=options["seed"],
                parameters=given,
                pool=options["pool"],
            )
        except (running.NothingToAnalyse, UnknownPool) as error:
            raise CommandError(str(error)) from error
        run = finish(run, queue)
        findings = findings_json.as_json(run)
        for question, alpha in findings["alpha"].items():
            self.stdout.write(
                f"alpha {question:24} {alpha['value']:.3f} "
                f"{_interval(alpha)} "
                f"({alpha['items']:,} items, {alpha['votes']:,} votes)"
            )
        for missing in findings["missing"]:
            about = f"{missing['analysis']} {missing['question']}: " if missing["analysis"] else ""
            self.stdout.write(f"{about}{missing['reason']}")
        self.stdout.write(f"run {run.pk}: {_read(run, len(findings['grades']))}")
        if file:
            text = json.dumps(findings, indent=1, ensure_ascii=False, allow_nan=False)
            try:
                file.write_text(f"{text}\n", encoding="utf-8")
            except OSError as error:
                raise CommandError(f"Can't write {file}: {error.strerror}.") from error
