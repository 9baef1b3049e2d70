"""The mixed model of votes by a Markov chain: `python run_numpyro.py VOTES.json WARMUP DRAWS`.

The model is that of analysis/stats/bradley_terry/mixed.py, written down once more for numpyro, with
half-normal priors on the components. Two systems.
"""

import json
import sys
from pathlib import Path

import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from jax import random
from jax.nn import log_sigmoid
from numpyro.infer import MCMC, NUTS

COMPONENTS = ("response", "system_topic", "lean", "habit", "discrimination")


def model(votes):
    sizes = {key: max(votes[key]) + 1 for key in ("cell", "worker")} | {"response": votes["R"]}
    sd = {name: numpyro.sample(name, dist.HalfNormal(1.0)) for name in COMPONENTS}
    gap = numpyro.sample("gap", dist.Normal(0.0, 5.0))
    side = numpyro.sample("side", dist.Normal(0.0, 5.0))
    t = jnp.exp(numpyro.sample("log_t", dist.Normal(0.0, 3.0)))
    numpyro.deterministic("t", t)

    def spread(name, of):
        with numpyro.plate(f"each {name}", sizes[of]):
            return sd[name] * numpyro.sample(f"z {name}", dist.Normal(0.0, 1.0))

    system, cell, worker = (jnp.array(votes[key]) for key in ("system", "cell", "worker"))
    a, b, sides = (jnp.array(votes[key]) for key in ("a", "b", "side"))
    merit = gap * system + spread("system_topic", "cell")[cell] + spread("response", "response")
    lean, habit = spread("lean", "worker"), spread("habit", "worker")
    scale = jnp.exp(spread("discrimination", "worker"))
    eta = (
        scale[worker] * (merit[a] - merit[b])
        + lean[worker] * (system[a] - system[b])
        + (side + habit[worker]) * sides
    )
    first, second = log_sigmoid(eta - t), log_sigmoid(-eta - t)
    said = jnp.array(votes["outcome"])
    tie = jnp.log(jnp.expm1(2 * t)) + first + second
    numpyro.factor("votes", jnp.where(said == 1, first, jnp.where(said == -1, second, tie)).sum())


def main(path: Path, warmup: int, draws: int) -> None:
    votes = json.loads(path.read_text())
    chain = MCMC(NUTS(model), num_warmup=warmup, num_samples=draws, progress_bar=False)
    chain.run(random.PRNGKey(1), votes)
    drawn = chain.get_samples()
    found = {
        name: [float(drawn[name].mean()), float(drawn[name].std())]
        for name in (*COMPONENTS, "gap", "side", "t")
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]), *map(int, sys.argv[2:]))
