"""Judges of known quality in simulated studies: `python -m benchmarks.judges [copying]`.

One copies what people say (but for a tenth of its labels), one always says left, one guesses,
others know something or much: how often the intervals of each hold what is true of the same world,
and how far they are distinguished. Agreement (agreement.py), ranking and worth (knowing.py),
preference and parts (beside.py), scores from people and a judge together (prediction_powered.py).
coverage/intervals.py says what is promised, and where another band is. With `copying`, only the
judges that copy people (copying.py) are simulated.
"""

import sys
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np

from benchmarks.coverage.intervals import ERROR, STUDIES, Part, Truths
from benchmarks.judges import agreement, beside, copying, knowing, powered
from benchmarks.judges.drawn import SLIPS, TIMES
from benchmarks.reporting import Row, load_now, report
from benchmarks.simulated_studies import World

FILES = (agreement, knowing, beside, powered)
PROCESSES = 4
NOTES = (
    "Coverage in % of intervals at 95 % over {:,} simulated studies (standard error {:.1f}), of "
    "those in which one is offered. The judge is compared with the majority of five votes; {} % of "
    "the labels of the one that copies are drawn at random. What is true is the mean of {} studies "
    "of 4,000 topics and 4,000 people (of tau that of the studies themselves), ± its standard "
    "error. The peer of a prediction-powered estimate is that of people alone.",
    "All of it took {:.0f} minutes of the processor.",
)


def main() -> None:
    if sys.argv[1:] != ["copying"]:
        report_all()
    copying.report_copying()


def report_all() -> None:
    load = load_now()
    with ProcessPoolExecutor(PROCESSES) as pool:
        truths = list(pool.map(true_of, range(len(FILES))))
        parts = [
            part
            for file, (truth, _) in zip(FILES, truths, strict=True)
            for part in file.parts(truth)
        ]
        found = list(pool.map(rows_of, parts))
    minutes = sum(seconds for _, seconds in (*truths, *found)) / 60
    first, last = NOTES
    notes = (first.format(STUDIES, ERROR, round(100 * SLIPS), TIMES), last.format(minutes))
    report("judges", [row for rows, _ in found for row in rows], load=load, notes=notes)


def true_of(file: int) -> tuple[Truths, float]:
    """Return the true values that a file measures, and the CPU seconds."""
    began = time.process_time()
    truth = FILES[file].true_values(World(), np.random.default_rng(file + 1))
    return truth, time.process_time() - began


def rows_of(part: Part) -> tuple[list[Row], float]:
    """Its rows, which it prints as they are found, and the seconds of the processor."""
    began = time.process_time()
    rows = part()
    for row in rows:
        print(*row.cells(), sep=" | ", file=sys.stderr, flush=True)
    return rows, time.process_time() - began


if __name__ == "__main__":
    main()
