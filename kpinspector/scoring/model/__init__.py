"""Texts to vectors: tokens, the network, and the cache that is searched."""
