"""Analyses and exports: runs found again, runs computed again, files as commands write them."""

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

from benchmarks.unchanged import world
from benchmarks.unchanged.pages import masked

RUN = ("key", "digest", "inputs", "parameters", "seed", "version", "state", "remarks")
STEP = ("stage", "analysis", "question", "part", "state", "error")


def take(folder: Path) -> None:
    """Record exports of old runs, the reuse of old runs, and their recomputation."""
    exports, runs = folder / "exports", folder / "runs"
    for made in (exports, runs):
        made.mkdir(parents=True, exist_ok=True)
    _exports(exports)
    before = _runs()
    _write(runs / "kept.json", before)
    _analyse(runs / "found again")
    if (after := _runs()) != before:
        _write(runs / "kept.json", after)
        raise SystemExit(f"An old run is not found again: {len(before)} runs became {len(after)}")
    _model("AnalysisRun").objects.all().delete()
    _analyse(folder / "results")
    _tables(folder / "results")


def _model(name: str) -> Any:
    from django.apps import apps

    return apps.get_model("analysis", name)


def _runs() -> list[dict[str, Any]]:
    return list(_model("AnalysisRun").objects.order_by("key").values(*RUN))


def _analyse(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for arguments in world.ANALYSED:
        file = folder / f"{' '.join(arguments)}.json"
        _command(folder, "analyse", *arguments, "--json", str(file))


def _tables(folder: Path) -> None:
    """Write each table of each run that was computed again."""
    rows = _model("Result").objects.order_by("step__run__key", *(f"step__{n}" for n in STEP))
    for result in rows.select_related("step__run__study"):
        step = result.step
        parts = (step.run.study.slug, step.run.parameters.get("pool", "people"))
        words = "-".join((step.analysis, step.question, str(step.part)))
        file = folder / "-".join(parts) / f"{words.replace('/', '_')}.json"
        told = {name: getattr(step, name) for name in STEP}
        _write(file, {**told, "data": result.data, "missing": result.missing})


def _exports(folder: Path) -> None:
    studies = _slugs()
    for slug in studies:
        _command(folder, "export", slug, "--out", str(folder / slug))
        _command(folder, "wage_report", slug)
    _command(folder, "export", "demo-pairwise", "--pool", "models", "--out", f"{folder}/models")
    for form in ("jsonl", "idfx", "bigbro", "snapshots"):
        out = folder / "logs" / form
        _command(folder, "export_logs", "demo-writing", "--format", form, "--out", str(out))
    out = folder / "summaries.jsonl"
    _command(folder, "export_summaries", "demo", "--out", str(out))
    out = folder / "plans.json"
    _command(folder, "plan_votes", "demo-pairwise", "--json", str(out))
    for archive in sorted(folder.rglob("*.zip")):
        shutil.unpack_archive(archive, archive.with_suffix(""))


def _slugs() -> list[str]:
    from django.apps import apps

    studies = apps.get_model("annotation", "Study").objects.filter(purpose="study")
    return sorted(set(studies.values_list("slug", flat=True)))


def _command(folder: Path, *arguments: str) -> None:
    """Run a command and write down what it prints, or the sentence with which it refuses."""
    from django.core.management import CommandError, call_command

    out, err, refusal = io.StringIO(), io.StringIO(), ""
    world.seed(" ".join(arguments[:2]))
    try:
        call_command(*arguments, stdout=out, stderr=err)
    except CommandError as error:
        refusal = f"CommandError: {error}\n"
    words = " ".join(a for a in arguments if "/" not in a and a not in ("--out", "--json"))
    told = f"{out.getvalue()}{err.getvalue()}{refusal}".replace(str(folder), "FOLDER")
    file = folder / "printed" / f"{words}.txt"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(masked(told))


def _write(file: Path, content: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n")


def columns(folder: Path) -> None:
    """Write the columns of every CSV file among exports and pages."""
    lines = []
    for file in sorted((folder / "exports").rglob("*.csv")):
        lines.append(_columns(str(file.relative_to(folder)), file.read_text("utf-8-sig")))
    for file in sorted((folder / "pages").rglob("*.txt")):
        head, _, body = file.read_text().partition("\n\n")
        if " text/csv" in head:
            lines.append(_columns(str(file.relative_to(folder)), body.lstrip("\ufeff")))
    (folder / "columns").mkdir(exist_ok=True)
    (folder / "columns" / "columns.txt").write_text("".join(lines))


def _columns(name: str, text: str) -> str:
    header = next(csv.reader(text.splitlines()), [])
    return f"{name}\n" + "".join(f"  {column}\n" for column in header)
