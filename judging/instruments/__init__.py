"""Instruments: methods of judging as data files (README.md), read, checked and copied."""
