"""What the embedded mode writes is its owner's alone, also where everybody may read the folder."""

import os
import stat
import subprocess
import sys

from tests.services.children import ROOT


def test_a_command_leaves_nothing_that_others_may_read(tmp_path):
    old = os.umask(0o022)
    try:
        tmp_path.chmod(0o755)
        kept = {key: value for key, value in os.environ.items() if not key.endswith("_URL")}
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
            cwd=ROOT,
            env={**kept, "CROWDWRIGHT_VAR": str(tmp_path / "var")},
            check=True,
        )
    finally:
        os.umask(old)
    written = [tmp_path / "var", *(tmp_path / "var").rglob("*")]
    assert (tmp_path / "var" / "crowdwright.sqlite3") in written
    open_to_others = [path for path in written if stat.S_IMODE(path.stat().st_mode) & 0o077]
    assert open_to_others == []


def test_the_files_of_an_older_version_are_closed_to_others(tmp_path):
    for name in ("crowdwright.sqlite3", "crowdwright.sqlite3-wal", "demo-password"):
        (tmp_path / name).touch(0o644)
        (tmp_path / name).chmod(0o644)
    (tmp_path / "queue").mkdir(0o755)
    (tmp_path / "another-program").touch()
    (tmp_path / "another-program").chmod(0o644)  # whatever umask these tests run under
    subprocess.run(
        [sys.executable, "-c", "import config.settings"],
        cwd=ROOT,
        env={"PATH": os.environ["PATH"], "CROWDWRIGHT_VAR": str(tmp_path)},
        check=True,
    )
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes.pop("another-program") & 0o044  # the folder may be used by others, too
    assert [name for name, mode in modes.items() if mode & 0o077] == []
