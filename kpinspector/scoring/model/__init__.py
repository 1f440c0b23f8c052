"""Texts to vectors: tokens, the network, and the cache that is searched."""

MODEL_NAME = "all-MiniLM-L6-v2"
