"""Check that other packages read our files: `python -m benchmarks.other_packages`.

An argument names a folder that keeps the environments. A simulated study of passages and
points, one of pairs and a bank are exported. The packages polars, datasets, ragelo, autojudge-base
and exam_pp (without its requirements for language models) are installed from PyPI into
environments of their own and read the files; their results are compared with ours. A check
without times; it needs the network.
"""

import csv
import gzip
import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent / "packages"
WANTED = {
    "ragelo": [["ragelo"]],
    # What reading its files needs, and nothing for models.
    "exam_pp": [["--no-deps", "exam_pp"], ["pydantic~=2.6", "nltk~=3.8", "fuzzywuzzy~=0.18"]],
    "autojudge": [["--no-deps", "autojudge-base==1.0.0"], ["pydantic~=2.6"]],
    "tables": [["polars~=2.1", "datasets~=5.2"]],
    "api": [["schemathesis~=4.32", "openapi-python-client~=0.29"]],  # api_description.py
    "pyrolific": [["pyrolific==1.5.1"]],  # benchmarks/prolific_client.py
    "numpyro": [["numpyro==0.22.0"]],  # benchmarks/mixed_chain.py
    "potato": [["--require-hashes", "-r", str(HERE / "potato.txt")]],  # benchmarks/potato.py
}


def compare() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environments = Path(sys.argv[1]) if len(sys.argv) > 1 else folder
        export = exported(folder)
        failed = 0
        for package, check in CHECKS.items():
            faults = check(read_by(package, environments.absolute(), export), export)
            print(f"{package}: {'; '.join(faults) or 'reads our files as they are meant'}")
            failed += bool(faults)
    return failed


# -- Our files ---------------------------------------------------------------------------------
def exported(folder: Path) -> Path:
    """Export two simulated studies into one folder."""
    os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "CROWDWRIGHT_VAR": str(folder)}
    import django

    django.setup()
    from django.core.management import call_command

    from annotation.models import Ranking
    from tests.cast import small_corpus

    call_command("migrate", verbosity=0)
    corpus = small_corpus(topics=3, responses=3)
    systems = [corpus.systems.create(key=key, name=key) for key in ("bm25", "dense", "both")]
    for topic in corpus.topics.all():
        for rank in (1, 2, 3):
            text = f"Passage {rank} of {topic.key}, about “lamps”."
            passage = topic.passages.create(key=f"{topic.key}p{rank}", rank=rank, text=text)
            for system in systems[:rank]:
                Ranking.objects.create(system=system, topic=topic, passage=passage, rank=rank)
        for response, system in zip(topic.responses.order_by("key"), systems, strict=True):
            type(response).objects.filter(pk=response.pk).update(system=system)
    out = folder / "export"
    # One grader of all passages: of several, exam_pp makes a line each, and we take the mean.
    for instrument, quota in (("nuggets", 1), ("documents-pairwise", 3)):
        options = {
            "corpus": "lamps",
            "instrument": [instrument],
            "quota": quota,
            "items": 36,
            "launch": True,
        }
        quietly: dict[str, Any] = {"stdout": io.StringIO(), "stderr": io.StringIO()}
        call_command("create_study", instrument, contact="Rita", **options, **quietly)
        call_command("simulate", instrument, workers=20, seed=1, **quietly)
        call_command("export", instrument, out=out / instrument, **quietly)
    files = folder / "files"
    files.mkdir()
    for file in out.glob("*/*"):
        file.rename(files / file.name)
    export_banks(corpus, files)
    return files


def export_banks(corpus: Any, folder: Path) -> None:
    """Write a bank of questions about all topics in each format that autojudge-base reads."""
    from django.utils import timezone

    from judging.banks import adding
    from judging.banks.files import export_bank

    how: dict[str, Any] = {"by": None, "now": timezone.now()}
    bank = adding.make(corpus=corpus, name="exam", kind="questions", **how)
    entries = [
        adding.NewEntry(topic, f"{question} ({topic.key})", importance=importance)
        for topic in corpus.topics.all()
        for question, importance in (("What is it?", "vital"), ("Why?", "okay"))
    ]
    adding.add_all(bank=bank, entries=entries, state="confirmed", **how)
    for name in ("autojudge", "ragtime", "nuggetizer"):
        (folder / f"bank_{name}.jsonl").write_bytes(export_bank(bank, format=name).content)


# -- Their reading -----------------------------------------------------------------------------
def read_by(package: str, environments: Path, export: Path) -> dict[str, Any]:
    """Return the package's reading of the files, in an environment of its own."""
    python = python_of(package, environments)
    read = subprocess.run(
        [python, HERE / f"read_{package}.py", export],
        check=True, stdout=subprocess.PIPE, text=True, cwd=export,
    )  # fmt: skip
    found: dict[str, Any] = json.loads(read.stdout.splitlines()[-1])
    return found


def python_of(package: str, environments: Path) -> Path:
    """Return the interpreter of the package's own environment, created if needed."""
    python = environments / package / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", environments / package], check=True)
        for wanted in WANTED[package]:
            subprocess.run([python, "-m", "pip", "install", "-qq", *wanted], check=True)
    return python


def of_ragelo(found: dict[str, Any], export: Path) -> list[str]:
    """Compare the files cell by cell, and one Elo tournament in the order of games.

    Of several votes on a pair, the package keeps the first one in the results of version 0.7.
    """
    from analysis.replication.ragelo.games import read_games
    from analysis.stats.tournaments.elo import elo
    from analysis.stats.tournaments.games import Games

    faults = []
    for name, column in (("queries", "query"), ("documents", "document"), ("answers", "answer")):
        rows = table(export / f"ragelo_{name}.csv")
        if not rows or any(_cell(found[name], row) != row[column] for row in rows):
            faults.append(f"{name} differ")
    kept = {
        f"{row['qid']}: {'-'.join(sorted((row['agent_a'], row['agent_b'])))}": [
            row["agent_a"], row["agent_b"], row["answer"],
        ]
        for row in reversed(table(export / "pairwise_answers_evaluations.csv"))
    }  # fmt: skip
    if found["saved"] != {
        **{k: found[k] for k in ("queries", "documents", "answers")},
        "games": kept,
    }:
        faults.append("the saved experiment differs")
    ours = elo(Games.from_frame(read_games(export).frame), truncated=True, shuffled=False)
    rating = dict(zip(ours.players, ours.mean.tolist(), strict=True))
    if rating != found["elo"]:
        faults.append(f"Elo ratings differ: {rating} and {found['elo']}")
    return faults


def of_autojudge(found: dict[str, Any], export: Path) -> list[str]:
    """Its three readers find the same questions with their importance in the three files."""
    rows = (export / "bank_nuggetizer.jsonl").read_text().splitlines()
    ours = {
        row["qid"]: [[nugget["text"], nugget["importance"]] for nugget in row["nuggets"]]
        for row in map(json.loads, rows)
    }
    return [f"{name} differs" for name, banks in found.items() if not ours or banks != ours]


def of_tables(found: dict[str, Any], export: Path) -> list[str]:
    """Polars and datasets read every table, with as many rows as the manifest has.

    The passages of Rubric are lists of lists, which only its own package reads.
    """
    rows = {
        each["file"]: each["rows"]
        for path in export.glob("manifest*.json")
        for each in json.loads(path.read_text())["files"]
    }
    return [
        f"{package}, {name}: {count}"
        for package, files in found.items()
        for name, count in files.items()
        if name != "rubric_passages.jsonl.gz" and count != rows.get(name, count)
    ]


def _cell(found: dict[str, Any], row: dict[str, str]) -> Any:
    inner = row.get("did") or row.get("agent")
    return found[row["qid"]][inner] if inner else found[row["qid"]]


def of_exam_pp(found: dict[str, Any], export: Path) -> list[str]:
    """Compare its copy of the files, and its grades by maximum and by count."""
    from annotation.corpora.formats import rubric

    faults = []
    for kind, read in (("bank", rubric.banks), ("passages", rubric.passages)):
        sent = list(read(lines(export / f"rubric_{kind}.jsonl.gz")))
        if not sent or sent != list(read(lines(export / f"{kind}.again.jsonl.gz"))):
            faults.append(f"{kind} came back otherwise")
    for name, ours in (("rated", "maximum"), ("counted", "count")):
        cells = (line.split() for line in (export / f"qrels_{ours}.txt").read_text().splitlines())
        if sorted([t, p, int(grade)] for t, _, p, grade in cells) != found[name]:
            faults.append(f"qrels by {ours} differ")
    return faults


def lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return list(file)


def table(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


CHECKS: dict[str, Callable[[dict[str, Any], Path], list[str]]] = {
    "tables": of_tables,
    "ragelo": of_ragelo,
    "exam_pp": of_exam_pp,
    "autojudge": of_autojudge,
}

if __name__ == "__main__":
    sys.exit(compare())
