"""Export of imported files of graded passages, updated with newer grades."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Protocol

import msgspec

from annotation.corpora.formats import rubric
from judging.labels.passage_files import graders_of, rows_of
from judging.labels.rubric import Grader, grader_of, ratings_of
from judging.models import PassageFile


class GradeRow(Protocol):
    """A grade of a rater on an entry, as `passages.Grade`."""

    @property
    def criterion(self) -> str: ...
    @property
    def rater(self) -> str: ...
    @property
    def grade(self) -> int: ...


Exams = Callable[[Sequence[Any], dict[str, str]], list[rubric.ExamGrades]]
Row = tuple[str, list[dict[str, Any]], bool]


class KeptPassages:
    """The rows of imported files, with changed grades in place of the original ones.

    Texts about the entries in `hidden` are left out.
    """

    def __init__(
        self, files: Iterable[PassageFile], exams: Exams, *, hidden: Collection[str] = ()
    ) -> None:
        self._exams, self._hidden = exams, hidden
        self._rows: dict[str, list[Row]] = defaultdict(list)
        self._pseudonyms: dict[Grader, str] = {}
        for file in files:
            self._pseudonyms |= graders_of(file)
            for row in rows_of(file):
                self._rows[row[0]].append(row)

    def merged(
        self, topic: str, graded: Mapping[str, Sequence[Any]], names: dict[str, str]
    ) -> tuple[list[Any], set[str]]:
        """Return the lines of a topic as JSON, and the passages that they have.

        Parameters
        ----------
        graded
            grades by passage
        names
            the ids of entries in the file by the keys of criteria
        """
        lines: list[Any] = []
        present: set[str] = set()
        for _, passages, is_list in self._rows[topic]:
            written = []
            for passage in passages:
                key = passage["paragraph_id"]
                is_first = key not in present
                grades = graded.get(key, ())
                written.append(self._passage(passage, grades if is_first else None, names))
                present.add(key)
            lines.append([topic, written if is_list else written[0]])
        return lines, present

    def _passage(
        self, passage: dict[str, Any], grades: Sequence[GradeRow] | None, names: dict[str, str]
    ) -> dict[str, Any]:
        if grades is None:  # a repeated passage
            shown = [self._shown(exam) for exam in passage.get("exam_grades") or ()]
            return passage | ({"exam_grades": shown} if shown else {})
        by_rater: dict[str, list[GradeRow]] = defaultdict(list)
        for grade in grades:
            by_rater[grade.rater].append(grade)
        exams, kept = [], dict[Grader, bool]()
        for exam in passage.get("exam_grades") or ():
            read = msgspec.convert(exam, rubric.ExamGrades)
            grader = grader_of(read)
            own = by_rater.pop(self._pseudonyms.get(grader, ""), [])
            now = {grade.criterion: grade.grade for grade in own}
            before = {entry: n for entry, n in ratings_of(read) if entry in names}
            # Only the first grade per grader counts.
            if kept.setdefault(grader, now == before):
                exams.append(self._shown(exam))
            elif own:
                exams += msgspec.to_builtins(self._exams(own, names))
        new = [grade for own in by_rater.values() for grade in own]
        exams += msgspec.to_builtins(self._exams(new, names))
        is_same = not exams and not passage.get("exam_grades")
        return passage if is_same else passage | {"exam_grades": exams}

    def _shown(self, exam: dict[str, Any]) -> dict[str, Any]:
        """Return a grader's texts without those about hidden entries."""
        if not self._hidden:
            return exam
        answers = [row for row in exam.get("answers") or () if row[0] not in self._hidden]
        errors = exam.get("llm_response_errors") or {}
        shown = {key: error for key, error in errors.items() if key not in self._hidden}
        return exam | {"answers": answers} | ({"llm_response_errors": shown} if errors else {})
