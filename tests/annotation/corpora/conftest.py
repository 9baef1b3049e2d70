"""A small corpus comes in, or is refused."""

import pytest

OPTIONS = (
    *("origin", "unknown_citations", "unknown_passages", "unknown_systems"),
    "choices",
)


@pytest.fixture
def bring(tmp_path):
    """`bring(topics=[...], responses=[...])` imports these rows into the corpus `leaves`."""
    from annotation.corpora.importing import import_corpus
    from tests.annotation.corpora.small_corpora import write

    def bring(suffix=".jsonl", name="", **kinds):
        options = {key: kinds.pop(key) for key in OPTIONS if key in kinds}
        files = [write(tmp_path / f"{kind}{suffix}", rows) for kind, rows in kinds.items()]
        return import_corpus(slug="leaves", name=name, files=files, **options)

    return bring


@pytest.fixture
def refused(bring):
    """`refused(...)` imports the same way, and returns the bad lines of the refusal."""
    from annotation.corpora.importing import ImportRefused
    from tests.annotation.corpora.small_corpora import contents

    def refused(**kinds):
        before = contents()
        with pytest.raises(ImportRefused) as refusal:
            bring(**kinds)
        assert contents() == before
        return [str(line) for line in refusal.value.report.bad_lines]

    return refused
