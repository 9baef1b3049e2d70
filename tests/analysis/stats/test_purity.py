"""The methods are usable, and importable, where there is no web framework."""

import subprocess
import sys

PROGRAM = """
import importlib, pkgutil, sys
import analysis.stats
for module in pkgutil.walk_packages(analysis.stats.__path__, "analysis.stats."):
    importlib.import_module(module.name)
sys.exit("django" in sys.modules)
"""


def test_the_methods_import_without_django():
    assert subprocess.run([sys.executable, "-c", PROGRAM], check=False).returncode == 0
