"""Faults of attention, gold and training items."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext

from annotation.models import Corpus, Topic
from annotation.studies.drafts.paths import joined
from annotation.studies.instruments import Fault
from annotation.texts.translation import translated_error
from judging.answering.scales import NotOnScale, canonical
from judging.design.known_items import contents_of, expected_of
from judging.instruments.files import BadInstrument, as_json
from judging.instruments.schema import AnswerSpec, AttentionSpec, InstrumentFile, KnownSpec
from judging.items.kinds import KINDS, item_kind

KEY_LENGTH = 80  # of the keys of its items, which name instrument and questionnaire, too


def check_faults(file: InstrumentFile, corpus: str) -> Iterable[Fault]:
    """Yield faults with paths below the instrument; items are looked up in the corpus."""
    if file.item_kind not in KINDS:
        return
    looks = bool(file.gold or file.training)  # a list of drafts asks as much whatever its length
    corpus_row = Corpus.objects.filter(slug=corpus).first() if looks else None
    for attention in file.attention:
        where = joined("attention", attention.key)
        yield from _common(where, attention, "attention", [a.key for a in file.attention])
        if not attention.text.strip():
            yield Fault(f"{where}/text", gettext("enter the answer that participants should give"))
        yield from _codes(file, where, attention.answers)
    for name, checks in (("gold", file.gold), ("training", file.training)):
        for known_item in checks:
            where = joined(name, known_item.key)
            yield from _common(where, known_item, name, [one.key for one in checks])
            if name == "training" and not known_item.explanation.strip():
                yield Fault(f"{where}/explanation", gettext("explain the correct answer"))
            if name == "training":
                yield from _about_parts(file, where, known_item)
            if corpus_row is not None:
                yield from _known(file, where, known_item, corpus_row)


def _about_parts(file: InstrumentFile, where: str, known_item: KnownSpec) -> Iterable[Fault]:
    """Yield faults of answers about one part: the feedback of a training item shows questions."""
    questions = {question.key for question in file.questions}
    for answer in known_item.answers:
        if answer.key not in questions:
            yield Fault(
                f"{where}/{joined('answers', answer.key)}/key",
                gettext("question {key!r} not found").format(key=answer.key),
            )


def _common(
    where: str, one: AttentionSpec | KnownSpec, name: str, keys: Sequence[str]
) -> Iterable[Fault]:
    if not one.answers:
        yield Fault(f"{where}/answers", gettext("mark the correct answer"))
    if len(one.key) > KEY_LENGTH or not one.key.strip():
        yield Fault(
            f"{where}/key",
            gettext("enter a name of up to {key_length} characters").format(key_length=KEY_LENGTH),
        )
    if keys.count(one.key) > 1 and where:
        yield Fault(name, gettext("{key!r} is listed twice").format(key=one.key))


def _codes(file: InstrumentFile, where: str, answers: Sequence[AnswerSpec]) -> Iterable[Fault]:
    """Yield faults of answers that the page does not offer."""
    scales = {scale.key: scale for scale in file.scales}
    scale_by_question = {question.key: scales.get(question.scale) for question in file.questions}
    names = [slot.name for slot in item_kind(file.item_kind).slots]
    for answer in answers:
        place = f"{where}/{joined('answers', answer.key)}"
        scale = scale_by_question.get(answer.key)
        if scale is None:
            yield Fault(
                f"{place}/key", gettext("question {key!r} not found").format(key=answer.key)
            )
            continue
        try:
            canonical(
                spec=as_json(scale),
                raw=answer.answer,
                shown=tuple(names),
                places=tuple(names),
                contents={name: name for name in names},
            )
        except NotOnScale as error:
            yield Fault(f"{place}/answer", translated_error(error))


def _known(file: InstrumentFile, where: str, one: KnownSpec, corpus: Corpus) -> Iterable[Fault]:
    kind = item_kind(file.item_kind)
    # The criteria of a draft are no rows yet: whatever has the key stands for one.
    criteria = {criterion.key: Topic(key=criterion.key) for criterion in file.criteria}
    try:
        contents = contents_of(one.item, kind=kind, corpus=corpus, criteria=criteria)
    except BadInstrument as error:
        yield Fault(f"{where}/item", translated_error(error))
        return
    try:
        expected_of(one.answers, file=file, kind=kind, contents=contents)
    except BadInstrument as error:
        yield Fault(f"{where}/answers", translated_error(error))
