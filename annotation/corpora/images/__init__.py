"""Images of texts: from the upload into the database, and from there to the pages.

`encoding` checks and encodes one, `storing` takes those of an import, `shown` finds them by the
addresses in a text and sends them.
"""
