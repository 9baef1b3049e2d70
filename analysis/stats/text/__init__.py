"""Measures of written responses: what they cite, what they take over, how they read.

Door: `corpus.read_prose`, then the function of each file: `citing`, `counts`, `readability`,
`references`, `reuse`; `bleu` and `rouge` score pairs of texts.
"""
