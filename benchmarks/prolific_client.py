"""Whether a client of Prolific that others made can read our fake.

`python -m benchmarks.prolific_client`, or with a folder behind it that keeps its environment for
the next time.

The package pyrolific is generated from Prolific's own description of its API. It is installed from
PyPI into an environment of its own, goes through a study at the fake (draft, publish, decisions,
bonuses, webhooks), and must parse every answer. What its description does not know, and Prolific's
guides do, is listed here and must be just that. A check, with no times; it needs the network.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import django

from benchmarks.other_packages import HERE, python_of

# In Prolific's guides, and not in the description of which pyrolific 1.5.1 is made: its list of
# submissions writes TIME-OUT where all else of it writes TIMED-OUT.
NEWER = {
    ("row of submissions", "TIMED-OUT"),
    ("row of submissions", "PARTIALLY APPROVED"),
    ("submission", "PARTIALLY APPROVED"),
    ("type of codes", "FIXED_SCREENOUT"),
    ("type of codes", "SCREENED_IN"),
    ("type of codes", "SCREENED_OUT"),
}


def compare() -> int:
    with tempfile.TemporaryDirectory() as name:
        os.environ["CROWDWRIGHT_VAR"] = name
        environments = Path(sys.argv[1] if len(sys.argv) > 1 else name).absolute()
        found = read(python_of("pyrolific", environments))
    unknown = {(where, value) for where, value in found["unknown"]}
    faults = [f"{value} of a {where} is not known" for where, value in sorted(unknown - NEWER)]
    faults += [f"{value} of a {where} is known now" for where, value in sorted(NEWER - unknown)]
    names = sorted(set(found["parsed"]))
    fine = f"parses {len(found['parsed'])} answers of the fake, of {', '.join(names)}"
    print(f"pyrolific: {'; '.join(faults) or fine}")
    return len(faults)


def read(python: Path) -> dict[str, Any]:
    os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings"}
    django.setup()
    from annotation.fieldwork.platforms.fake_prolific.running import FakeProlific

    fake = FakeProlific(token="trial").start()
    try:
        done = subprocess.run(
            [python, HERE / "read_pyrolific.py", fake.site],
            check=True, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
    finally:
        fake.stop()
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


if __name__ == "__main__":
    sys.exit(compare())
