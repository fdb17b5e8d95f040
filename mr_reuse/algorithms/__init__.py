"""Algorithms that know nothing of crawls: pure functions."""
