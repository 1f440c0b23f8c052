"""Measurements to the report and back: composed, read, computed again."""
