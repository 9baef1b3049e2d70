"""Storage of imported files of graded passages, which contain data that judgments can't hold."""

import gzip
from collections.abc import Iterator, Mapping
from dataclasses import astuple
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from annotation.models import Corpus, CorpusLabels, Study
from judging.labels.rubric import Grader, RubricFiles
from judging.models import PassageFile, Rater

NAME_LENGTH = 200  # characters, of the columns


def keep(
    *, study: Study, path: Path, name: str, raters: Mapping[Grader, Rater], now: datetime
) -> PassageFile:
    """Store an imported file, replacing a file of the same name."""
    content = path.read_bytes()
    if name.lower().endswith(".gz"):
        content = gzip.decompress(content)
    graders = [[*astuple(grader), rater.pseudonym] for grader, rater in sorted(raters.items())]
    stored, _ = PassageFile.objects.update_or_create(
        study=study,
        name=name[-NAME_LENGTH:],
        defaults={
            "content": gzip.compress(content, mtime=0),
            "graders": graders,
            "created_at": now,
        },
    )
    return stored


def keep_judgments(*, corpus: Corpus, name: str, found: RubricFiles) -> None:
    """Store judgments and direct grades of passages as labels that came with the corpus."""
    rows = b"".join(msgspec.json.encode(row) + b"\n" for row in found.judgments)
    if rows:
        CorpusLabels.objects.update_or_create(
            corpus=corpus,
            name=name[-NAME_LENGTH:],
            defaults={
                "count": len(found.judgments),
                "raters": len({row["rater"] for row in found.judgments}),
                "content": gzip.compress(rows, mtime=0),
            },
        )


def rows_of(file: PassageFile) -> Iterator[tuple[str, list[dict[str, Any]], bool]]:
    """Yield the topic, the raw passages, and whether the file had them as a list."""
    for line in file.lines():
        if line.strip():
            topic, passages = msgspec.json.decode(line)
            is_list = isinstance(passages, list)
            yield topic, passages if is_list else [passages], is_list


def graders_of(file: PassageFile) -> dict[Grader, str]:
    """Return the pseudonyms of the graders of a file."""
    return {Grader(*row[:-1]): row[-1] for row in file.graders}
