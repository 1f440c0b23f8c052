"""The sheets of the Batch page: all open traces together."""
