"""Pages of the console and their presentation: results, records, review, planning."""
