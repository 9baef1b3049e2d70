"""Lines of a TREC run with the scores and ranks that were chosen for unreadable ones. Pure."""

from collections.abc import Callable, Iterable, Iterator

from annotation.corpora.formats import trec
from annotation.corpora.formats.faults import FormatFault
from annotation.corpora.remedies import Problem, RemedyChoices


def mended_run(
    lines: Iterable[str], choices: RemedyChoices, note: Callable[[int, FormatFault], None]
) -> Iterator[str]:
    """Yield the lines of a run; `note` gets the number and the fault of each that is mended."""
    for number, line in enumerate(lines, start=1):
        cells = line.split()
        for _ in trec.RUN:  # a line may have several faults
            fault = trec.run_fault(cells) if cells else None
            chosen = choices.replacement(Problem.UNKNOWN_VALUE, fault.value) if fault else None
            if fault is None or not fault.value or not chosen or chosen.split() != [chosen]:
                break
            note(number, fault)
            cells[trec.RUN.index(fault.field)] = chosen
        yield " ".join(cells)
