"""The demo leaves the settings of a real installation behind, all of them."""

import re
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from config import demo_world
from tests.services.children import ROOT

READ = re.findall(r"^#? ?([A-Z][A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
OF_DOCKER = {
    *("POSTGRES_PASSWORD", "REDIS_PASSWORD", "WORKER_MEMORY"),
    *("POSTGRES_IMAGE", "REDIS_IMAGE", "NGINX_IMAGE"),
    *("PRIVATE_ADDRESS", "UPLOADS_FOLDER"),
}


def test_every_setting_is_left_behind_or_is_of_no_installation():
    known = {*demo_world.LEFT_BEHIND, *demo_world.KEPT, *OF_DOCKER, "CROWDWRIGHT_VAR"}
    assert set(READ) == known


def test_its_folder_is_in_that_of_the_installation(tmp_path):
    environ = dict.fromkeys(READ, "real") | {"PATH": "kept", "CROWDWRIGHT_VAR": str(tmp_path)}
    demo_world.enter(environ, beside=tmp_path / "var")
    assert environ["CROWDWRIGHT_VAR"] == str(tmp_path / "demo")
    kept = {"PATH", "CROWDWRIGHT_VAR", demo_world.MARK, *demo_world.KEPT, *OF_DOCKER}
    assert set(environ) == kept
    without = {}
    demo_world.enter(without, beside=tmp_path / "var")
    assert without["CROWDWRIGHT_VAR"] == str(tmp_path / "var" / "demo")


def test_the_command_refuses_another_world():
    with pytest.raises(CommandError, match=r"manage\.py demo"):
        call_command("demo", "--no-serve", stdout=StringIO())


def test_one_process_at_a_time_has_it(tmp_path):
    with (
        demo_world.held(tmp_path),
        pytest.raises(demo_world.DemoRuns),
        demo_world.held(tmp_path),
    ):
        pass
    with demo_world.held(tmp_path):
        pass
