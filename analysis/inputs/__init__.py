"""The one door from the records to frames."""
