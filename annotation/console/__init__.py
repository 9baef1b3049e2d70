"""The researcher's pages of the platform.

Door: `paging` for long lists, `records.show` for the raw records; `views` for the addresses.
"""
