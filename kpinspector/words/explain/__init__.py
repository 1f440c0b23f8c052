"""The one explanation of a score, built once and written by all writers."""
