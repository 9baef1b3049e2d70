"""Reads an export with the package ragelo: `python read_ragelo.py FOLDER`."""

import csv
import json
import random
import sys
from pathlib import Path

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


if __name__ == "__main__":
    main(Path(sys.argv[1]))
