"""Sentences in the language of the reader."""

from django.utils.translation import gettext, ngettext

from annotation.texts.sentences import Sentence


def translated(text: str) -> str:
    """Return a Sentence, and those in its values, in the active language; other text as it is."""
    if not isinstance(text, Sentence):
        return text
    words, plural, number = text.words, text.plural, text.number
    values = {name: translated(value) for name, value in text.values.items()}
    return (ngettext(words, plural, number) if plural else gettext(words)).format(**values)


def translated_error(error: Exception) -> str:
    """Return the message of an exception in the active language; `str` of it is English."""
    message = error.args[0] if error.args else ""
    return translated(message) if isinstance(message, Sentence) else str(error)
