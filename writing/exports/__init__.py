"""Logs as files: snapshots, IDFX and other formats, zipped for a study."""
