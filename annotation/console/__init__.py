"""The researcher's pages of the platform.

Door: `records.show` for the raw records; `views` for the addresses.
"""
