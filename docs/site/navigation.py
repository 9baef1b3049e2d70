"""Navigation of the documentation site: captions, and the files of docs/ below them in order."""

NAVIGATION = {
    "Researchers": (
        "tutorial",
        "import-a-corpus",
        "choose-a-method",
        "build-a-study",
        "screening-and-checks",
        "run-a-judging-study",
        "run-a-writing-study",
        "how-participants-enter",
        "recruit-on-prolific",
        "recruit-on-upwork",
        "review-and-pay",
        "withdrawal-and-retention",
        "read-the-results",
        "judge-with-an-llm",
        "import-labels",
        "propose-queries",
        "banks",
        "languages",
        "replicate-crowdrag25",
        "replicate-papers",
    ),
    "Methods": ("methods/index",),
    "Administrators": (
        "serve-it",
        "scale",
        "upgrade",
        "back-up-and-restore",
        "monitor",
        "people-and-rights",
        "developer/security",
    ),
    "Developers": (
        "api",
        "commands",
        "where-to-put-a-change",
        "developer/architecture",
        "developer/contributing",
        "developer/measured",
        "decisions/README",
    ),
    "Reference": (
        "study-settings",
        "data-dictionary",
        "files-of-other-tools",
        "interaction-log",
        "reference/rest-api",
        "reference/statistics/index",
    ),
}
# Pages with the other files of their folder below them.
PARENTS = ("methods/index", "decisions/README", "reference/statistics/index")


def contents(docname: str) -> str:
    """Return the hidden tables of contents of a page, as MyST directives.

    They are no part of the files, which are also read as plain Markdown.
    """
    if docname in PARENTS:
        return _toctree(":glob:", "*")
    if docname != "index":
        return ""
    parts = (_toctree(f":caption: {caption}", *names) for caption, names in NAVIGATION.items())
    return "".join(parts)


def _toctree(option: str, *names: str) -> str:
    lines = ("", "```{toctree}", ":hidden:", ":titlesonly:", option, "", *names, "```", "")
    return "\n" + "\n".join(lines)
