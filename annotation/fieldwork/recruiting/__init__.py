"""Arrivals: who follows the link of a study, personal links, adverts, and studies on Prolific.

`arriving` and `continuing` give workers their places, `completion_codes` shows how work ended.
"""
