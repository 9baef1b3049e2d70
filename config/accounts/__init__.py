"""Accounts of researchers: the first one, sessions, new passwords, deactivation.

Door: `setting_up`, `registering`, `changing`; `views` for the addresses. Roles are another
matter (annotation/people/access).
"""
