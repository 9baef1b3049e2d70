"""A judging study made from its document, with its questionnaires."""

from django.contrib.auth.models import User
from django.db import transaction

from annotation.models import Corpus, Study
from annotation.studies.drafts.columns import columns_of
from annotation.studies.drafts.kinds import Sources, StudyKind, instruments_of, register
from annotation.studies.drafts.schema import Document
from judging.answering import showing
from judging.design import adding, documents, scored, sheet_changes, sheets
from judging.design.designing import create_study, write_plans
from judging.design.outlines import outline
from judging.design.plans import plans_of
from judging.design.questionnaires import CannotDesign
from judging.design.remarks import compares, needs, remarks
from judging.instruments import files
from judging.instruments.files import InstrumentFile
from judging.instruments.methods import METHODS
from judging.simulation import filling, simulating


@transaction.atomic
def write(*, document: Document, corpus: Corpus, user: User | None, new_version: bool) -> Study:
    """Raises BadSetting, BadInstrument, CannotDesign, StudyExists."""
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
    """The study alone, without its questionnaires."""
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
            systems_of=documents.systems_of,
            chosen_topics_of=documents.chosen_topics_of,
            read=documents.read,
            time_limit=lambda _: None,
            outline=outline,
            remarks=remarks,
            compares=compares,
            needs=needs,
            groups=sheets.groups,
            adding=sheet_changes.adding,
            removing=sheet_changes.removing,
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
            pages_by_hand=filling.pages_by_hand,
            sources=Sources(named=scored.drawn_on, state=scored.state_of, offered=scored.offered),
        ),
    )
