"""Whether RAGElo's own package runs against our endpoint, and rates its games as we do.

`python -m benchmarks.ragelo_endpoint`, or with a folder behind it that keeps its environment for
the next time.

The package ragelo is installed from PyPI into an environment of its own. It reads the CSV files of
a simulated study of pairs, lets a model of our endpoint judge documents and answers in both
orders, and plays one Elo tournament over its games; our truncated mode must give the same ratings
to the same games, and the endpoint must have charged each call once. A check, with no times; it
needs the network.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.other_packages import HERE, exported, python_of, table

QUALITY = {"bm25": -1.4, "dense": 0.0, "both": 1.4}  # of the answers of each system


def compare() -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        export = exported(folder)
        environments = Path(sys.argv[1] if len(sys.argv) > 1 else name).absolute()
        found, counts = run(python_of("ragelo", environments), export)
        faults = faults_of(found, counts, export)
    fine = (
        f"judges {found['documents']} documents and {len(found['games'])} games with "
        f"{counts['charged']} calls, and rates them as our truncated Elo does"
    )
    print(f"ragelo: {'; '.join(faults) or fine}")
    return len(faults)


def run(python: Path, export: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the package's results, and the counts of our endpoint."""
    from judging.calls.fake.running import FakeEndpoint

    answers = table(export / "ragelo_answers.csv")
    with FakeEndpoint() as fake:
        fake.known.learn({row["answer"]: QUALITY[row["agent"]] for row in answers})
        done = subprocess.run(
            [python, HERE / "run_ragelo.py", export, fake.url],
            check=True, stdout=subprocess.PIPE, text=True, cwd=export,
        )  # fmt: skip
        counts = fake.ledger.counts()
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found, counts


def faults_of(found: dict[str, Any], counts: dict[str, Any], export: Path) -> list[str]:
    import pandas as pd

    from analysis.stats.tournaments.elo import elo
    from analysis.stats.tournaments.games import Games

    faults = []
    topics = len(table(export / "ragelo_queries.csv"))
    games = found["games"]
    if len(games) != topics * 3:
        faults.append(f"{len(games)} games of {topics} topics, and not three of each")
    documents = len(table(export / "ragelo_documents.csv"))
    if found["documents"] != documents:
        faults.append(f"{found['documents']} of {documents} documents are judged")
    if counts["charged"] != documents + 2 * len(games) or counts["charged_twice"]:
        faults.append(f"the endpoint counted {counts}")
    score = {"A": 1.0, "B": 0.0, "C": 0.5}
    rows = [(qid, first, second, score[won]) for qid, first, second, won in games]
    frame = pd.DataFrame(rows, columns=["topic", "first", "second", "score"])
    ours = elo(Games.from_frame(frame), truncated=True, shuffled=False)
    rating = dict(zip(ours.players, ours.mean.tolist(), strict=True))
    if rating != found["elo"]:
        faults.append(f"Elo ratings differ: {rating} and {found['elo']}")
    if sorted(rating, key=rating.__getitem__) != sorted(QUALITY, key=QUALITY.__getitem__):
        faults.append(f"the systems stand otherwise than planted: {rating}")
    return faults


if __name__ == "__main__":
    sys.exit(compare())
