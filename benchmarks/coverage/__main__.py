"""`python -m benchmarks.coverage [FAMILY ...] [--studies N]`: simulate all families, or these.

Another number of studies than a family's own is for trying it: its table is printed, not kept in
RESULTS.md.
"""

from argparse import ArgumentParser

from benchmarks.coverage import (
    alternative,
    bank_boards,
    choices,
    coders,
    copies,
    elo,
    families,
    few_raters,
    few_raters_beside,
    few_raters_competence,
    flags,
    judge_claims,
    manipulation,
    mean_agreement,
    merit_scale,
    methods,
    paired,
    peeking,
    promises,
    score_pairs,
    starts,
    style,
    sweeps,
    systems,
    texts,
    undecided,
    votes,
    with_others,
)
from benchmarks.reporting import load_now, report

FAMILIES = {
    "votes": votes,
    "systems": systems,
    "with_others": with_others,
    "score_pairs": score_pairs,
    "paired": paired,
    "texts": texts,
    "undecided": undecided,
    "elo": elo,
    "few_raters": few_raters,
    "few_raters_beside": few_raters_beside,
    "few_raters_competence": few_raters_competence,
    "flags": flags,
    "starts": starts,
    "style": style,
    "alternative": alternative,
    "bank_boards": bank_boards,
    "judge_claims": judge_claims,
    "manipulation": manipulation,
    "copies": copies,
    "families": families,
    "sweeps": sweeps,
    "mean_agreement": mean_agreement,
    "merit_scale": merit_scale,
    "choices": choices,
    "coders": coders,
    "methods": methods,
    "peeking": peeking,
    "promises": promises,
}


def main() -> None:
    parser = ArgumentParser(prog="python -m benchmarks.coverage")
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(FAMILIES))
    parser.add_argument("--studies", type=int, help="how many to simulate of each kind")
    arguments = parser.parse_args()
    if unknown := sorted({*arguments.families} - {*FAMILIES}):
        parser.error(f"no such family: {', '.join(unknown)}")
    for name in arguments.families or FAMILIES:
        family, load = FAMILIES[name], load_now()
        rows = list(family.rows(arguments.studies or family.STUDIES))
        notes = () if arguments.studies else (family.NOTE,)
        report(f"coverage {name}", rows, load=load, notes=notes, kept=not arguments.studies)


if __name__ == "__main__":
    main()
