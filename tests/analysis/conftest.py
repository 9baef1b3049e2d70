"""The judging study of the Crowd RAG Corpus 2025, imported and analysed once for all its tests."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.crowdrag import STUDY, CorpusDatabase

FEW = ("agreement", "competence", "means", "grades")


@pytest.fixture
def few_analyses(settings: Any) -> None:
    """Only what the tests of runs, pages and exports look at: they shall not grow with the rest."""
    from analysis.analyses.catalogue import CATALOGUE

    settings.ANALYSES = {name: analysis for name, analysis in CATALOGUE.items() if name in FEW}


@pytest.fixture(autouse=True)
def only_these_analyses(request: pytest.FixtureRequest, settings: Any) -> None:
    """With `pytest.mark.analyses("totals")` a run computes only what its tests look at.

    All analyses on every instrument: tests/judging/instruments/test_every_instrument.py.
    """
    from analysis.analyses.catalogue import CATALOGUE

    if mark := request.node.get_closest_marker("analyses"):
        settings.ANALYSES = {name: CATALOGUE[name] for name in mark.args}


@pytest.fixture
def offer(settings: Any) -> Callable[[Any], None]:
    """`offer(function)` adds an analysis of votes, "extra", to those that are offered."""
    from analysis.analyses.conditions import to_votes
    from analysis.inputs.definition import Analysis, Reads, offered_analyses

    def add(function: Any) -> None:
        extra = Analysis("extra", "Extra", "What else?", "", Reads.VOTES, to_votes, function)
        settings.ANALYSES = {**offered_analyses(), "extra": extra}

    return add


@pytest.fixture(scope="session")
def corpus_database(django_db_setup: None, corpus_dir: Path) -> CorpusDatabase:
    """Return the corpus in a database of its own, for all pytest processes.

    Imported, not analysed.
    """
    database = CorpusDatabase(corpus_dir)
    database.imported()
    return database


@pytest.fixture(scope="module")
def corpus_findings(corpus_database: CorpusDatabase) -> dict[str, Any]:
    """Return the findings that `analyse --json` wrote about the corpus."""
    corpus_database.analysed()
    return json.loads(corpus_database.findings.read_text())


@pytest.fixture(scope="module")
def imported_corpus_study(corpus_database: CorpusDatabase, django_db_blocker: Any) -> Iterator[Any]:
    """Yield the study, analysed.

    All tests of the module see the corpus's database. Change nothing.
    """
    from annotation.models import Study

    corpus_database.analysed()
    with django_db_blocker.unblock(), corpus_database.connected():
        yield Study.objects.get(slug=STUDY)
