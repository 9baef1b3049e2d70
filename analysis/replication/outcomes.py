"""What the replication of a paper from its own tables comes to: for a folder, or for a page.

The Crowd RAG Corpus 2025 is replicated by way of databases (`parts`, config.replicating).
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from analysis.replication.papers import popp, rubric, sgss
from analysis.replication.papers.cells import Replica
from analysis.replication.papers.report import report as paper_report
from analysis.replication.ragelo import tables as ragelo
from analysis.replication.ragelo.reading import read_games
from analysis.replication.ragelo.report import report as ragelo_report

RAGELO = "ragelo"
PAPERS: dict[str, Callable[[Path], Replica]] = {
    "popp": popp.replicate,
    "rubric": rubric.replicate,
    "sgss": sgss.replicate,
}


@dataclass(frozen=True)
class Outcome:
    """`found`: all numbers; `report`: a page to keep. Of ragelo `agents` with their mean ratings,
    the best first; of the others the `replica`."""

    found: dict[str, Any]
    report: str
    agents: tuple[tuple[str, float], ...] = ()
    replica: Replica | None = None

    @property
    def tables_json(self) -> str:
        return json.dumps(self.found, indent=1, allow_nan=False, ensure_ascii=False) + "\n"


def outcome_of(paper: str, folder: Path) -> Outcome:
    """Of one of PAPERS, or RAGELO. Raises BadTable, BadGames, CannotCompute."""
    if paper != RAGELO:
        replica = PAPERS[paper](folder)
        return Outcome(replica.as_json(), paper_report(replica), replica=replica)
    found = ragelo.tables(read_games(folder))
    ratings = found["elo"]["float"]
    agents = sorted(((name, ratings[name]["mean"]) for name in ratings), key=lambda each: -each[1])
    return Outcome(found, ragelo_report(found), agents=tuple(agents))
