"""Messages of the interface by source file, as JSON: `python -m tests.prose.messages`."""

import json
import sys
from collections import defaultdict

from config import catalogues


def messages() -> dict[str, list[str]]:
    """Return the English messages of every source file, both forms where there is a plural."""
    found = defaultdict(list)
    for domain in catalogues.SOURCES:
        for message in catalogues.extracted(domain):
            if message.id:
                forms = message.id if isinstance(message.id, tuple) else (message.id,)
                for place in {place for place, _ in message.locations}:
                    found[place] += forms
    return dict(sorted(found.items()))


if __name__ == "__main__":
    json.dump(messages(), sys.stdout)
