"""The mixed model of votes beside a Markov chain: `python -m benchmarks.mixed_chain`.

An argument names a folder that keeps the environment. Laplace's approximation is compared with
NUTS (numpyro, from PyPI, in an environment of its own) on the overall quality of the Crowd RAG
Corpus 2025. It needs the network and some minutes. The figures of a longer chain are recorded in
tests/analysis/stats/bradley_terry/test_mixed.py.
"""

import json
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path

from analysis.stats.bradley_terry.mixed import MixedResult, fit_mixed
from analysis.stats.bradley_terry.mixed_votes import MixedVotes
from benchmarks.crowd_votes import corpus_folder
from benchmarks.mixed import votes_on
from benchmarks.other_packages import HERE, python_of
from tests.services.corpus import VARIABLE

QUESTION = "quality_overall"
WARMUP, DRAWS = 300, 400
NEAR = 1.0  # standard deviations of the chain that an estimate may lie from its mean


def compare() -> int:
    folder = corpus_folder()
    if folder is None:
        print(f"There is no Crowd RAG Corpus 2025; set {VARIABLE} to its folder.")
        return 1
    votes = MixedVotes.from_frame(votes_on(folder, QUESTION))
    ours = figures(fit_mixed(votes))
    far = 0
    for name, (mean, sd) in chain_on(votes).items():
        if name not in ours:
            continue
        apart = (ours[name] - mean) / sd
        far += abs(apart) > NEAR
        print(f"{name:15} ours {ours[name]:6.3f}   chain {mean:6.3f} ({sd:.3f})   {apart:+.2f} sd")
    return far


def figures(result: MixedResult) -> dict[str, float]:
    """Of two systems: the second less the first, as the chain has it; t where there are ties."""
    first, second = result.votes.systems
    assert result.side is not None
    ties = {"t": result.tie_parameter} if result.tie_parameter else {}
    effects = {"gap": result.difference(second, first)[0], "side": result.side[0]}
    return asdict(result.components) | effects | ties


def chain_on(votes: MixedVotes) -> dict[str, tuple[float, float]]:
    """Mean and standard deviation of each figure."""
    names = ("a", "b", "outcome", "worker", "side", "system", "cell")
    content = {name: getattr(votes, name).tolist() for name in names}
    content["R"] = len(votes.responses)
    with tempfile.TemporaryDirectory() as name:
        environments = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(name)
        python, file = python_of("numpyro", environments.absolute()), Path(name) / "votes.json"
        file.write_text(json.dumps(content))
        command = [python, HERE / "run_numpyro.py", file, str(WARMUP), str(DRAWS)]
        said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    return {name: (mean, sd) for name, (mean, sd) in json.loads(said.splitlines()[-1]).items()}


if __name__ == "__main__":
    sys.exit(compare())
