"""Replication of a paper from its own tables, for a folder or a page.

The Crowd RAG Corpus 2025 is replicated by way of databases (`parts`, config.replicating).
"""

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis.replication.papers import popp, rubric, sgss
from analysis.replication.papers.cells import Replica
from analysis.replication.papers.report import report as paper_report
from analysis.replication.ragelo import tables as ragelo
from analysis.replication.ragelo.games import GAMES, is_results, read_games
from analysis.replication.ragelo.report import report as ragelo_report

RAGELO = "ragelo"
PAPERS: dict[str, Callable[[Path], Replica]] = {
    "popp": popp.replicate,
    "rubric": rubric.replicate,
    "sgss": sgss.replicate,
}
FILES: dict[str, Collection[str]] = {
    RAGELO: (GAMES,),
    "popp": popp.FILES,
    "rubric": rubric.FILES,
    "sgss": tuple(f"{name}.csv" for name in sgss.FIGURES),
}


@dataclass(frozen=True)
class PaperReplication:
    """All numbers of a replication, and a report to keep.

    agents: of ragelo, mean ratings, the best first; replica: of the other papers; unread: name of a
    file or table -> why it, or a part of it, was not read.
    """

    found: dict[str, Any]
    report: str
    agents: tuple[tuple[str, float], ...] = ()
    replica: Replica | None = None
    unread: Mapping[str, str] = field(default_factory=dict)

    @property
    def tables_json(self) -> str:
        return json.dumps(self.found, indent=1, allow_nan=False, ensure_ascii=False) + "\n"


def outcome_of(paper: str, folder: Path) -> PaperReplication:
    """Replicate one of PAPERS, or RAGELO. Raises BadTable, BadGames, CannotCompute."""
    ignored = _ignored(paper, folder)
    if paper != RAGELO:
        replica = PAPERS[paper](folder)
        replica.ignored = ignored
        return PaperReplication(
            replica.as_json(), paper_report(replica), replica=replica, unread=replica.unread
        )
    numbers = ragelo.tables(read_games(folder)) | {"unread": ignored}
    ratings = numbers["elo"]["float"]
    agents = sorted(((name, ratings[name]["mean"]) for name in ratings), key=lambda each: -each[1])
    return PaperReplication(numbers, ragelo_report(numbers), agents=tuple(agents), unread=ignored)


def _ignored(paper: str, folder: Path) -> dict[str, str]:
    """Return the files that the replication of the paper does not read, and why."""
    names = sorted(path.name for path in folder.iterdir() if path.is_file())
    file_names = ", ".join(FILES[paper])
    return {
        name: f"not read: the files of this paper are {file_names}."
        for name in names
        if name not in FILES[paper] and not name.startswith(".")
        if paper != RAGELO or not is_results(name)
    }
