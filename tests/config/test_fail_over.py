"""A primary that dies: web processes go on with the promoted standby that DATABASE_URL names."""

import os
import subprocess
import sys

import psycopg
import pytest

from tests.services import databases
from tests.services.children import PATIENCE, ROOT
from tests.services.postgres import USER, Standby
from tests.services.saver import Saver
from tests.services.web import WebProcess

MAKE = """
import django; django.setup()
from django.utils import timezone
from judging.items.drawing import draw_presentations
from tests.cast import begun, bob, small_study
made = begun(small_study(responses=3, time_limit_minutes=60), bob(), now=timezone.now())
draw_presentations(assignment=made)
print(made.token)
"""


@pytest.mark.skipif("config.option.storage == 'sqlite'", reason="of PostgreSQL")
def test_saves_go_on_with_the_promoted_standby(own_postgres, broker_url, django_db_setup, tmp_path):
    databases.migrated_at(own_postgres.url())
    standby = Standby(own_postgres.folder.with_name("standby"), of=own_postgres)
    hosts = f"127.0.0.1:{own_postgres.port},127.0.0.1:{standby.port}"
    options = "target_session_attrs=read-write&connect_timeout=3"
    url = f"postgres://{USER}@{hosts}/crowdwright?{options}"
    web = None
    try:
        with psycopg.connect(own_postgres.url("postgres"), autocommit=True) as server:
            server.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            server.execute("SELECT pg_reload_conf()")
        made = subprocess.run(
            [sys.executable, "-c", MAKE],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings"},
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE,
        )
        web = WebProcess(database=url, broker=broker_url, log=tmp_path / "web.log")
        saver = Saver(made.stdout.split()[-1], url=web.url)
        saver.start()
        try:
            saver.wait_for(5)
            own_postgres.kill()
            standby.promote()
            saver.wait_for(5)
            acknowledged = saver.end()
        finally:
            saver.stopping.set()
        with psycopg.connect(standby.url()) as server:
            rows = server.execute("SELECT raw FROM judging_judgment").fetchall()
        assert rows == [(acknowledged,)]
    finally:
        if web:
            web.stop()
        standby.stop()
