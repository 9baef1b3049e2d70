"""Lets the package ragelo judge an export by a server of models: `python run_ragelo.py FOLDER URL`.

Documents, then games of answers, as RAGElo does; then one tournament in the order of the games.
"""

import json
import random
import sys
from pathlib import Path

from ragelo import (
    Experiment,
    get_agent_ranker,
    get_answer_evaluator,
    get_llm_provider,
    get_retrieval_evaluator,
)


def main(folder: Path, url: str) -> None:
    experiment = Experiment("run", save_on_disk=False, rich_print=False)
    experiment.add_queries_from_csv(str(folder / "ragelo_queries.csv"))
    experiment.add_documents_from_csv(str(folder / "ragelo_documents.csv"))
    experiment.add_agent_answers_from_csv(str(folder / "ragelo_answers.csv"))
    provider = get_llm_provider("openai", api_key="trial", api_base=url, model="good")
    quiet = {"llm_provider": provider, "use_progress_bar": False, "n_processes": 4}
    get_retrieval_evaluator("reasoner", **quiet).evaluate_experiment(experiment)
    get_answer_evaluator("pairwise", **quiet).evaluate_experiment(experiment)
    ranker = get_agent_ranker("elo", tournaments=1, show_results=False)
    random.shuffle = lambda games: None  # in the order of the games
    result = ranker.run(experiment)
    judged = [d for query in experiment for d in query.retrieved_docs.values() if d.evaluations]
    print(json.dumps({"games": ranker.evaluations, "elo": result.scores, "documents": len(judged)}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
