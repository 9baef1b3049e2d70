"""Instruments of writing: the files beside this one, read and checked.

Door: `files.available`, `files.load`.
"""
