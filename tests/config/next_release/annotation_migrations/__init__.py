"""The migrations of `annotation`, and one more."""

from pathlib import Path

from annotation import migrations

__path__ = [str(Path(__file__).parent), *migrations.__path__]
