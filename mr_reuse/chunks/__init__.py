"""Copied chunks: what a chunk is, how they are counted, labeled and matched."""
