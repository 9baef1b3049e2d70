"""Two folders that were taken, kind by kind."""

import difflib
from pathlib import Path

SHOWN = 15  # files of a kind that are named
LINES = 24  # of a difference
WIDTH = 200  # characters of a line


def differences(before: Path, after: Path, *, shown: int = SHOWN) -> int:
    """Print a line for each kind and what differs; return the number of files that differ."""
    total = 0
    for kind in sorted(kinds(before) | kinds(after)):
        old, new = _files(before / kind), _files(after / kind)
        both = old.keys() & new.keys()
        changed = sorted(n for n in both if old[n].read_bytes() != new[n].read_bytes())
        gone, come = sorted(old.keys() - new.keys()), sorted(new.keys() - old.keys())
        print(f"{kind}: {len(both) - len(changed)} equal", end="")
        print(f", {len(changed)} differ, {len(gone)} gone, {len(come)} new")
        total += len(changed) + len(gone) + len(come)
        for word, names in (("gone", gone), ("new", come), ("differs", changed)):
            for name in names[:shown]:
                print(f"  {word}: {kind}/{name}")
                if word == "differs":
                    _tell(old[name], new[name])
            if len(names) > shown:
                print(f"  ... and {len(names) - shown} more")
    return total


def kinds(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.is_dir() and path.name != "world"}


def _files(folder: Path) -> dict[str, Path]:
    return {
        str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()
    }


def _tell(old: Path, new: Path) -> None:
    try:
        sides = [file.read_text().splitlines() for file in (old, new)]
    except UnicodeDecodeError:
        return
    lines = list(difflib.unified_diff(*sides, lineterm="", n=0))[2:]
    for line in lines[:LINES]:
        print(f"    {line[:WIDTH]}")
    if len(lines) > LINES:
        print(f"    ... and {len(lines) - LINES} more lines")
