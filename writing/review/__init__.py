"""The reviewer's pages, and what becomes of accepted texts.

Door: `submissions` for what was handed in, `publishing` for texts that join the corpus.
"""
