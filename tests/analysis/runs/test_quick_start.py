"""What every worker loads as it starts."""

import subprocess
import sys

from tests.services.children import ROOT

SLOW = ("choix", "scipy.stats", "scipy.optimize", "sacrebleu")


def test_no_process_loads_what_only_an_analysis_needs():
    code = (
        "import django, sys; django.setup(); import analysis.tasks;"
        "from analysis.inputs.definition import offered_analyses; offered_analyses();"
        "print(*sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={"DJANGO_SETTINGS_MODULE": "config.settings", "PATH": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "analysis.analyses.catalogue" in done.stdout.split()
    assert set(SLOW) & set(done.stdout.split()) == set()
