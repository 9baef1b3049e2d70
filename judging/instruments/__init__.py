"""Methods of judging as data: the files beside this one (README.md), read and checked."""
