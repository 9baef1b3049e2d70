"""Games in the files of the package ragelo. Only reads.

ragelo 0.7 writes NAME.json, an experiment, and NAME_results.jsonl, a line for each evaluation:
its games are read from the second. Before, it wrote pairwise_answers_evaluations.csv.
"""

import csv
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.stats.tournaments.games import LOST, TIED, WON
from annotation.texts.coded_errors import CodedError

GAMES = "pairwise_answers_evaluations.csv"
RESULTS = "_results.jsonl"  # the end of the name of a file of ragelo 0.7
EXPORTED = f"ragelo{RESULTS}"  # has the games of an export again
COLUMNS = ("qid", "agent_a", "agent_b", "answer")
SCORES = {"A": WON, "B": LOST, "C": TIED}  # of the first agent
SHOWN = 20  # faults; the others are counted
LONGEST = 50_000_000  # characters of a cell: a judge's whole answer may stand beside ours


class BadGames(CodedError):
    """The file of the games is missing or malformed; the message gives the place."""


@dataclass(frozen=True)
class PlayedGames:
    """Games in the order of the file; frame: topic, first, second, score (of the first: 1, .5, 0).

    unanswered: rows whose answer is empty, since the judge gave none that could be read.
    """

    frame: pd.DataFrame
    unanswered: int


def read_games(folder: Path) -> PlayedGames:
    """Read the games of a folder. Raises BadGames, with all lines that are wrong."""
    path = _file_of(folder)
    rows, faults, unanswered = [], [], 0
    for number, row in _results(path) if is_results(path.name) else _rows(path):
        answer = (row["answer"] or "").strip().strip("[]").upper()
        agents = [(row[name] or "").strip() for name in ("agent_a", "agent_b")]
        if not all(agents) or not (row["qid"] or "").strip():
            faults.append(f"line {number}: a qid or an agent is missing")
        elif agents[0] == agents[1]:
            faults.append(f"line {number}: {agents[0]} plays against itself")
        elif not answer:
            unanswered += 1
        elif answer not in SCORES:
            faults.append(f"line {number}: the answer is {row['answer']!r}, not A, B or C")
        else:
            rows.append((row["qid"].strip(), *agents, SCORES[answer]))
    if faults:
        more = f"; and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
        raise BadGames("invalid_rows", f"{path.name}: {'; '.join(faults[:SHOWN])}{more}.")
    if not rows:
        raise BadGames("no_games", f"{path.name} has no game.")
    return PlayedGames(
        pd.DataFrame(rows, columns=["topic", "first", "second", "score"]), unanswered
    )


def is_results(name: str) -> bool:
    """Return whether a file has the name of results of ragelo 0.7."""
    return name.endswith(RESULTS) and not name.startswith(".")


def _file_of(folder: Path) -> Path:
    """Return the file with the games. Raises BadGames if there is none, or several."""
    names = [path.name for path in folder.iterdir() if path.is_file()] if folder.is_dir() else []
    games = sorted(name for name in names if name == GAMES or is_results(name))
    if not games:
        raise BadGames("missing_files", f"{folder} has no {GAMES} and no NAME{RESULTS}.")
    if GAMES in games and EXPORTED in games:
        games.remove(EXPORTED)
    if len(games) > 1:
        raise BadGames("several_files", f"Keep one of the files of games: {', '.join(games)}.")
    return folder / games[0]


def _results(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the games among the evaluations of ragelo 0.7 as rows of the older file."""
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if line.strip() and (row := _game(json.loads(line))) is not None:
                    yield number, row
    except (OSError, ValueError, RecursionError) as error:
        raise BadGames("unreadable", f"{path.name} cannot be read: {error}") from error


def _game(result: Any) -> dict[str, str] | None:
    """Return the game of an evaluation; None for those of documents and of single answers."""
    if not isinstance(result, dict) or not {"agent_a", "agent_b"} <= set(result):
        return None
    answer = result.get("answer")
    winner = answer.get("winner") if isinstance(answer, dict) else None
    cells = {name: result.get(name) for name in ("qid", "agent_a", "agent_b")}
    return {name: str(cell or "") for name, cell in {**cells, "answer": winner}.items()}


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield line and cells of each row. Raises BadGames."""
    before = csv.field_size_limit(LONGEST)  # one for all readers of a process
    try:
        with path.open(newline="", encoding="utf-8-sig") as lines:
            reader = csv.DictReader(lines)
            missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
            if missing:
                raise BadGames("missing_columns", f"{GAMES} has no column {', '.join(missing)}.")
            for row in reader:
                yield reader.line_num, row
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadGames("unreadable", f"{GAMES} cannot be read: {error}") from error
    finally:
        csv.field_size_limit(before)
