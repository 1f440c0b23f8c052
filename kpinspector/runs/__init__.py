"""Recordings of other agents to reasoning traces."""
