"""Reads that are shared while several outlines are computed, and never afterwards."""

from annotation.corpora.shared_reads import shared, shared_reads


def test_a_read_happens_once_for_the_same_arguments_until_the_end():
    reads = []

    @shared
    def rows(corpus, systems=None):
        reads.append((corpus, systems))
        return [corpus, systems]

    rows("a")
    rows("a")
    assert len(reads) == 2  # nobody shares
    with shared_reads():
        assert list(rows("a")) == list(rows("a")) == ["a", None]
        rows("a", systems=("x",))
        rows("b")
        assert reads[2:] == [("a", None), ("a", ("x",)), ("b", None)]
    rows("a")
    assert len(reads) == 6
