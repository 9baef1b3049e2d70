"""Files that somebody brings through the browser: gathered, looked at, checked, imported, cleared.

`gathering` keeps files and what is said of them, `look` reads their first rows, `checking` runs
the importing code of `annotation.corpora` as a job, `clearing` ends what was left.
Door: `gathering` and `checking` for pages and tasks.
"""
