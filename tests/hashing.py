"""Passwords that are checked at once: a second for every user would be most of the test run."""

from django.contrib.auth.hashers import PBKDF2PasswordHasher


class QuickHasher(PBKDF2PasswordHasher):
    """One round; the number is written in the hash, so that other processes can check it too."""

    iterations = 1
