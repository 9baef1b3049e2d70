"""Prompt that asks for the codes of a comment. Pure: no Django."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.texts.sentences import marked
from judging.calls.prompts import ReadyPrompt, named
from judging.coders.replies import NAME

VARIABLES = {
    "comment": marked("the comment to code"),
    "codebook": marked("the codes with keys, definitions and examples"),
    "method": marked("the method that the comment is about, if any"),
    "kind": marked("kind of comment, such as “page” or “utterance”"),
    "answers": marked("the answer format"),
}
REQUIRED = ("comment", "codebook")
READY = ReadyPrompt(
    "coder",
    "All codes of a comment",
    "You code what participants of a study wrote or said. You apply the codebook literally and "
    "add no codes of your own.",
    "Codebook:\n\n{codebook}\n\nMethod: {method}\n\nComment:\n\n{comment}\n\nChoose every code "
    "that applies to the comment. If no code applies, choose none.\n\n{answers}",
)
HOW = (
    "The last line of your answer is one JSON object on a single line, with nothing after it. It "
    f'lists the keys of the chosen codes, which are in square brackets: {{"{NAME}": ["key", '
    f'"other key"]}}. If no code applies: {{"{NAME}": []}}'
)


@dataclass(frozen=True)
class ListedCode:
    """A code as the prompt lists it."""

    key: str
    group: str
    name: str
    definition: str
    examples: Sequence[str]


def check(*, system: str, user: str) -> None:
    """Check that a prompt shows comment and codebook. Raises BadPrompt."""
    named(system=system, user=user, known=VARIABLES, needed=REQUIRED)


def listed(codes: Sequence[ListedCode]) -> str:
    """Return one line per code, with a heading before each group."""
    lines: list[str] = []
    group = ""
    for code in codes:
        if code.group != group:
            group = code.group
            lines += ["", group]
        parts = [f"- [{code.key}] {code.name}"]
        if code.definition:
            parts.append(f": {code.definition}")
        if code.examples:
            parts.append(f" (examples: {'; '.join(code.examples)})")
        lines.append("".join(parts))
    return "\n".join(lines).strip()
