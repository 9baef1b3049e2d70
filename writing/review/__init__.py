"""The reviewer's pages, and what becomes of accepted texts."""
