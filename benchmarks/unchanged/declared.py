"""What is declared and has a name: addresses, the API, tasks, commands, template tags, words."""

import argparse
from pathlib import Path

from benchmarks.unchanged import world
from benchmarks.unchanged.addresses import patterns


def take(folder: Path) -> None:
    _write(folder / "urls" / "patterns.txt", [f"/{p.route} {p.name}" for p in patterns()])
    answer = world.signed_in().get("/api/schema/")
    if answer.status_code != 200:
        raise SystemExit(f"/api/schema/ answered {answer.status_code}")
    _write(folder / "openapi" / "schema.yaml", answer.text.splitlines())
    _names(folder / "names")
    _words(folder / "words")


def _names(folder: Path) -> None:
    from celery import current_app
    from django.conf import settings
    from django.core.management import get_commands, load_command_class
    from django.template.backends.django import get_installed_libraries

    current_app.loader.import_default_modules()
    _write(folder / "tasks.txt", sorted(current_app.tasks))
    beat = settings.CELERY_BEAT_SCHEDULE
    _write(folder / "beat.txt", [f"{name} {beat[name]}" for name in sorted(beat)])
    _write(folder / "tag_libraries.txt", sorted(get_installed_libraries()))
    ours = {app.split(".")[0] for app in settings.INSTALLED_APPS if _is_ours(app)}
    for name, app in sorted(get_commands().items()):
        if app in ours:
            parser = load_command_class(app, name).create_parser("manage.py", name)
            parser.formatter_class = lambda prog: argparse.HelpFormatter(prog, width=100)
            _write(folder / "commands" / f"{name}.txt", parser.format_help().splitlines())


def _is_ours(app: str) -> bool:
    return (world.ROOT / app.split(".")[0]).is_dir()


def _words(folder: Path) -> None:
    """Sentences of the interface and their translations, wherever in the code they are."""
    import gettext

    for file in sorted(world.ROOT.glob("locale/*/LC_MESSAGES/*.mo")):
        with file.open("rb") as opened:
            catalog = gettext.GNUTranslations(opened)._catalog
        catalog.pop("", None)
        lines = sorted(f"{key!r} = {value!r}" for key, value in catalog.items())
        _write(folder / file.relative_to(world.ROOT / "locale").with_suffix(".txt"), lines)


def _write(file: Path, lines: list[str]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{line}\n" for line in lines))
