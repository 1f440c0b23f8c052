"""The list of the steps of a trace, and one step in full."""
