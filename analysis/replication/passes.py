"""First pass of a worker through a questionnaire, among the rows of a submission.

The file of pointwise votes contains some submissions twice, and no row names its pass. All workers
of a questionnaire have the same topics, and a pass is over when the topics begin again.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

Row = tuple[Any, str]  # when it was submitted, and the topic


def first_pass(workers: Sequence[Sequence[Row]]) -> list[int]:
    """Return the number of rows of each worker's first pass; rows are in the order of time.

    The length of a pass is that of the shortest list that explains all longer ones as the same
    topics again, the last time perhaps not to the end; workers with fewer rows did not finish.
    Where all lists are equally long, all may contain the pass twice: they do if the rows that were
    submitted together are such a pass.
    """
    lengths = sorted(len(rows) for rows in workers)
    length = next(n for n in lengths if all(_repeats(rows, n) for rows in workers))
    together = {sum(time == rows[0][0] for time, _ in rows) for rows in workers}
    if lengths[0] == lengths[-1] and len(together) == 1:
        sent = together.pop()
        if sent > 1 and all(_repeats(rows, sent) for rows in workers):
            length = sent
    return [min(length, len(rows)) for rows in workers]


def _repeats(rows: Sequence[Row], length: int) -> bool:
    """Return whether these are the same topics again and again, `length` at a time."""
    topics = [topic for _, topic in rows]
    passes = [Counter(topics[start : start + length]) for start in range(0, len(topics), length)]
    return all(again <= passes[0] for again in passes[1:]) and all(
        again == passes[0] for again in passes[1:-1]
    )
