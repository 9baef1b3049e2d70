"""Logs made to take far more memory than they have bytes. Run as a program it measures one."""

import resource
import sys

from writing.log.eventlog import Edit, Event, Snapshot, Start, encode
from writing.process.process import process_of
from writing.process.replay import Replay
from writing.replay.playback import playback

PASSAGES = ["The quick brown fox jumps over the lazy dog. " * 40] * 20
LONG_TEXT = "".join(" " if n % 6 == 0 else chr(97 + n * 7 % 26) for n in range(180_000))


def bomb(*, size: int, inserted: int = 1) -> list[Event]:
    """About `size` bytes: a long text, and changes in its middle that put in so many units."""
    events: list[Event] = [
        Start(seq=1, ms=0, length=0, version=1, agent="bomb"),
        Snapshot(seq=2, ms=0, text=LONG_TEXT),
    ]
    left = size - len(LONG_TEXT)
    while left > 0:
        seq = len(events) + 1
        piece = (f"qz{seq:06} " * (1 + inserted // 9))[:inserted]
        at = seq * 7919 % (len(LONG_TEXT) - 2 * inserted)
        event = Edit(seq=seq, ms=seq, at=at, deleted=inserted, inserted=piece, input="")
        events.append(event)
        left -= len(encode([event]))
    return events


def megabytes() -> float:
    """Return the most memory that this process ever had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    events = bomb(size=int(sys.argv[1]), inserted=int(sys.argv[2]))
    before = megabytes()
    process_of(events, PASSAGES, replay=Replay(events, PASSAGES))
    measured = megabytes()
    played = playback(events, PASSAGES).as_json()
    sys.stdout.write(f"{measured - before} {megabytes() - before} {len(played) / 1e6}")
