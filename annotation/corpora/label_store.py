"""Labels that come with the texts of a corpus, kept beside it until a study imports them."""

import gzip
import io
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import msgspec

from annotation.corpora.import_report import ImportReport
from annotation.models import Corpus, CorpusLabels
from annotation.texts.sentences import marked

MOST_LABELS = 200_000  # of a file: as many as a study imports at once
NAME_LENGTH = 200  # characters, of the column
TOO_MANY = marked("labels beyond the first 200,000 in a file")


class LabelStore:
    """Labels of the files of one import: packed while they are read, stored at its end."""

    def __init__(self, report: ImportReport) -> None:
        self._report = report
        self._packed: dict[str, io.BytesIO] = {}
        self._writers: dict[str, gzip.GzipFile] = {}
        self._raters: defaultdict[str, set[str]] = defaultdict(set)

    def keeper(self, file: str) -> Callable[[dict[str, Any]], None]:
        """Return a function that keeps a label of a file."""

        def keep(values: dict[str, Any]) -> None:
            if self._report.labels[file] >= MOST_LABELS:
                self._report.left_out[TOO_MANY] += 1
                return
            if file not in self._writers:
                self._packed[file] = io.BytesIO()
                self._writers[file] = gzip.GzipFile(fileobj=self._packed[file], mode="wb", mtime=0)
            self._writers[file].write(msgspec.json.encode(values) + b"\n")
            self._report.labels[file] += 1
            self._raters[file].add(str(values.get("rater", "")))

        return keep

    def store(self, corpus: Corpus) -> None:
        """Save the labels; those of a file that comes again replace the former ones."""
        for file, writer in self._writers.items():
            writer.close()
            CorpusLabels.objects.update_or_create(
                corpus=corpus,
                name=file[-NAME_LENGTH:],
                defaults={
                    "count": self._report.labels[file],
                    "raters": len(self._raters[file]),
                    "content": self._packed[file].getvalue(),
                },
            )
