"""Best-worst counts and Plackett-Luce merits of choices from several."""
