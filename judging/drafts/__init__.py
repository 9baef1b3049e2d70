"""Drafts of judging studies: their form, faults, warnings, workload, sample pages and launch."""
