"""Reads banks of nuggets with the package autojudge-base: `python read_autojudge.py FOLDER`.

Only its nugget data are loaded: the whole package asks for word lists that it downloads.
"""

import json
import sys
import types
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def nugget_data() -> Any:
    """Return the module of nugget data without what its package imports first."""
    spec = find_spec("autojudge_base")
    assert spec is not None
    package = types.ModuleType("autojudge_base")
    package.__path__ = list(spec.submodule_search_locations or ())
    sys.modules["autojudge_base"] = package
    from autojudge_base import nugget_data as module

    return module


def main(folder: Path) -> None:
    data = nugget_data()
    argue = data.load_nugget_banks_from_file(folder / "bank_autojudge.jsonl")
    ragtime = data.load_ragtime26_nugget_banks_from_file(folder / "bank_ragtime.jsonl")
    nuggetizer = data.load_nugget_banks_generic(
        folder / "bank_nuggetizer.jsonl", data.NuggetizerNuggetBanks
    )
    found = {
        "autojudge": {
            topic: [[nugget.question, nugget.importance] for nugget in bank.nuggets_as_list()]
            for topic, bank in argue.banks.items()
        },
        "ragtime": {
            topic: [[nugget.question, nugget.importance] for nugget in bank.nugget_bank]
            for topic, bank in ragtime.banks.items()
        },
        "nuggetizer": {
            topic: [[nugget.text, nugget.importance] for nugget in bank.nuggets]
            for topic, bank in nuggetizer.banks.items()
        },
    }
    print(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
