"""What it means: frames -> stats -> results. Reads everything; only config imports it."""
