"""Turns recordings of other agents into reasoning traces."""
