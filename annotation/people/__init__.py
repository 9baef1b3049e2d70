"""Accounts, teams and roles of researchers, and the pseudonyms of workers."""
