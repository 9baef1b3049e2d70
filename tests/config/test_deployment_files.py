"""There is no Docker where we work, so every name in these files is checked against the code."""

import ast
import importlib
import itertools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
import yaml
from celery.bin.celery import celery as celery_cli
from django.apps import apps
from django.conf import settings
from django.core.management import get_commands, load_command_class
from granian.cli import cli as granian_cli

from tests.services.children import ROOT

IMAGE_PROGRAMS = {"redis-server", "redis-cli", "pg_isready", "curl", "find"}  # of images
IMAGE_VARIABLES = {"POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD", "REDISCLI_AUTH"}
# What images of others need until they have become a user without rights.
POSSIBLE_RIGHTS = {"CHOWN", "DAC_OVERRIDE", "DAC_READ_SEARCH", "FOWNER", "NET_BIND_SERVICE"}
POSSIBLE_RIGHTS |= {"SETGID", "SETUID"}
# Read by Python, not by us.
PYTHON_VARIABLES = {"PYTHONUNBUFFERED"}

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
EXAMPLE = (ROOT / ".env.example").read_text()
GITIGNORE = (ROOT / ".gitignore").read_text().splitlines()


def settings_variables() -> set[str]:
    """Return every name that config/settings.py asks the environment for."""
    tree = ast.parse((ROOT / "config" / "settings.py").read_text())
    return {
        str(ast.literal_eval(node.args[0]))
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "env"
    }


def example_variables() -> set[str]:
    return set(re.findall(r"^(?:# )?([A-Z_]+)=", EXAMPLE, re.MULTILINE))


def instructions(name: str) -> list[str]:
    """Return what follows every `name` in the Dockerfile, continued lines joined."""
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    return [
        line.removeprefix(name).strip() for line in text.splitlines() if line.startswith(name + " ")
    ]


def commands() -> dict[str, list[str]]:
    found = {
        f"{name} command": shlex.split(s["command"])
        for name, s in SERVICES.items()
        if "command" in s
    }
    for name, service in SERVICES.items():
        if "healthcheck" in service:
            kind, *words = service["healthcheck"]["test"]
            found[f"{name} healthcheck"] = words if kind == "CMD" else shlex.split(words[0])
    found["Dockerfile CMD"] = json.loads(instructions("CMD")[0])
    for number, line in enumerate(instructions("RUN")):
        if "manage.py" in line:
            words = shlex.split(line.split("&&")[0])
            found[f"Dockerfile RUN {number}"] = words[words.index("python") :]
    return found


def check_options(command: click.Command, words: list[str]) -> None:
    options = {
        option
        for parameter in command.params
        for option in (*parameter.opts, *parameter.secondary_opts)
    }
    used = {word.split("=")[0] for word in words if word.startswith("-")}
    assert used <= options, f"{command.name} has no {used - options}"


@pytest.mark.django_db  # the server reads at its start which key the data have
@pytest.mark.parametrize("name", commands())
def test_every_command_is_one_that_exists(name):
    program, *words = commands()[name]
    match program:
        case "python" if words[0] == "manage.py":
            assert words[1] in get_commands()
            parser = load_command_class(get_commands()[words[1]], words[1]).create_parser("", "")
            parser.parse_args(words[2:])
        case "python":
            ast.parse(words[words.index("-c") + 1])
        case "granian":
            check_options(granian_cli, words)
            module, _, attribute = words[words.index("wsgi") + 1].partition(":")
            assert callable(getattr(importlib.import_module(module), attribute))
        case "celery":
            assert words[:2] == ["-A", "config"]
            assert importlib.import_module("config").celery_app
            command = celery_cli.commands[words[2]]
            check_options(command, words[3:])
        case _:
            assert program in IMAGE_PROGRAMS


def test_the_image_and_the_web_service_start_the_same_server():
    assert commands()["Dockerfile CMD"] == commands()["web command"]


def test_the_example_names_every_variable_that_settings_read():
    assert settings_variables() - example_variables() == set()


def test_the_example_names_nothing_else():
    files = "".join(path.read_text() for path in ROOT.glob("docker-compose*.yml"))
    for_compose = set(re.findall(r"\$\{([A-Z_]+)", files))
    assert example_variables() - settings_variables() - for_compose == set()


def test_every_variable_of_the_example_has_its_line_of_comment():
    lines = EXAMPLE.splitlines()
    for above, line in itertools.pairwise(lines):
        if re.match(r"(# )?[A-Z_]+=", line):
            assert re.fullmatch(r"# .+\.", above), f"no comment above {line}"


def test_compose_and_the_image_name_only_variables_that_are_read():
    asked_for = set(re.findall(r"\$\{([A-Z_]+)", (ROOT / "docker-compose.yml").read_text()))
    assert asked_for <= example_variables()
    for service in SERVICES.values():
        assert set(service.get("environment", {})) <= settings_variables() | IMAGE_VARIABLES
    named = {word.split("=")[0] for line in instructions("ENV") for word in line.split()}
    assert named <= settings_variables() | PYTHON_VARIABLES


@pytest.mark.parametrize("everything", [False, True])
def test_the_filled_in_example_passes_the_deployment_check(tmp_path, everything):
    text = re.sub(r"^# (?=[A-Z_]+=)", "", EXAMPLE, flags=re.MULTILINE) if everything else EXAMPLE
    env = dict(re.findall(r"^([A-Z_]+)=(.*)$", text, re.MULTILINE))
    secrets = {"SECRET_KEY": "0123456789abcdef" * 4, "PSEUDONYM_KEY": "fedcba9876543210" * 4}
    env |= secrets | {"CROWDWRIGHT_VAR": str(tmp_path), "PATH": os.environ["PATH"]}
    answer = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr


def test_everything_that_is_copied_exists_and_every_app_is_copied():
    copied = [line for line in instructions("COPY") if not line.startswith("--from=")]
    sources = [word for line in copied for word in line.split()[:-1]]
    assert [source for source in sources if not (ROOT / source).exists()] == []
    ours = {Path(app.path).name for app in apps.get_app_configs() if Path(app.path).parent == ROOT}
    assert {*ours, "templates", "static", "manage.py", "requirements.txt"} <= set(sources)
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert set(sources).isdisjoint(ignored)


def test_the_files_of_the_image_are_enough_to_start(tmp_path):
    text = (ROOT / "Dockerfile").read_text()
    for line in re.findall(r"^COPY (?!--)(.+)$", text.rpartition("\nFROM ")[2], re.MULTILINE):
        *sources, target = line.split()
        for source in sources:
            place = tmp_path / target / (source if target == "./" else "")
            if (ROOT / source).is_dir():
                ignored = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / source, place, dirs_exist_ok=True, ignore=ignored)
            else:
                shutil.copy(ROOT / source, place)
    answer = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=tmp_path,
        env={"CROWDWRIGHT_VAR": str(tmp_path / "var"), "PATH": os.environ["PATH"]},
        capture_output=True,
        text=True,
    )
    assert answer.returncode == 0, answer.stderr


@pytest.mark.parametrize(
    ("stage", "read"), [("help", ROOT / "build" / "help"), ("bundles", settings.BUNDLES_ROOT)]
)
def test_the_image_takes_what_another_stage_builds(stage: str, read: Path):
    (line,) = [line for line in instructions("COPY") if line.startswith(f"--from={stage} ")]
    _, source, target = line.split()
    text = (ROOT / "Dockerfile").read_text()
    (body,) = re.findall(rf"^FROM \S+ AS {stage}$(.*?)^FROM ", text, re.MULTILINE | re.DOTALL)
    scripts = json.loads((ROOT / "package.json").read_text())["scripts"]
    built = re.findall(r"^RUN (.+)$", body, re.MULTILINE)[-1]
    built = scripts[built.removeprefix("npm run ")] if built.startswith("npm run ") else built
    root = re.search(r"^WORKDIR (\S+)$", body, re.MULTILINE)
    folder = source.removeprefix(f"{root[1] if root else ''}/")
    assert re.search(rf"[ =]{folder}( |$)", built)
    assert ROOT / target == read


def test_the_image_runs_as_a_user_without_rights_and_holds_no_secret():
    assert instructions("USER") == ["crowdwright"]
    assert any("useradd" in line and "crowdwright" in line for line in instructions("RUN"))
    assert not any("KEY" in line for line in instructions("ENV"))
    assert any("--require-hashes -r requirements.txt" in line for line in instructions("RUN"))


def test_every_service_waits_for_services_that_exist_and_say_when_they_are_ready():
    for service in SERVICES.values():
        for other, wanted in service.get("depends_on", {}).items():
            if wanted["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[other]
            else:
                assert wanted["condition"] == "service_completed_successfully"
                assert SERVICES[other]["restart"] == "no"


def test_every_service_has_an_image_and_every_volume_is_declared():
    for service in SERVICES.values():
        assert "image" in service or "build" in service
        if "build" in service:
            assert (ROOT / service["build"] / "Dockerfile").exists()
        for volume in service.get("volumes", []):
            source = re.sub(r"^\$\{[A-Z_]+:-([a-z]+)\}", r"\1", volume).split(":")[0]
            if source.startswith("./"):
                made_here = (ROOT / source).is_file() or f"/{source[2:]}/" in GITIGNORE
                assert made_here, f"{source} is neither in the repository nor yours to bring"
                assert volume.endswith(":ro")
            else:
                assert source in COMPOSE["volumes"]


def test_only_the_proxy_can_be_reached_from_outside():
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["proxy"]
    assert re.search(r"^BEHIND_PROXY=1$", EXAMPLE, re.MULTILINE)


def test_every_service_is_hardened():
    for name, service in SERVICES.items():
        assert service["cap_drop"] == ["ALL"], name
        assert "no-new-privileges:true" in service["security_opt"], name
        assert service["read_only"], name
        assert service["mem_limit"], name
        assert service["logging"]["options"]["max-size"], name
        rights = set(service.get("cap_add", []))
        assert rights <= POSSIBLE_RIGHTS, name
        assert not rights or "build" not in service, f"{name} is ours and needs none"


def test_the_proxy_reaches_the_web_service_alone():
    (network,) = SERVICES["proxy"]["networks"]
    others = {name for name, service in SERVICES.items() if network in service["networks"]}
    assert others == {"proxy", "web"}
    for name in ("postgres", "redis"):
        assert SERVICES[name]["networks"] == ["backend"]
    assert COMPOSE["networks"]["backend"]["internal"]
    assert all(
        set(service["networks"]) <= set(COMPOSE["networks"]) for service in SERVICES.values()
    )


def test_every_image_is_pinned_and_can_be_pinned_by_its_content():
    pinned = {
        name: re.fullmatch(r"\$\{([A-Z]+_IMAGE):-([a-z]+:\d+\.\d+(?:\.\d+)?)\}", service["image"])
        for name, service in SERVICES.items()
        if "build" not in service
    }
    assert all(pinned.values()), pinned
    for match in pinned.values():
        assert f"# {match[1]}={match[2]}\n" in EXAMPLE
    assert re.fullmatch(r"PYTHON_IMAGE=python:\d+\.\d+\.\d+-slim", instructions("ARG")[0])
    assert re.fullmatch(r"NODE_IMAGE=node:\d+\.\d+-slim", instructions("ARG")[1])
    images = {line.split()[0] for line in instructions("FROM")}
    assert images == {"${PYTHON_IMAGE}", "${NODE_IMAGE}"}


def test_the_queue_asks_for_a_password():
    redis = SERVICES["redis"]
    assert "--requirepass" in shlex.split(redis["command"])
    for service in SERVICES.values():
        if "BROKER_URL" in service.get("environment", {}):
            assert service["environment"]["BROKER_URL"].startswith(
                "${BROKER_URL:-redis://:${REDIS_PASSWORD"
            )


def test_what_the_services_write_is_no_part_of_the_read_only_image():
    (environment,) = [line for line in instructions("ENV") if "CROWDWRIGHT_VAR" in line]
    values = dict(word.split("=") for word in environment.split())
    for name, service in SERVICES.items():
        if "build" in service:
            written = {mount.split(":")[0] for mount in service["tmpfs"]}
            assert {"/tmp", values["CROWDWRIGHT_VAR"]} <= written, name
    assert not values["STATIC_ROOT"].startswith(f"{values['CROWDWRIGHT_VAR']}/")
    (user,) = [line for line in instructions("RUN") if "useradd" in line]
    assert "--uid 999" in user
    assert "uid=999" in COMPOSE["x-crowdwright"]["tmpfs"][1]


def test_the_addresses_inside_compose_are_its_services():
    for service in SERVICES.values():
        for name in ("DATABASE_URL", "BROKER_URL"):
            if name in service.get("environment", {}):
                host = re.search(r"(?:@|//)([a-z]+):\d+/", service["environment"][name])
                assert host, service["environment"][name]
                assert host[1] in SERVICES


class Reset(yaml.SafeLoader):
    """A reader of Compose files, which knows its tag for what a file takes away."""


Reset.add_constructor("!reset", lambda *_: None)


def test_a_next_host_starts_without_the_services_of_the_first():
    text = (ROOT / "docker-compose.next-host.yml").read_text()
    changes = yaml.load(text, Reset)["services"]
    started = shlex.split(re.search(r"up -d ([a-z ]+)`", text)[1])
    for name in started:
        if name in changes:
            assert changes[name] == {"depends_on": None}
        else:
            assert set(SERVICES[name]["depends_on"]) <= set(started)
        # A way to the first host: its own networks have one, except the inner one.
        assert set(SERVICES[name]["networks"]) - {"backend"}
    assert "beat" not in started
    assert "migrate" not in started


def test_the_first_host_publishes_its_data_in_the_private_network_alone():
    more = yaml.safe_load((ROOT / "docker-compose.first-host.yml").read_text())
    assert set(more["services"]) == {"postgres", "redis"}
    for service in more["services"].values():
        (port,) = service["ports"]
        assert port.startswith("${PRIVATE_ADDRESS:?")
        assert service["networks"] == list(more["networks"])


def test_the_development_container_has_our_python_and_the_port_of_the_demo():
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text())
    assert f"{container['image']}-slim" == instructions("ARG")[0].removeprefix("PYTHON_IMAGE=")
    make, target = container["postCreateCommand"].split()
    assert make == "make"
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.MULTILINE)
    demo = load_command_class("config", "demo").create_parser("", "")
    (port,) = [action for action in demo._actions if action.dest == "port"]
    assert str(container["forwardPorts"][0]) in port.help


def test_every_form_for_issues_has_questions_with_names_of_their_own():
    forms = (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")
    asked = {path.stem: yaml.safe_load(path.read_text()) for path in forms}
    assert asked.keys() == {"bug", "config", "feature", "measurement"}
    for form in asked.values():
        fields = [field for field in form.get("body", []) if field["type"] != "markdown"]
        names = [field["id"] for field in fields]
        assert len(names) == len(set(names))
        assert all(field["attributes"]["label"] for field in fields)


def test_every_hook_calls_a_tool_of_the_environment():
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text())
    for repository in config["repos"]:
        assert repository["repo"] == "local"
        for hook in repository["hooks"]:
            assert hook["language"] == "system"
            program, *words = hook["entry"].split()
            assert program.startswith(".venv/bin/")
            assert (Path(sys.executable).parent / Path(program).name).exists()
            if words and words[0].startswith("node_modules/"):
                assert (ROOT / words[0]).exists()


def test_where_no_bare_debian_can_be_made_the_rehearsal_says_why(tmp_path):
    (tmp_path / "id").write_text("#!/bin/sh\necho 1000\n")
    (tmp_path / "id").chmod(0o755)
    done = subprocess.run(
        [ROOT / ".ci" / "bare-debian", "true"],
        env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 69  # what .ci/run takes for "use this machine"
    assert "No bare Debian was made here" in done.stdout
    assert "only root may" in done.stdout


@pytest.mark.parametrize(
    ("allowed", "host"),
    [(None, "localhost"), ("", "localhost"), ("*", "localhost"), (".a.org, b.org", "a.org")],
)
def test_the_health_check_of_the_web_service_asks_by_an_allowed_name(allowed, host):
    *_, code = SERVICES["web"]["healthcheck"]["test"]
    told = code.replace(
        "urlopen(Request", "print(host) or (lambda *_, **__: 0)((lambda *_, **__: 0)"
    )
    env = {"PATH": os.environ["PATH"]} | ({} if allowed is None else {"ALLOWED_HOSTS": allowed})
    ended = subprocess.run(
        [sys.executable, "-c", told], env=env, capture_output=True, text=True, check=True
    )
    assert ended.stdout.strip() == host
