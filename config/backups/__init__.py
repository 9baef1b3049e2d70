"""Backups of an installation: one archive with the database, uploads and a manifest.

`making` writes one and `restoring` reads it; `archives` is the file, `digests` what is compared.
`postgres` and `sqlite` dump and load the database.
"""


class BackupFailed(Exception):
    """A backup or restore that cannot be done; the sentence says why."""
