"""`python -m benchmarks.unchanged take FOLDER [--like BEFORE]` and `compare BEFORE AFTER`."""

import argparse
import os
import re
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.unchanged import comparing, world

CORPUS = Path(os.environ.get("CROWDRAG25_DIR", world.ROOT.parent / "shared" / "crowdrag25"))
SECONDS = re.compile(r"\b[\d.,]+ s\b")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.unchanged", description=__doc__)
    acts = parser.add_subparsers(dest="act", required=True)
    taking = acts.add_parser("take", help="write down all that must not change")
    taking.add_argument("folder", type=Path)
    taking.add_argument("--like", type=Path, help="a folder taken before, whose world is used")
    taking.add_argument("--only", nargs="+", choices=[*PARTS], help="some parts alone")
    comparison = acts.add_parser("compare", help="exits with 1 if anything differs")
    comparison.add_argument("before", type=Path)
    comparison.add_argument("after", type=Path)
    comparison.add_argument("--shown", type=int, default=comparing.SHOWN)
    part = acts.add_parser("part")  # what `take` calls
    part.add_argument("name")
    part.add_argument("folder", type=Path)
    given = parser.parse_args()
    if given.act == "take":
        take(given.folder.resolve(), given.like, given.only or [*PARTS])
    elif given.act == "compare":
        compare(given.before, given.after, given.shown)
    else:
        do_part(given.name, given.folder)


def take(folder: Path, like: Path | None, parts: list[str]) -> None:
    began = time.monotonic()
    folder.mkdir(parents=True, exist_ok=True)
    for kind in comparing.kinds(folder):
        shutil.rmtree(folder / kind)
    made = folder / "world"
    if like is None:
        world.make(made)
        _in_child("furnish", made / "demo", var=made / "demo")
        (made / "demo" / world.MOMENT).rename(made / world.MOMENT)
    elif like.resolve() != folder:
        shutil.rmtree(made, ignore_errors=True)
        shutil.copytree(like / "world", made)
    print(f"the world is there after {time.monotonic() - began:.0f} s", flush=True)
    with ThreadPoolExecutor(2) as pool:
        jobs = {name: pool.submit(PARTS[name], folder) for name in PARTS if name in parts}
    failed = [f"{name}: {error}" for name, job in jobs.items() if (error := job.exception())]
    from benchmarks.unchanged import results

    results.columns(folder)
    for kind in sorted(comparing.kinds(folder)):
        number = sum(1 for path in (folder / kind).rglob("*") if path.is_file())
        print(f"{kind}: {number} files")
    print(f"taken in {time.monotonic() - began:.0f} s")
    if failed:
        raise SystemExit("\n\n".join(failed))


def _pages(folder: Path) -> None:
    _in_copy("pages", folder)


def _results(folder: Path) -> None:
    _in_copy("results", folder)


def _declared(folder: Path) -> None:
    _in_copy("declared", folder)


def _schema(folder: Path) -> None:
    from benchmarks.unchanged import schema

    schema.take(folder / "schema")


def _demo(folder: Path) -> None:
    """Record the output of a demo made from nothing."""
    scratch = folder / "world-of-demo"
    try:
        printed = world.make(scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    (folder / "demo").mkdir(exist_ok=True)
    (folder / "demo" / "printed.txt").write_text(SECONDS.sub("N s", printed))


def _replication(folder: Path) -> None:
    if not CORPUS.is_dir():
        print(f"no replication: there is no corpus in {CORPUS}")
        return
    out = folder / "replication"
    var = folder / "world-of-replication"
    var.mkdir()
    command = ("manage.py", "replicate", "crowdrag25", "--data", CORPUS, "--out", out)
    try:
        world.run(sys.executable, *command, env=world.environment(var))
    finally:
        shutil.rmtree(var, ignore_errors=True)


# The longest first.
PARTS = {
    "replication": _replication,
    "pages": _pages,
    "results": _results,
    "demo": _demo,
    "schema": _schema,
    "declared": _declared,
}


def _in_copy(name: str, folder: Path) -> None:
    with world.copied(folder / "world") as copy:
        _in_child(name, folder, var=copy)


def _in_child(name: str, folder: Path, *, var: Path) -> None:
    env = world.environment(var, ENDPOINTS_INSIDE="1")
    world.run(sys.executable, "-m", "benchmarks.unchanged", "part", name, folder, env=env)


def do_part(name: str, folder: Path) -> None:
    """Do one part in a process of its own, in the world of CROWDWRIGHT_VAR."""
    if name == "furnish":
        import django

        django.setup()
        world.furnish(folder)
        return
    world.enter()
    from benchmarks.unchanged import declared, pages, results

    if name == "pages":
        pages.take(folder / "pages")
    elif name == "results":
        results.take(folder)
    else:
        declared.take(folder)


def compare(before: Path, after: Path, shown: int) -> None:
    moments = [(folder / "world" / world.MOMENT).read_text() for folder in (before, after)]
    if moments[0] != moments[1]:
        raise SystemExit("The worlds differ: take the second folder with --like of the first.")
    number = comparing.differences(before, after, shown=shown)
    if number:
        raise SystemExit(f"{number} files differ.")
    print("Nothing differs.")


if __name__ == "__main__":
    main()
