"""The writing as it happened. Pure.

Door: `replay.Replay` (the text at every moment), `playback.playback` (what the page plays).
"""
