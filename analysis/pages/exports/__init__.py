"""The page of the exports of a study, and its downloads."""
