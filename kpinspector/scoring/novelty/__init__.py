"""Traces to measurements, in the order of their drop; neighbours and steps that set novelty."""
