"""Lmax from query logs."""

from io import StringIO

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from analysis.stats.errors import BadSetting, CannotCompute
from analysis.stats.summaries.query_log import lines_in, lines_read, seconds_between
from tests.cast import in_sections, small_corpus


def test_lmax_is_the_least_number_that_a_share_of_views_does_not_exceed():
    lines = np.arange(1, 101)
    for share in (0.5, 0.9, 0.95, 1.0):
        found = lines_read(lines, share=share)
        assert found.most_lines == round(100 * share)
        assert found.cut == pytest.approx(1 - share)
    assert lines_read(np.array([0, 7, 7, 9]), share=0.6).views == 3


def test_lines_follow_from_seconds_as_in_the_paper():
    """500 M characters in M minutes, divided by the characters of a line."""
    assert lines_in(np.array([60, 30]), characters_a_minute=500, characters_a_line=50).tolist() == [
        10.0,
        5.0,
    ]


def test_time_on_results_ends_with_the_next_event_of_the_user():
    events = [("ann", 0), ("bob", 5), ("ann", 40), ("ann", 40 + 1800), ("bob", 15), ("cem", 9)]
    assert sorted(seconds_between(events)) == [10.0, 40.0]


def test_wrong_settings_are_refused():
    with pytest.raises(BadSetting):
        lines_read(np.ones(3), share=0)
    with pytest.raises(BadSetting):
        lines_in(np.ones(3), characters_a_minute=500, characters_a_line=0)
    with pytest.raises(CannotCompute):
        lines_read(np.zeros(3))


def found_in(path, *options):
    out = StringIO()
    call_command("lines_read", str(path), *options, stdout=out)
    return out.getvalue()


def test_a_log_of_lines_gives_the_setting(tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("query,line\n" + "".join(f"q{n},{n}\n" for n in range(1, 21)))
    assert "summaries.most_lines=19" in found_in(log)


@pytest.mark.django_db
def test_a_log_of_queries_and_clicks_gives_the_setting(tmp_path):
    corpus = small_corpus()
    for response in corpus.responses.all():
        in_sections(response)
    log = tmp_path / "log.tsv"
    log.write_text(
        "user\ttime\tquery\n"
        "u1\t2026-03-01T10:00:00\tlamps\nu1\t2026-03-01T10:00:30\t\n"
        "u2\t2026-03-01T10:00:00\tlamps\nu2\t2026-03-01T12:00:00\tsun\n"
    )
    lengths = [20, 18, 13, 13, 18, 13, 13]
    expected = int(0.5 * 500 / np.mean(lengths))
    found = found_in(log, "--corpus", corpus.slug)
    assert f"summaries.most_lines={expected}" in found
    assert "1 views" in found


@pytest.mark.parametrize(
    "content",
    ["query,clicks\nq,1\n", "query,line\nq,many\n", "query,line\nq,nan\n", "seconds,q\n2,q\n"],
)
def test_other_files_are_refused(tmp_path, content):
    log = tmp_path / "log.csv"
    log.write_text(content)
    with pytest.raises(CommandError):
        found_in(log)
