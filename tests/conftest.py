"""What every test can ask for.

    db, transactional_db      this process's own test database, on PostgreSQL or (--storage=sqlite)
                              on a SQLite file in WAL
    for_the_module(make)      what `make` puts into it, once for the tests of a module
    broker_url                the address of a real Redis
    celery_worker             a real Celery worker on that database and that Redis
    web_processes(n)          n real web server processes on that database, begun or used before
    own_postgres, own_redis   a server for this test alone, to kill and start again
    page (pytest-playwright)  a real Chromium, with live_server
    axe(page)                 the serious accessibility faults of the page shown
    corpus_dir                the Crowd RAG Corpus 2025, or a skip that says so

PostgreSQL and Redis start when the first test asks for one of these, and not without.

Django is set up in `pytest_configure` below: another conftest.py imports models in its fixtures,
not at its top.
"""

import gc
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from tests import quick
from tests.services import chromium, corpus, databases
from tests.services.children import ServiceFailed
from tests.services.postgres import Postgres
from tests.services.redis import Redis
from tests.services.session import (
    Services,
    ask_for_services,
    run_folder,
    set_worker_environment,
)
from tests.services.web import WebProcess, WebServers
from tests.services.worker import CeleryWorker

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext

SERVICES = pytest.StashKey[Services]()
# How long an example takes tells how busy the machine is, and nothing of what it tests. The same
# examples come in every run, so that a change is refused for what it changes; others come with
# `pytest --hypothesis-profile=search -m hypothesis`.
hypothesis_settings.register_profile(
    "search", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.register_profile(
    "same examples", hypothesis_settings.get_profile("search"), derandomize=True
)
hypothesis_settings.load_profile("same examples")
PATIENCE = 90_000  # ms for a page to come, or a button to be there
LOG_LINES = 60  # of each process, beside a failure
WORKERS: list[CeleryWorker] = []  # of this process, at most one
SERVERS: list[WebServers] = []  # the same
Web = Callable[..., list[WebProcess]]
PROCESSES = {"celery_worker", "web_processes", "own_postgres", "own_redis", "page", "live_server"}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--storage",
        choices=["postgres", "sqlite"],
        default="postgres",
        help="the database that the tests run on",
    )
    parser.addoption(
        "--within",
        type=float,
        metavar="SECONDS",
        help="only the quickest tests, which together take so long (`make quick`)",
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """Nothing of what is loaded is garbage: looking for it took two thirds of the time."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Exclude everything loaded from garbage collection, as a server does."""
    from config import memory  # after the settings are known

    memory.settle()


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if config.option.help or config.option.version:
        return
    if hasattr(config, "workerinput"):  # a pytest-xdist worker: the main process has the services
        set_worker_environment(config.workerinput["workerid"])
    else:
        config.stash[SERVICES] = Services(config.option.storage)
        config.option.output = str(run_folder() / "playwright")
        config.option.basetemp = config.option.basetemp or str(run_folder() / "pytest")
        config.pluginmanager.register(quick.Durations(config))
    config.pluginmanager.register(quick.Stopwatch())
    if config.pluginmanager.hasplugin("playwright"):
        _prepare_playwright()
    if config.option.within:
        config.pluginmanager.register(quick.Choice(config.option.within))
    from django.conf import settings

    from annotation import jobs  # which wants the environment set above
    from config import maintenance
    from tests.markup import read_on_lines

    # A job that a busy machine's broker did not take within a second waits for the sweep, which no
    # clock starts here.
    jobs.PATIENCE = 20.0
    maintenance.watch.due = float("inf")  # its query once a second would count in some tests
    # An xdist worker inherits the name of the settings, so that pytest-django has read them before
    # the lines above chose a Redis database and a folder: without these all would empty the same
    # queue, and look for files where its own servers put none.
    settings.CELERY_BROKER_URL = os.environ["BROKER_URL"]
    settings.VAR_DIR = Path(os.environ["CROWDWRIGHT_VAR"]).resolve()
    settings.UPLOADS_DIR = settings.VAR_DIR / "uploads"
    settings.FILE_UPLOAD_TEMP_DIR = settings.UPLOADS_DIR / "arriving"
    settings.FILE_UPLOAD_TEMP_DIR.mkdir(parents=True, mode=0o700, exist_ok=True)
    settings.PASSWORD_HASHERS = ["tests.hashing.QuickHasher"]
    # Each test client is a site of its own, and would read every static file before its first page.
    settings.WHITENOISE_AUTOREFRESH = True
    settings.HELP_ROOT = run_folder() / "help"  # not built, whatever the checkout has
    read_on_lines()
    test = settings.DATABASES["default"].setdefault("TEST", {})
    test["NAME"] = "test_crowdwright"
    if config.option.storage == "sqlite":  # Django's own choice would be a database in memory
        test["NAME"] = str(run_folder() / "test.sqlite3")
    from django.test import TransactionTestCase

    TransactionTestCase._fixture_teardown = lambda _: _empty_database()


def _prepare_playwright() -> None:
    """Load it only where a test may open a page: it takes half a second in each process."""
    from playwright.sync_api import expect

    from tests.services import looks

    # What never comes fails as it did, what a busy machine brings late does not.
    expect.set_options(timeout=60_000)
    looks.look_often()
    looks.act_on_whole_pages()


def _empty_database() -> None:
    """Any test may have given something to do to the worker of an earlier one."""
    for worker in WORKERS:
        worker.clear()
    databases.empty()


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist starts its workers
def pytest_sessionstart(session: pytest.Session) -> None:
    os.environ.setdefault(databases.CACHE, str(session.config.cache.mkdir("databases")))
    services = session.config.stash.get(SERVICES, None)
    if services and session.config.getoption("numprocesses", None):
        services.answer_workers()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the slowest tests: else one process waits for another at the end."""
    for item in items:
        if not PROCESSES.isdisjoint(getattr(item, "fixturenames", ())):
            item.add_marker("system")
    items.sort(key=lambda item: [not any(item.iter_markers(name)) for name in ("corpus", "system")])


def pytest_runtest_setup() -> None:
    """Reset the umask that config.wsgi sets.

    It would keep services that run as another user from starting.
    """
    os.umask(0o022)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Iterator[pytest.TestReport]:
    """Show with a failure what the worker and the web servers of the test printed last."""
    report: pytest.TestReport = yield
    if report.failed:
        names = getattr(item, "fixturenames", ())
        logs = [worker.log for worker in WORKERS if "celery_worker" in names]
        if "web_processes" in names:
            logs += [web.log for servers in SERVERS for web in servers.in_use + servers.of_one_test]
        for log in logs:
            lines = log.read_text(errors="replace").splitlines()[-LOG_LINES:]
            report.sections.append((log.name, "\n".join(lines)))
    return report


def pytest_unconfigure(config: pytest.Config) -> None:
    if services := config.stash.get(SERVICES, None):
        services.stop()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Iterator[None]:
    yield
    corpus.report(terminalreporter)  # after everything else, where it is read


@pytest.fixture(scope="session")
def services(pytestconfig: pytest.Config) -> None:
    """PostgreSQL and Redis of the test run, which run from the first test that wants them."""
    own = pytestconfig.stash.get(SERVICES, None)
    try:
        if own:
            own.start()
        else:
            ask_for_services()
    except (ServiceFailed, OSError) as failure:
        if own:
            pytest.exit(str(failure), returncode=pytest.ExitCode.USAGE_ERROR)
        pytest.fail(str(failure), pytrace=False)  # a worker of pytest-xdist may not end the run


@pytest.fixture(autouse=True)
def _nothing_kept_of_health() -> None:
    """Forget the answer of `/ready` of an earlier test, which is given again for some seconds.

    Checks end late on a busy machine, and a part of it is not away for that.
    """
    if "config.health" in sys.modules:
        health = sys.modules["config.health"]
        health.DEADLINE, health.BROKER_PATIENCE = 60.0, 60
        health.kept.forget()


@pytest.fixture(autouse=True)
def _time_without_database(request: pytest.FixtureRequest) -> None:
    """Read this machine's clock, which is PostgreSQL's, where a test may not ask the database."""
    has_database = {"db", "transactional_db"} & set(request.fixturenames)
    if has_database or request.node.get_closest_marker("django_db"):
        return
    if "annotation.clock" in sys.modules:
        clock = sys.modules["annotation.clock"]
        clock._reading = (time.clock_gettime(clock.SINCE_START), datetime.now(UTC))


@pytest.fixture(scope="session")
def broker_url(services: None) -> str:
    """Return the address of this process's Redis database."""
    return os.environ["BROKER_URL"]


@pytest.fixture(scope="session")
def django_db_keepdb() -> bool:
    """Keep the test database: it exists before Django asks, and goes with the run's folder."""
    return True


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    services: None, django_db_modify_db_settings_parallel_suffix: None
) -> None:
    from django.db import connection

    name = connection.settings_dict["TEST"]["NAME"]
    databases.Database.named(name).copy(databases.migrated())


@pytest.fixture(scope="module")
def for_the_module(
    django_db_setup: None, django_db_blocker: Any
) -> Iterator[Callable[[Callable[[], Any]], Any]]:
    """`for_the_module(make)` makes once what many tests of a module only look at.

    What such a test changes there is undone, as it runs in a transaction. A transactional test
    would find it and empty the database under the others: it belongs into another module. What is
    made is committed, so its jobs would reach a worker that another module's tests have started,
    which would go on with it under these: the broker takes none meanwhile.
    """

    def made(make: Callable[[], Any]) -> Any:
        from annotation import jobs  # which wants Django's settings

        with django_db_blocker.unblock(), pytest.MonkeyPatch.context() as patched:
            patched.setattr(jobs.breaker, "lets_through", lambda: False)
            return make()

    yield made
    with django_db_blocker.unblock():
        _empty_database()


@pytest.fixture(scope="session")
def empty_database() -> Callable[[], None]:
    """Return a function that empties the database after a module's shared rows."""
    return _empty_database


@pytest.fixture(scope="session")
def database_url(django_db_setup: None) -> str:
    """Return the address of this process's test database, for the processes that a test starts."""
    from django.db import connection

    name, port = connection.settings_dict["NAME"], connection.settings_dict["PORT"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return f"postgres://{connection.settings_dict['USER']}@127.0.0.1:{port}/{name}"


@pytest.fixture(scope="session")
def process_folder(worker_id: str) -> Path:
    """Return a folder for the logs of the processes that this pytest process starts."""
    folder = run_folder() / worker_id
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def _celery_worker(database_url: str, process_folder: Path) -> Iterator[CeleryWorker]:
    from django.conf import settings

    worker = CeleryWorker(
        database=database_url,
        broker=settings.CELERY_BROKER_URL,
        log=process_folder / "celery.log",
    )
    WORKERS.append(worker)
    yield worker
    worker.stop()


@pytest.fixture
def celery_worker(_celery_worker: CeleryWorker, transactional_db: None) -> Iterator[CeleryWorker]:
    """Yield a running Celery worker with an empty queue; `wait_until_idle()` waits for its tasks.

    It rests between the tests that ask for it, because it would process jobs of others.
    """
    _celery_worker.wake()
    yield _celery_worker
    _celery_worker.rest()


@pytest.fixture(scope="session")
def _web_servers(database_url: str, process_folder: Path) -> Iterator[WebServers]:
    from django.conf import settings

    servers = WebServers(
        database=database_url, broker=settings.CELERY_BROKER_URL, folder=process_folder
    )
    SERVERS.append(servers)
    yield servers
    servers.stop()


@pytest.fixture
def web_processes(_web_servers: WebServers, transactional_db: None) -> Iterator[Web]:
    """`web_processes(3)` are three web server processes; each has a `url`.

    They may have served other tests; ask for settings (`threads=2`) for some of your own.
    """
    yield _web_servers.take
    _web_servers.give_back()


@pytest.fixture
def own_postgres() -> Iterator[Postgres]:
    """Yield a PostgreSQL for this test alone, which keeps its promises.

    `kill()`, then `start()`.
    """
    # A name of its own among those of all pytest processes, which share the folder.
    folder = Path(tempfile.mkdtemp(prefix="own-postgres-", dir=run_folder()))
    folder.chmod(0o755)  # PostgreSQL's own user passes through
    server = Postgres(folder / "server", durable=True)
    yield server
    server.stop()


@pytest.fixture
def own_redis(tmp_path: Path) -> Iterator[Redis]:
    """Yield a Redis for this test alone, with an append-only file: `kill()`, then `start()`."""
    server = Redis(tmp_path / "redis", durable=True)
    yield server
    server.stop()


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any], playwright: Any
) -> dict[str, Any]:
    executable = chromium.find_chromium(
        Path(playwright.chromium.executable_path), lock=run_folder() / "chromium.lock"
    )
    return {
        **browser_type_launch_args,
        "executable_path": str(executable),
        "args": chromium.flags(),
    }


def _be_patient(context: "BrowserContext") -> None:
    context.set_default_timeout(PATIENCE)


@pytest.fixture
def browser(browser: "Browser", request: pytest.FixtureRequest) -> Iterator["Browser"]:
    """Yield the one Chromium; its pages close with the test.

    They close before the web servers, which then wait until all requests are answered.
    """
    if "web_processes" in request.fixturenames:
        request.getfixturevalue("web_processes")
    browser.on("context", _be_patient)
    yield browser
    browser.remove_listener("context", _be_patient)
    for context in browser.contexts:
        context.close()


@pytest.fixture
def axe() -> Callable[[Any], list[str]]:
    """`axe(page)` lists the serious and critical accessibility faults of a page."""
    from tests.services import axe as accessibility  # which loads Playwright

    return accessibility.faults


@pytest.fixture(scope="session")
def corpus_dir() -> Path:
    return corpus.folder()
