"""Files that bring rows of several kinds: read once for each kind, so memory stays constant."""

from dataclasses import replace

from annotation.corpora.corpus_files import CorpusFile
from annotation.corpora.mapping import Columns
from annotation.corpora.schema import RowKind, fields_of

OF_TOPIC = ("topic", "question")
OF_PASSAGE = ("passage", "text", "rank", "ranks_from", "title")
OF_ANSWER = ("question", "topic", "answer", "system", "citations_from", "origin")


def parts_of(file: CorpusFile) -> list[CorpusFile]:
    """Return a file once for each kind of row that it brings."""
    if file.format and file.kind is file.format.brings[0]:
        return [replace(file, kind=kind) for kind in file.format.brings]
    if file.kind is RowKind.PASSAGE_TABLE:
        return _of_passage_table(file)
    return [file]


def _of_passage_table(file: CorpusFile) -> list[CorpusFile]:
    """Return the topics, their passages, and the answers where a row has one."""
    names = fields_of(RowKind.PASSAGE_TABLE)
    whole = file.columns or Columns({name: name for name in names})
    part = replace(file, is_distinct=True)
    topic = whole.ours.get("topic")
    topics = Columns(
        {"query": whole.ours["question"], **({"topic": topic} if topic else {})},
        numbered=() if topic else ("topic",),
    )
    passages = {name: whole.ours[name] for name in OF_PASSAGE if name in whole.ours}
    of_passages = Columns(
        {"topic": topic or whole.ours["question"], **passages},
        {name: value for name, value in whole.fixed.items() if name in OF_PASSAGE},
        numbered=() if "passage" in passages else ("passage",),
    )
    answers = Columns(
        {name: whole.ours[name] for name in OF_ANSWER if name in whole.ours},
        {name: value for name, value in whole.fixed.items() if name in OF_ANSWER},
    )
    files = [
        replace(part, kind=RowKind.TOPICS, columns=topics),
        replace(part, kind=RowKind.PASSAGES, columns=of_passages),
    ]
    if "answer" in answers.ours:
        files.append(replace(part, kind=RowKind.TABLE, columns=answers, needs="answer"))
    return files
