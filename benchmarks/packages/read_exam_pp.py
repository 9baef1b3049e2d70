"""Reads an export with the package exam_pp (Rubric): `python read_exam_pp.py FOLDER`.

Writes what it has read into the folder again, as the package writes it.
"""

import contextlib
import io
import json
import sys
from pathlib import Path

with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    from exam_pp.data_model import (  # says on import that it could not fetch word lists
        GradeFilter,
        parseQueryWithFullParagraphs,
        writeQueryWithFullParagraphs,
    )
    from exam_pp.exam_to_qrels import conver_exam_to_qrels, convert_exam_to_rated_qrels
    from exam_pp.question_bank_loader import parseNuggetBank, writeTestBank


def main(folder: Path) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        banks = parseNuggetBank(folder / "rubric_bank.jsonl.gz")
        queries = parseQueryWithFullParagraphs(folder / "rubric_passages.jsonl.gz")
        writeTestBank(folder / "bank.again.jsonl.gz", banks)
        writeQueryWithFullParagraphs(folder / "passages.again.jsonl.gz", queries)
        every = GradeFilter.noFilter()
        rated = convert_exam_to_rated_qrels(queries, every)
        counted = conver_exam_to_qrels(queries, every)
    found = {
        "nuggets": {bank.query_id: [item.nugget_id for item in bank.items] for bank in banks},
        "passages": {
            query.queryId: [paragraph.paragraph_id for paragraph in query.paragraphs]
            for query in queries
        },
        "rated": sorted([each.query_id, each.paragraph_id, each.grade] for each in rated),
        "counted": sorted([each.query_id, each.paragraph_id, each.grade] for each in counted),
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
