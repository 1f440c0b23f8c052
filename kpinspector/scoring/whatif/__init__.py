"""Scenarios of a trace, their scores, and the changes that would turn a verdict."""
