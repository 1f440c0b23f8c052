"""Bytes to traces: model, reader, schema issues, step tree. Knows no scoring and no Qt."""
