"""Meanings of the measures of a text, for the files that have them. Pure."""

MEANINGS: dict[str, str] = {
    "active_minutes": "minutes from first to last event; a gap counts as at most 20 s",
    "typing_pace": "typing speed in words (five units) per minute; needs at least 200 units",
    "copy_pace": "words per minute in the copy task; empty without one",
    "typed_share": "share of the final text that was typed, 0-1",
    "passages_share": "share of the final text that comes from passages, 0-1",
    "elsewhere_share": "share of the final text that was pasted from outside, 0-1",
    "without_paste_share": "share inserted at once without a paste, such as dictation, 0-1",
    "own_share": "share that repeats the writer's earlier text of unknown origin, 0-1",
    "at_once_share": "share that appeared at once between two snapshots, 0-1",
    "paste_ratio": "share of the input that was pasted or inserted more than 80 units at once",
    "deletion_ratio": "deleted units divided by inserted units",
    "deleted_by_typed": (
        "units deleted or replaced, divided by units typed; needs at least 500 typed units"
    ),
    "away_seconds": "seconds outside the window: in another tab, window or program",
    "away_before_paste": "longest time away right before a paste from outside, s; 0 if none",
    "key_variation": (
        "standard deviation of the intervals between keys, divided by their mean; needs at least "
        "100"
    ),
    "foreign_insertions": "number of insertions of more than 80 units that no passage contains",
    "longest_foreign": "units of the longest flagged insertion; 0 if none",
    "leading_edge_share": "share of insertions at the end of the text, 0-1",
    "produced_to_final": "inserted units divided by units of the final text",
    "p_bursts": "number of typing bursts that end with a pause of 2 s",
    "r_bursts": "number of typing bursts that end with a revision",
    "pauses": "number of pauses of 2 s or more",
    "inserted": "units inserted; a composition counts with its net change",
    "deleted": "units deleted; a composition counts with its net change",
    "typed": "units typed, at most 20 at once",
    "replaced": "units that an input method replaced during compositions",
    "pasted": "units pasted or dropped from passages or outside",
    "moved": "units of the writer's own text pasted or dropped elsewhere",
    "without_paste": "units inserted at once without a paste, such as dictation",
    "elsewhere": "units of the final text that were pasted from outside",
    "rewritten": (
        "1 if the log repeats whole words for each letter of a composition (before Nov 2026)"
    ),
    "window_recorded": (
        "1 if the log records the window (since Nov 2026); else only background time counts as "
        "away, and viewing times may include a closed drawer"
    ),
    "final": "units of the final text",
    "passages_viewed": "number of passages visible for half a second or more",
    "viewed_seconds": "seconds that passages were visible, summed over passages",
    "unsupported": "units pasted from a named source that does not contain them",
    "clock_ahead_minutes": "minutes in the log beyond those that passed on the server",
    "at_once_minutes": (
        "minutes of the log received within 10 s with nothing received before; 0 if none"
    ),
    "burst_minutes": "most minutes of the log received within 10 s",
}
