"""Launching a judging study from its document, and registering the kind of studies."""

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import Corpus, Study
from annotation.studies.drafts.columns import columns_of
from annotation.studies.drafts.kinds import (
    NextRounds,
    Sources,
    StudyKind,
    UndecidedItems,
    instruments_of,
    register,
)
from annotation.studies.drafts.schema import Document
from judging.banks import next_rounds, secrets
from judging.design import document_scores, extending, plans, undecided
from judging.design.designing import create_study, write_plans
from judging.design.plans import plans_of
from judging.designers.questionnaires import CannotDesign
from judging.drafts import documents, sample_pages, sheet_changes, sheets
from judging.drafts.warnings import compares, needs, remarks
from judging.drafts.workload import outline
from judging.instruments import files
from judging.instruments.methods import METHODS
from judging.instruments.schema import InstrumentFile
from judging.simulation import filling, simulating


@transaction.atomic
def write(*, document: Document, corpus: Corpus, user: User | None, new_version: bool) -> Study:
    """Create the study with its questionnaires.

    Raises BadSetting, BadInstrument, CannotDesign, StudyExists.
    """
    study = make(document=document, corpus=corpus, user=user, new_version=new_version)
    wanted = document.design
    plans = plans_of(
        study=study,
        seed=wanted.seed,
        topics=wanted.topics,
        systems=wanted.systems,
        chosen_topics=wanted.chosen_topics,
    )
    write_plans(study=study, plans=plans)
    return study


def make(*, document: Document, corpus: Corpus, user: User | None, new_version: bool) -> Study:
    """Create the study without its questionnaires."""
    return create_study(
        corpus=corpus,
        instruments=instruments_of(document),
        created_by=user,
        contact=document.contact,
        new_version=new_version,
        **columns_of(document),
    )


def register_kind() -> None:
    register(
        Study.Kind.JUDGING,
        StudyKind(
            instrument=InstrumentFile,
            available=files.available,
            load=files.load,
            blank=files.blank,
            faults=documents.faults,
            write=write,
            refusals=(CannotDesign,),
            instruments_of=documents.made_from,
            topics_of=documents.topics_of,
            systems_of=plans.systems_of,
            chosen_topics_of=plans.chosen_topics_of,
            public=secrets.public,
            read=documents.read,
            time_limit=lambda _: None,
            outline=outline,
            remarks=remarks,
            compares=compares,
            needs=needs,
            groups=sheets.groups,
            adding=sheet_changes.adding,
            removing=sheet_changes.removing,
            screens=sample_pages.SCREENS,
            in_small=sample_pages.in_small,
            look=sample_pages.look,
            imagine=sample_pages.imagine,
            methods=METHODS,
            repeat=extending.repeat,
            add_topics=extending.add_topics,
            foreseen_topics=extending.foreseen_topics,
            topics_left=extending.topics_left,
            next_rounds=NextRounds(
                ask=next_rounds.ask_unknown,
                foreseen=next_rounds.foreseen,
                is_due=next_rounds.asks_earlier_bank,
            ),
            undecided=UndecidedItems(ask=undecided.ask_undecided, foreseen=undecided.foreseen),
            simulate=simulating.simulate_crowd,
            pages_by_hand=filling.pages_by_hand,
            sources=Sources(
                named=document_scores.drawn_on,
                state=document_scores.state_of,
                offered=document_scores.offered,
            ),
        ),
    )
