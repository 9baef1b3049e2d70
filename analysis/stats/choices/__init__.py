"""What people choose from several: counts of best and worst, and Plackett-Luce."""
