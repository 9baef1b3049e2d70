"""What every process of ours loads before it can do anything."""

import subprocess
import sys

from tests.services.children import ROOT

CODE = """
import sys
import django
django.setup()
import config.urls
print(*sorted({name for name in sys.modules if name.startswith("scipy.")}))
"""


def test_a_command_or_a_server_starts_without_the_statistics_of_scipy():
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = done.stdout.split()
    assert "scipy.version" in loaded  # so that the names are those of scipy
    assert not {"scipy.stats", "scipy.optimize", "scipy.special", "scipy.cluster"} & set(loaded)
