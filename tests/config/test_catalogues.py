"""What people read stands in the catalogues; those of workers are complete in every language."""

import ast
import re
from html.parser import HTMLParser
from string import Formatter

import pytest
from babel.messages.pofile import read_po
from django.conf import settings
from django.template.base import Lexer, TokenType
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext, pgettext

from annotation.fieldwork.work.link_refusals import LINK_REASONS
from annotation.fieldwork.work.refusals import StudyNotOpen
from annotation.models import (
    Assignment,
    CorpusUpload,
    Payment,
    PlatformSubmission,
    ReviewDecision,
    Study,
)
from annotation.models.access import Role
from annotation.models.corpus import Origin, Style
from annotation.texts.sentences import Sentence
from annotation.texts.translation import translated, translated_error
from config import catalogues
from judging.models import MachineJudge, Rater

PLACES = [
    (language, domain) for language in catalogues.languages() for domain in ("django", "djangojs")
]
TEMPLATES = catalogues.ROOT / "templates"
SAYING = sorted(path for path in TEMPLATES.rglob("*") if path.suffix in (".html", ".txt"))
SAID = {"aria-label", "title", "placeholder", "alt", "data-copied", "data-label"}  # are read
WORD = re.compile(r"[^\W\d_]{2,}(?![\w]*_)")  # what has a _ is a code
COMPLAINTS = {"BadLine", "_bad", "bad", "_refuse", "remark", "Broken", "Unfit", "Fault"}
NAME = "Crowdwright"  # the same in every language


@pytest.mark.parametrize(("language", "domain"), PLACES)
def test_catalogue_says_what_the_code_says(language, domain):
    """`make messages` brings it up to date."""
    of_the_code, kept = catalogues.extracted(domain), catalogues.kept(language, domain)
    assert _messages(kept) == _messages(of_the_code)


def test_make_messages_writes_a_template_of_what_researchers_read(tmp_path, monkeypatch):
    monkeypatch.setattr(catalogues, "LOCALE", tmp_path)
    monkeypatch.setattr(catalogues, "CONSOLE_TEMPLATE", tmp_path / "console.pot")
    monkeypatch.setattr("sys.argv", ["catalogues"])
    catalogues.main()
    with (tmp_path / "console.pot").open("rb") as file:
        template = read_po(file)
    assert _messages(template) == _messages(catalogues.extracted("console"))
    assert {message.string for message in template if message.id} <= {"", ("", "")}


def test_the_places_of_the_console_exist():
    assert all((catalogues.ROOT / place).exists() for place in catalogues.CONSOLE)


def test_the_console_says_in_english_what_is_written():
    """Django has some words of its own in British English, which must not stand for ours."""
    with translation.override(settings.LANGUAGE_CODE):
        for message in catalogues.extracted("console"):
            one, *more = message.id if isinstance(message.id, tuple) else (message.id,)
            if message.id:
                said = pgettext(message.context, one) if message.context else gettext(one)
                assert said == one
                assert all(ngettext(one, each, 2) == each for each in more)


@pytest.mark.parametrize(("language", "domain"), PLACES)
def test_every_sentence_has_its_translation(language, domain):
    for message in catalogues.kept(language, domain):
        if not message.id:
            continue
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        assert all(form.strip() for form in forms), message.id
        assert not message.fuzzy, message.id


@pytest.mark.parametrize(("language", "domain"), PLACES)
def test_translation_has_the_places_of_the_sentence(language, domain):
    for message in catalogues.kept(language, domain):
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, tuple) else (message.id,)
        forms = message.string if isinstance(message.string, tuple) else (message.string,)
        wanted = set().union(*map(_places, ids))
        for form in forms[1:] if len(forms) > 1 else forms:
            assert _places(form) == wanted, message.id
        assert _places(forms[0]) <= wanted, message.id  # one of them need not be said in figures
        assert len({_ends(each) for each in (*ids, *forms)}) == 1, (message.id, forms)


@pytest.mark.parametrize(("language", "domain"), PLACES)
def test_what_runs_is_what_is_written(language, domain):
    path = catalogues.path_of(language, domain)
    catalogue = catalogues.kept(language, domain)
    assert path.read_bytes() == catalogues.written(catalogue)
    assert path.with_suffix(".mo").read_bytes() == catalogues.compiled(catalogue)


def test_languages_of_a_study_are_those_of_the_site():
    said = {code.split("-")[0]: str(name) for code, name in settings.LANGUAGES}
    assert said == {code: str(name) for code, name in Study.Language.choices}
    assert set(catalogues.languages()) == set(said) - {"en"}


def test_no_template_says_anything_past_the_catalogues():
    said = {str(path.relative_to(TEMPLATES)): _unmarked(path.read_text()) for path in SAYING}
    assert {name: words for name, words in said.items() if words} == {}


def test_the_reader_of_templates_finds_what_is_unmarked():
    found = _unmarked(
        '{% load i18n %}<p title="A title">Some {{ n }} words</p>{% translate "marked" %}'
        '{% blocktranslate %}also{% endblocktranslate %}{% include "a.html" with words="Not yet" %}'
        '{{ title|default:"No title" }}{{ n|pluralize }}{{ n|yesno:"so,not" }}'
        "<script>let a</script>{# a comment #}"
    )
    assert found == [
        "A title",
        "Some",
        "words",
        "Not yet",
        "No title",
        "pluralize",
        'yesno:"so,not"',
    ]


def _messages(catalogue):
    return {(message.context, message.id) for message in catalogue if message.id}


def _places(words):
    braces = {name for _, name, _, _ in Formatter().parse(words.replace("%", "")) if name}
    return braces | set(re.findall(r"%\((\w+)\)s", words)) | set(re.findall(r"<[^>]+>", words))


def _ends(words):
    """Return how the words end: a sentence keeps its full stop."""
    return words[-1:] if words[-1:] in ".?:" else ""


class _Words(HTMLParser):
    """The words of a page that people read."""

    def __init__(self):
        super().__init__()
        self.found, self.inside = [], []

    def handle_starttag(self, tag, attrs):
        self.found += [value for name, value in attrs if name in SAID and value]
        if tag in ("script", "style"):
            self.inside.append(tag)

    def handle_endtag(self, tag):
        if tag in self.inside:
            self.inside.remove(tag)

    def handle_data(self, data):
        if not self.inside:
            self.found.append(data)


def _unmarked(template: str) -> list[str]:
    """Words that stand in a template outside of the tags that translate."""
    html, in_tags, skipped, body = "", [], "", False
    for token in Lexer(template).tokenize():
        name = token.contents.split(" ")[0]
        if skipped:
            skipped = (
                "" if token.token_type == TokenType.BLOCK and name == f"end{skipped}" else skipped
            )
        elif token.token_type == TokenType.TEXT:
            html += token.contents
        elif token.token_type == TokenType.BLOCK and name in ("comment", "blocktranslate"):
            skipped = name
        elif token.contents in ("block body", "block workspace"):  # attributes of its element
            html, body = html + "<body ", True
        elif body and name == "endblock":
            html, body = html + ">", False
        elif token.token_type == TokenType.BLOCK and name in ("include", "with"):
            in_tags += re.findall(r'\w="([A-Z][^"]*|[^"]* [^"]*)"', token.contents)
        elif token.token_type == TokenType.VAR:
            html += "\n"
            in_tags += re.findall(r'\|default(?:_if_none)?:"([^"]*)"', token.contents)
            in_tags += re.findall(r'\|(pluralize|yesno:"[^"]*")', token.contents)
    words = _Words()
    words.feed(html)
    said = [line.strip() for each in words.found for line in each.splitlines()]
    return [each for each in [*said, *in_tags] if WORD.search(each.replace(NAME, ""))]


def test_what_workers_are_refused_stands_in_the_catalogue():
    """Of the rooms that a worker's pages call; a log that is no log concerns programs alone."""
    rooms = [
        "annotation/fieldwork/pages",
        "annotation/fieldwork/recruiting",
        "annotation/fieldwork/work",
        "judging/answering",
        "writing/editor",
    ]
    files = [path for room in rooms for path in (catalogues.ROOT / room).glob("*.py")]
    for name in ("contracting", "rotating_keys"):  # researchers and administrators read them
        files.remove(catalogues.ROOT / f"annotation/fieldwork/recruiting/{name}.py")
    others = ("annotation/refusals.py", "writing/log/chunks.py")
    for path in [*files, *(catalogues.ROOT / name for name in others)]:
        for node in ast.walk(ast.parse(path.read_text())):
            said = []
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Refusal":
                said = [*node.args[1:], *(k.value for k in node.keywords if k.arg != "status")]
            elif isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                # link_refused takes a code; its sentences are checked below.
                coded = ast.unparse(node.exc.func) in ("Refusal", "link_refused")
                said = [] if coded else node.exc.args[:1]
            elif isinstance(node, ast.Assign) and _names(node) & {"sentence", "title"}:
                said = [node.value]
            for each in said:
                plain = isinstance(each, ast.JoinedStr | ast.Constant)
                assert not plain or not isinstance(getattr(each, "value", ""), str), (
                    path,
                    ast.unparse(node),
                )
    for _, title, sentence in LINK_REASONS.values():
        assert isinstance(title, Sentence)
        assert isinstance(sentence, Sentence)


def _names(node):
    return {target.id for target in node.targets if isinstance(target, ast.Name)}


def test_what_forms_ask_and_messages_say_stands_in_the_catalogues():
    """Commands and columns of the database are not for the pages."""
    found = []
    for app in catalogues.APPS:
        for path in (catalogues.ROOT / app).rglob("*.py"):
            if {"management", "migrations", "models", "models.py"}.isdisjoint(path.parts):
                calls = [
                    n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.Call)
                ]
                found += [(path.name, ast.unparse(said)) for n in calls for said in _told(n)]
    assert found == []


# Whose sentences are not for a page, or stay as they were said when it happened.
NOT_ON_PAGES = {
    "kept with a run, whose tables have a hash": (
        "analysis/analyses/",
        "analysis/inputs/step_input.py",
        "analysis/inputs/run_data.py",
        "analysis/stats/",
    ),
    "kept with a call or a record": (
        "judging/machines/answers.py",
        "judging/calls/client.py",
        "judging/machines/replies.py",
        "judging/queries/replies.py",
        "writing/process/measuring.py",
        "writing/process/replay.py",
    ),
    "in the log": ("config/middleware.py",),
    "in a file": ("analysis/exports/", "analysis/plots/", "analysis/replication/"),
    "to programs": (
        "analysis/api.py",
        "annotation/console/api/",
        "annotation/fieldwork/recruiting/prolific/receiving_webhooks.py",
        "annotation/fieldwork/recruiting/prolific/link_tokens.py",
        "judging/pages/query_api.py",
        "judging/pages/rater_api.py",
        "writing/log/columns.py",
        "writing/log/eventlog.py",
    ),
    "in a shell": (
        "annotation/corpora/crowdrag.py",
        "annotation/fieldwork/platforms/fake_prolific/",
        "annotation/fieldwork/recruiting/rotating_keys.py",
        "config/backups/",
        "config/environment.py",
        "config/error_reports.py",
        "config/processes.py",
        "config/replicating.py",
        "config/serving.py",
        "config/settings.py",
        "judging/crowdrag/",
        "judging/calls/fake/",
        "judging/simulation/",
        "writing/studies/crowdrag_importing.py",
    ),
    "to programmers": (
        "annotation/fieldwork/trials/ending.py",
        "judging/items/kinds.py",
        "writing/log/collecting.py",
    ),
}
# A page says this in its own words; the others tell a programmer.
NOT_TOLD = {"Http404", "ValueError", "TypeError", "LookupError", "RuntimeError"}


@pytest.mark.parametrize("app", catalogues.APPS)
def test_what_is_refused_or_complained_of_stands_in_the_catalogues(app):
    """Commands and migrations are for a shell."""
    others = tuple(place for places in NOT_ON_PAGES.values() for place in places)
    found = []
    for path in (catalogues.ROOT / app).rglob("*.py"):
        place = str(path.relative_to(catalogues.ROOT))
        if not place.startswith(others) and {"management", "migrations"}.isdisjoint(path.parts):
            for node in ast.walk(ast.parse(path.read_text())):
                found += [(place, ast.unparse(said)) for said in _complained(node)]
    assert found == []


def test_an_exception_is_told_in_the_language_of_the_page():
    closed = StudyNotOpen()
    with translation.override("de"):
        assert translated_error(closed) == translated(StudyNotOpen.sentence) != str(closed)
        assert translated_error(ValueError("no words of ours")) == "no words of ours"
        assert translated_error(ValueError()) == ""


def test_no_page_says_an_exception_past_the_catalogues():
    """`translated_error` finds the words of the page; `str` of a Sentence is English."""
    views = [path for app in catalogues.APPS for path in (catalogues.ROOT / app).rglob("*views.py")]
    assert len(views) > 40
    english = re.compile(r"\bstr\((?:error|refusal|reason)\)")
    assert [str(path) for path in views if english.search(path.read_text())] == []


SHOWN = (
    *(Study.Kind, Study.Recruitment, Role, Assignment.State, ReviewDecision.Decision),
    *(Payment.Kind, Payment.State, PlatformSubmission.Status, CorpusUpload.State, Style, Origin),
    *(Rater.Kind, MachineJudge.Orders, MachineJudge.Disagreement),
)


@pytest.mark.parametrize("choices", SHOWN, ids=lambda choices: choices.__qualname__)
def test_names_of_choices_that_pages_show_stand_in_the_catalogue(choices):
    words = {message.id for message in catalogues.extracted("console")}
    assert {str(label) for label in choices.labels} <= words
    assert all(isinstance(label, Promise) for label in choices.labels)


def test_places_that_say_nothing_on_pages_are_there():
    places = [place for places in NOT_ON_PAGES.values() for place in places]
    assert [place for place in places if not (catalogues.ROOT / place).exists()] == []


def _complained(node):
    """Plain words of what is raised, of an exception's own sentence, and of why a line is bad."""
    said: list[ast.expr] = []
    if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
        if ast.unparse(node.exc.func) not in NOT_TOLD:
            said = node.exc.args
    elif isinstance(node, ast.Call) and ast.unparse(node.func) == "super().__init__":
        said = node.args
    elif isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in COMPLAINTS:
        said = node.args[-1:]
    elif isinstance(node, ast.ClassDef):
        said = [
            statement.value
            for statement in node.body
            if isinstance(statement, ast.Assign) and _names(statement) & {"sentence", "title"}
        ]
    return [each for each in said if _has_words(each)]


def _has_words(said):
    parts = said.values if isinstance(said, ast.JoinedStr) else [said]
    words = [part.value for part in parts if isinstance(part, ast.Constant)]
    return any(isinstance(word, str) and " " in word.strip() for word in words)


def _told(call):
    """Plain words that a call tells somebody: messages.error(request, "No."), label="Yes"."""
    told = [
        keyword.value for keyword in call.keywords if keyword.arg in ("label", "help_text", "help")
    ]
    if isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "messages":
        told += call.args[1:2]
    for each in told:
        parts = each.values if isinstance(each, ast.JoinedStr) else [each]
        words = [part.value for part in parts if isinstance(part, ast.Constant)]
        if any(isinstance(word, str) and WORD.search(word) for word in words):
            yield each
