"""Statistics in numpy and scipy: one family of methods per file, no Django.

scipy is written out, `scipy.stats.norm`: its parts then load when they are first used, and every
command and every server starts in half the time.
"""
