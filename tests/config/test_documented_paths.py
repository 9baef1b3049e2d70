"""Files, modules, make targets, commands and links that the documentation names exist."""

import importlib.util
import itertools
import re
import tomllib
from argparse import ArgumentParser, _SubParsersAction
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class

from tests.services.children import ROOT

APPS = ("config", "annotation", "writing", "judging", "analysis")
PACKAGES = (*APPS, "benchmarks", "docs", "tests")
FOLDERS = (*PACKAGES, "static", "templates", "locale", ".ci", ".github", ".devcontainer")
OUR_ENDINGS = (".py", ".js", ".html", ".css")
FILE_ENDINGS = ("csv", "js", "jsonl", "md", "py", "zip")
MAPS = ["ARCHITECTURE.md", "CONTRIBUTING.md", "docs/where-to-put-a-change.md"]


def documents() -> list[Path]:
    """Return the Markdown files that people read: all but the changelog, which keeps old names."""
    loose = [path for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md"]
    return sorted([*loose, *(ROOT / "docs").rglob("*.md"), *(ROOT / ".github").rglob("*.md")])


TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text() for path in documents()}
INLINE = re.compile(r"`[^`\n]*`")  # code in a line, which is no link
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
PATH = re.compile(r"[\w.*<>-]+(?:/[\w.*<>-]+)*/?")


def spans(text: str) -> list[str]:
    """Return the code spans of a document, without its code blocks."""
    return SPAN.findall(FENCE.sub("", text))


def code(text: str) -> list[str]:
    """Return the code spans, and the lines of code blocks with continued lines joined."""
    blocks = "\n".join(FENCE.findall(text)).replace("\\\n", " ")
    return [*spans(text), *blocks.splitlines()]


def each_span() -> Iterator[tuple[str, str]]:
    for name, text in TEXTS.items():
        for span in spans(text):
            yield name, span


@cache
def paths_by_ending() -> dict[str, list[Path]]:
    """Return all files and folders by every way to name them with the last parts of the path."""
    entries = [*ROOT.iterdir(), *(path for top in FOLDERS for path in (ROOT / top).rglob("*"))]
    files = [path for path in entries if path.is_file() and "__pycache__" not in path.parts]
    paths = {path.relative_to(ROOT) for path in files}
    folders = {folder for path in paths for folder in path.parents if folder.parts}
    by_ending = defaultdict(list)
    for path in paths | folders:
        for start in range(len(path.parts)):
            by_ending["/".join(path.parts[start:])].append(ROOT / path)
    return dict(by_ending)


@cache
def matches(documented: str) -> list[Path]:
    """Return what a documented path may mean; `*` and `<name>` are anything within one part."""
    pattern = re.sub(r"<\w+>", "*", documented.rstrip("/"))
    if "*" not in pattern:
        return paths_by_ending().get(pattern, [])
    one_part = re.compile(re.escape(pattern).replace(r"\*", "[^/]*"))
    hits = [paths for ending, paths in paths_by_ending().items() if one_part.fullmatch(ending)]
    return [path for paths in hits for path in paths]


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def is_ours(span: str, document: str) -> bool:
    """Return whether a code span is a path of this repository, not an address or an exported file.

    The maps name nothing but files of ours, and files of a server below var/.
    """
    if not PATH.fullmatch(span) or span.startswith(("/", "var/")):
        return False
    if "/" not in span:
        return span.endswith((".py", ".js"))
    return span.split("/")[0] in FOLDERS or span.endswith(OUR_ENDINGS) or document in MAPS


def test_every_path_in_the_documentation_exists():
    lost = [
        f"{document}: {span}"
        for document, span in each_span()
        if is_ours(span, document) and not matches(span)
    ]
    assert not lost, "\n".join(lost)


@pytest.mark.parametrize("document", MAPS)
def test_a_short_path_in_a_map_means_one_file(document):
    several = {
        span: [path for path in map(relative, matches(span)) if not path.startswith("tests/")]
        for span in spans(TEXTS[document])
        if is_ours(span, document) and re.fullmatch(r"[\w./-]+/[\w-]+\.\w+", span)
    }
    unclear = [
        f"{span}: {', '.join(paths)}"
        for span, paths in several.items()
        if span not in paths and len(paths) > 1
    ]
    assert not unclear, "\n".join(unclear)


@pytest.mark.parametrize("document", MAPS)
def test_the_maps_name_paths(document):
    assert any(is_ours(span, document) for span in spans(TEXTS[document]))


def test_the_architecture_names_every_room():
    shared = {"management", "migrations", "models", "templatetags", "demo"}  # of all layers
    layers = [package for app in APPS[1:] for package in packages(ROOT / app)]
    rooms = layers + [
        room for layer in layers if is_platform_layer(layer) for room in packages(layer)
    ]
    named = {span.rstrip("/").split("/")[-1] for span in spans(TEXTS["ARCHITECTURE.md"])}
    missing = [relative(room) for room in rooms if room.name not in named | shared]
    assert not missing, "\n".join(missing)


def packages(folder: Path) -> list[Path]:
    return sorted(path.parent for path in folder.glob("*/__init__.py"))


def is_platform_layer(package: Path) -> bool:
    """Return whether a package of the platform, or that of the pages of analysis, has rooms."""
    return package.parent.name == "annotation" or relative(package) == "analysis/pages"


def test_the_drawing_of_layers_is_that_of_the_import_contracts():
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    drawing = FENCE.search(TEXTS["ARCHITECTURE.md"])[0]
    drawn = dict(re.findall(r"^(\w+) +(\w+(?:[,> ]+\w+)*)$", drawing, re.MULTILINE))
    containers = set()
    for contract in contracts["contracts"]:
        for app in set(contract.get("containers", [])) & set(APPS):
            layers = [re.findall(r"\w+", layer) for layer in contract["layers"]]
            rank = {room: place for place, layer in enumerate(layers) for room in layer}
            groups = [re.findall(r"\w+", group) for group in drawn[app].split(">")]
            for above, below in itertools.pairwise(groups):
                assert max(rank[room] for room in above) < min(rank[room] for room in below), app
            containers.add(app)
    assert {"annotation", "judging", "analysis"} <= containers


def test_every_name_is_defined_in_the_file_it_is_said_to_be_in():
    lost = []
    for document, text in TEXTS.items():
        for name, path in re.findall(r"`(\w+)` (?:of|in) `([\w./-]+\.(?:py|js))`", text):
            if not any(re.search(rf"\b{name}\b", file.read_text()) for file in matches(path)):
                lost.append(f"{document}: {name} of {path}")
    assert not lost, "\n".join(lost)


def test_every_name_is_defined_in_the_short_module_before_its_dot():
    lost = []
    for document, span in each_span():
        short = re.fullmatch(r"([a-z_]+)\.([A-Za-z_]+)(?:\(.*)?", span)
        if not short or short[1] in PACKAGES or short[2] in FILE_ENDINGS:
            continue
        files = [*matches(f"{short[1]}.py"), *matches(f"{short[1]}/__init__.py")]
        if files and not any(re.search(rf"\b{short[2]}\b", p.read_text()) for p in files):
            lost.append(f"{document}: {span}")
    assert not lost, "\n".join(lost)


def resolves(dotted: str) -> bool:
    """Return whether a dotted name is a module, or an attribute of one."""
    words = dotted.split(".")
    for end in range(len(words), 0, -1):
        try:
            value = importlib.import_module(".".join(words[:end]))
        except ModuleNotFoundError:
            continue
        for word in words[end:]:
            if not hasattr(value, word):
                return False
            value = getattr(value, word)
        return True
    return False


def test_every_module_in_the_documentation_exists():
    # The peers of benchmarks are not installed for development, so those are files only.
    dotted = re.compile(rf"(?:^|\s)((?:{'|'.join(PACKAGES)})(?:\.[A-Za-z_]\w*)+)(?=$|[\s(])")
    lost = []
    for document, text in TEXTS.items():
        for line in code(text):
            for name in dotted.findall(line):
                path = ROOT / (name.replace(".", "/") + ".py")
                if not path.exists() and not resolves(name) and name.split(".")[-1] != "py":
                    lost.append(f"{document}: {name}")
    assert not lost, "\n".join(lost)


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))


def test_every_make_target_in_the_documentation_exists():
    lines = [(name, line) for name, text in TEXTS.items() for line in code(text)]
    lines += [(".ci/run", line) for line in (ROOT / ".ci" / "run").read_text().splitlines()]
    named = [
        (name, target)
        for name, line in lines
        for target in re.findall(r"(?:^|&& )make ([a-z]+)\b", line)
    ]
    assert {".ci/run", "README.md", "CONTRIBUTING.md"} <= {name for name, _ in named}
    lost = [f"{name}: make {target}" for name, target in named if target not in make_targets()]
    assert not lost, "\n".join(lost)


def test_every_benchmark_and_room_given_to_make_exists():
    lost = []
    for document, text in TEXTS.items():
        for line in code(text):
            for name in re.findall(r"\bBENCHMARKS=(\w+)", line):
                if importlib.util.find_spec(f"benchmarks.{name}") is None:
                    lost.append(f"{document}: {name}")
            for room in re.findall(r"\bROOM=([\w/]+)", line):
                if not (ROOT / room).is_dir():
                    lost.append(f"{document}: {room}")
    assert not lost, "\n".join(lost)


@cache
def parser_of(command: str) -> ArgumentParser:
    return load_command_class(get_commands()[command], command).create_parser("manage.py", command)


def options_of(command: str) -> set[str]:
    """Return the options of a command and of its acts."""
    actions = parser_of(command)._actions
    acts = [one for one in actions if isinstance(one, _SubParsersAction)]
    within = [each for one in acts for act in one.choices.values() for each in act._actions]
    return {option for action in (*actions, *within) for option in action.option_strings}


def test_every_command_and_option_in_the_documentation_exists():
    lost = []
    ours = {name for name, app in get_commands().items() if app in APPS}
    for document, text in TEXTS.items():
        for line in code(text):
            called = re.search(r"manage\.py ([a-z_]+)(.*)", line)
            bare = re.match(r"(\w+)( --.*)", line)
            command = called or (bare if bare and bare[1] in ours else None)
            if command is None:
                continue
            if command[1] not in get_commands():
                lost.append(f"{document}: {command[1]}")
                continue
            options = set(re.findall(r"\s(--[a-z][\w-]*)", command[2].split(" | ")[0]))
            unknown = options - options_of(command[1])
            lost += [f"{document}: {command[1]} {option}" for option in sorted(unknown)]
    assert not lost, "\n".join(lost)


def anchors(text: str) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {heading.strip().replace(" ", "-") for heading in plain}


def test_every_link_and_picture_in_the_documentation_exists():
    lost = []
    for name, text in TEXTS.items():
        for link, anchor in re.findall(
            r"\]\(([^)#:\s]*)(?:#([^)]*))?\)", INLINE.sub("", FENCE.sub("", text))
        ):
            target = (ROOT / name).parent / link if link else ROOT / name
            if not target.exists():
                lost.append(f"{name}: {link}")
            elif anchor and target.suffix == ".md" and anchor not in anchors(target.read_text()):
                lost.append(f"{name}: {link}#{anchor}")
    assert not lost, "\n".join(lost)
