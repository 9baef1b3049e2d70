"""The sections of the editor with the settings that every study has. Only reads."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.translation import gettext

from annotation.console.builder.setting_fields import fields_of
from annotation.console.builder.topic_choice import topics_choice
from annotation.links import opens_here_alone
from annotation.models import Corpus, Study
from annotation.studies.drafts.editor_forms import SECTIONS, EditorSection, FieldGroup
from annotation.studies.drafts.schema import Document
from annotation.texts.sentences import marked

LANGUAGES = tuple((str(code), str(name)) for code, name in Study.Language.choices)


@dataclass(frozen=True)
class FormGroup:
    """A group of settings in a section of the editor; `Setting.form` names it."""

    key: str
    section: str
    title: str = ""  # empty: goes on with the group above


FORMS = (
    FormGroup("study", "texts", marked("The study")),
    FormGroup("contact", "instructions", marked("Who runs the study")),
    FormGroup("topics", "design", marked("Topics and sampling")),
    FormGroup("arrival", "recruitment", marked("Recruitment")),
    FormGroup("retention", "recruitment"),
    FormGroup("pay", "recruitment", marked("Pay")),
    FormGroup("time", "quality", marked("Time")),
)


def sections_of(
    document: Document, groups: Iterable[FieldGroup], *, corpora: Iterable[Corpus]
) -> list[EditorSection]:
    """Return all sections: settings of the study, then of its instruments.

    `corpora` are those to choose from.
    """
    all_groups = [*study_groups(document, corpora), *groups]
    return [
        EditorSection(s.key, s.title, tuple(g for g in all_groups if g.section == s.key))
        for s in SECTIONS
    ]


def study_groups(document: Document, corpora: Iterable[Corpus]) -> list[FieldGroup]:
    """Return the groups of the settings that every study has."""
    corpus_names = dict(sorted((corpus.slug, corpus.name) for corpus in corpora))
    corpus_names.setdefault(document.corpus, document.corpus or gettext("Choose a corpus"))
    more: dict[str, dict[str, Any]] = {
        "corpus": {"choices": tuple(corpus_names.items())},
        "language": {"choices": LANGUAGES},
        "platform": {"hint": _platform_hint()},
    }
    groups = []
    for form in FORMS:
        fields = fields_of(form.key, document, **more)
        if form.key == "topics":
            fields = (topics_choice(document), *fields)
        title = gettext(form.title) if form.title else ""
        groups.append(FieldGroup(form.section, title, fields))
    return groups


def _platform_hint() -> str:
    """Return a warning while only this computer can open the link."""
    if not opens_here_alone(settings.PUBLIC_URL):
        return ""
    return gettext("This link works only on this computer.")
