"""Page of a coding: coders, agreement by code, and counts of reconciled codes."""
