"""A writing study made from its document, with its onboarding and its other tasks."""

from collections.abc import Iterator
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext, ngettext

from annotation.corpora.systems import topics_of
from annotation.models import Corpus, Study
from annotation.studies.drafts.columns import columns_of
from annotation.studies.drafts.kinds import (
    Method,
    Outline,
    StudyKind,
    Wave,
    instruments_of,
    register,
)
from annotation.studies.drafts.schema import Document
from annotation.studies.wages import writing_minutes
from annotation.texts.sentences import marked
from writing.editor import showing
from writing.instruments import files, schema
from writing.studies import adding, designing, documents, filling, sheets, simulating
from writing.studies.designing import (
    NothingToWrite,
    create_study,
    reading_minutes,
    write_onboarding,
    write_tasks,
)
from writing.studies.remarks import remarks
from writing.studies.topics import draw_topics, drawn_ids, texts_to_accept

METHODS = {
    "crowdrag-writing": Method(
        "human texts",
        marked("Write an answer"),
        marked("A human baseline, or how people cite"),
        shows=marked("Texts that people wrote from the systems' sources, with replay."),
        not_for=marked("Results within a day. Writing a text takes about 25 minutes, plus review."),
        paper=marked("CrowdRAG writing study: Gienapp et al., SIGIR 2025"),
        systems=range(1),
    ),
}


@transaction.atomic
def write(*, document: Document, corpus: Corpus, user: User | None, new_version: bool) -> Study:
    """Create the study of a document. Raises RefusedSetting, NothingToWrite, StudyExists."""
    instrument: schema.WritingInstrument = instruments_of(document)[0]
    first = document.onboarding
    styles = [style.style for style in instrument.styles]
    drawn = draw_topics(corpus=corpus, **_wanted(document))
    study = create_study(
        corpus=corpus,
        instrument=instrument,
        onboarding_tasks=texts_to_accept(
            onboarding_topics=first.topics, accepted=first.accepted if first.topics else None
        ),
        created_by=user,
        contact=document.contact,
        new_version=new_version,
        **columns_of(document),
    )
    if first.topics:
        write_onboarding(study=study, topics=drawn.onboarding, styles=styles, writers=first.writers)
    write_tasks(
        study=study,
        topics=drawn.main,
        styles=styles,
        quota=instrument.defaults.quota,
        chosen_topics=document.design.chosen_topics,
    )
    return study


def _wanted(document: Document) -> dict[str, Any]:
    """Return the arguments of a draw of topics."""
    return {
        "seed": document.design.seed,
        "topics": document.design.topics,
        "onboarding_topics": document.onboarding.topics,
        "chosen": document.design.chosen_topics,
    }


def outline(document: Document, corpus: Corpus) -> Outline:
    """Describe the study that `write` would create. Raises RefusedSetting."""
    instrument: schema.WritingInstrument = instruments_of(document)[0]
    first, styles = document.onboarding, len(instrument.styles)
    _, topics = drawn_ids(corpus=corpus, **_wanted(document))
    is_every = document.design.topics is None and not first.topics
    reading = reading_minutes(
        topics_of(corpus, chosen=document.design.chosen_topics) if is_every else topics,
        shown=instrument.passages,
        n=len(topics),
    )
    tasks = len(topics) * styles
    waves = [Wave("main", tasks, tasks * instrument.defaults.quota)]
    if first.topics:
        waves.insert(0, Wave("onboarding", first.topics, first.topics * first.writers))
    return Outline(
        waves=tuple(waves),
        minutes=instrument.defaults.minutes,
        reading_minutes=reading,
        pay=document.recruitment.pay,
        currency=document.recruitment.currency,
        topics=tuple(topics),
        most_for_one=len(topics),  # nobody writes about a topic twice
        sum=(_sum(len(topics), styles, instrument.defaults.quota),),
        writing_minutes=writing_minutes(instrument.target_words),
        notes=(
            gettext("{main} topics in {styles} styles, about {target_words} words each.").format(
                main=len(topics), styles=styles, target_words=instrument.target_words
            ),
            *_passages_note(instrument.passages),
        ),
    )


def _passages_note(shown: int | None) -> Iterator[str]:
    if shown is not None:
        yield ngettext(
            "Writers see the top passage for each topic.",
            "Writers see the top {n} passages for each topic.",
            shown,
        ).format(n=shown)


def _sum(topics: int, styles: int, quota: int) -> str:
    """Describe how the texts come about, with the number of texts per topic."""
    return gettext("{topics} × {styles} × {writers} = {texts}, {each} per topic.").format(
        topics=ngettext("{n} topic", "{n} topics", topics).format(n=topics),
        styles=ngettext("{n} style", "{n} styles", styles).format(n=styles),
        writers=ngettext("{n} writer", "{n} writers", quota).format(n=quota),
        texts=ngettext("{n} text", "{n} texts", n := topics * styles * quota).format(n=n),
        each=styles * quota,
    )


def register_kind() -> None:
    register(
        Study.Kind.WRITING,
        StudyKind(
            instrument=schema.WritingInstrument,
            available=files.available,
            load=files.load,
            blank=files.blank,
            faults=documents.faults,
            write=write,
            refusals=(NothingToWrite,),
            instruments_of=documents.made_from,
            topics_of=documents.topics_of,
            chosen_topics_of=documents.chosen_topics_of,
            read=documents.read,
            time_limit=lambda each: each.defaults.time_limit_minutes,  # type: ignore[attr-defined]
            outline=outline,
            remarks=remarks,
            compares=lambda _document: False,
            needs=lambda _instrument: frozenset(["passage"]),
            groups=sheets.groups,
            adding=sheets.adding,
            removing=sheets.removing,
            screens=showing.SCREENS,
            in_small=showing.in_small,
            look=showing.look,
            imagine=showing.imagine,
            methods=METHODS,
            repeat=adding.repeat,
            add_topics=adding.add_topics,
            foreseen_topics=adding.foreseen_topics,
            topics_left=adding.topics_left,
            simulate=simulating.simulate_crowd,
            words_by_hand=filling.words_by_hand,
            variants=designing.style_of_tasks,
            brief=documents.brief_of_authors,
        ),
    )
