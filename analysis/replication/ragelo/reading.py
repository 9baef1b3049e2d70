"""The games as the package ragelo writes them: pairwise_answers_evaluations.csv. Only reads."""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from analysis.stats.tournaments.games import LOST, TIED, WON

GAMES = "pairwise_answers_evaluations.csv"
COLUMNS = ("qid", "agent_a", "agent_b", "answer")
SCORES = {"A": WON, "B": LOST, "C": TIED}  # of the first agent
SHOWN = 20  # faults; the others are counted
LONGEST = 50_000_000  # characters of a cell: a judge's whole answer may stand beside ours


class BadGames(ValueError):
    """The file of the games is missing or not what it should be; the message says where."""


@dataclass(frozen=True)
class PlayedGames:
    """frame: topic, first, second, score (of the first: 1, .5, 0), in the order of the file.

    unanswered: rows whose answer is empty, since the judge gave none that could be read.
    """

    frame: pd.DataFrame
    unanswered: int


def read_games(folder: Path) -> PlayedGames:
    """Raises BadGames, with all lines that are wrong."""
    path = folder / GAMES
    if not path.is_file():
        raise BadGames(f"{folder} has no {GAMES}.")
    rows, faults, unanswered = [], [], 0
    for number, row in _rows(path):
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
        raise BadGames(f"{GAMES}: {'; '.join(faults[:SHOWN])}{more}.")
    if not rows:
        raise BadGames(f"{GAMES} has no game.")
    return PlayedGames(
        pd.DataFrame(rows, columns=["topic", "first", "second", "score"]), unanswered
    )


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Line and cells of each row. Raises BadGames."""
    before = csv.field_size_limit(LONGEST)  # one for all readers of a process
    try:
        with path.open(newline="", encoding="utf-8-sig") as lines:
            reader = csv.DictReader(lines)
            missing = [name for name in COLUMNS if name not in (reader.fieldnames or ())]
            if missing:
                raise BadGames(f"{GAMES} has no column {', '.join(missing)}.")
            for row in reader:
                yield reader.line_num, row
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BadGames(f"{GAMES} cannot be read: {error}") from error
    finally:
        csv.field_size_limit(before)
