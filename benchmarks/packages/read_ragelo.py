"""Reads an export with the package ragelo: `python read_ragelo.py FOLDER`."""

import csv
import json
import random
import shutil
import sys
from pathlib import Path
from typing import Any

from ragelo import Experiment, get_agent_ranker


def main(folder: Path) -> None:
    experiment = Experiment("read", save_on_disk=False, rich_print=False)
    experiment.add_queries_from_csv(str(folder / "ragelo_queries.csv"))
    experiment.add_documents_from_csv(str(folder / "ragelo_documents.csv"))
    experiment.add_agent_answers_from_csv(str(folder / "ragelo_answers.csv"))
    found = {
        "queries": {query.qid: query.query for query in experiment},
        "documents": {q.qid: {k: d.text for k, d in q.retrieved_docs.items()} for q in experiment},
        "answers": {q.qid: {k: a.text for k, a in q.answers.items()} for q in experiment},
    }
    found["saved"] = saved(folder)
    ranker = get_agent_ranker("elo", tournaments=1, show_results=False)
    with (folder / "pairwise_answers_evaluations.csv").open(newline="", encoding="utf-8") as file:
        ranker.evaluations = [
            (row["qid"], row["agent_a"], row["agent_b"], row["answer"])
            for row in csv.DictReader(file)
        ]
    random.shuffle = lambda games: None  # one tournament in the order of the file
    found["elo"] = ranker.run_tournament()
    found["wins"] = ranker.wins
    print(json.dumps(found))


def saved(folder: Path) -> dict[str, Any]:
    """Return the texts and winners in ragelo.json and ragelo_results.jsonl, read from copies."""
    copies = [
        shutil.copy(folder / name, folder / f"copy_{name}")
        for name in ("ragelo.json", "ragelo_results.jsonl")
    ]
    again = Experiment("nuggets", *map(str, copies), rich_print=False)
    for copy in copies:
        Path(copy).unlink()
    return {
        "queries": {query.qid: query.query for query in again},
        "documents": {q.qid: {k: d.text for k, d in q.retrieved_docs.items()} for q in again},
        "answers": {q.qid: {k: a.text for k, a in q.answers.items()} for q in again},
        "games": {
            f"{q.qid}: {name}": [result.agent_a, result.agent_b, result.winner]
            for q in again
            for name, game in q.pairwise_games.items()
            for result in game.evaluations.values()
        },
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]))
