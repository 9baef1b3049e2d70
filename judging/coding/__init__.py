"""Comments of a study, and their coding: codebooks, units, independent coders, reconciling."""
