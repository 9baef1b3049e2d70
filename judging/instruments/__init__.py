"""Methods of judging as data: the files beside this one (README.md), read and checked.

Door: `files.available` and `files.load`; `studyfiles.find` for a name or any file;
`copying.copy_instruments` into a study.
"""
