"""What it means: frames -> stats -> results. Reads all apps; only config imports it."""
