"""Moderated sessions: encrypted recordings, transcripts, notes, and their times on pages."""
