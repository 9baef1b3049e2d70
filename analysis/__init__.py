"""Analyses of studies: frames, statistics, results. Reads all apps; only config imports it."""
