"""Settings of the next release: the same with one more migration."""

from config.settings import *  # noqa: F403

MIGRATION_MODULES = {"annotation": "tests.config.next_release.annotation_migrations"}
