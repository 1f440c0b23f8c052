"""Scenarios of a trace, what they come to, and what would change a verdict."""
