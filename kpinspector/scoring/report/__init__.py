"""The report: composed from measurements, read, and computed again."""
