"""Everything between the launch of a study and its results: arrivals, work, review, pay."""
