"""A number with its word, in English: for what is stored, typed by a command, or said to programs.

What a page says has its plural from the catalogues (ngettext). Pure.
"""


def counted(n: int, singular: str, plural: str = "") -> str:
    """`1 topic`, `1,200 topics`; `many` is the plural where it is not the word with an s."""
    return f"{n:,} {singular if n == 1 else plural or singular + 's'}"


def there_are(n: int, singular: str = "", plural: str = "") -> str:
    """`there is 1 topic`, `there are 2 topics`; without a word `there is 1`."""
    number = counted(n, singular, plural) if singular else f"{n:,}"
    return f"there {'is' if n == 1 else 'are'} {number}"
