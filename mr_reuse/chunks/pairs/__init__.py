"""Pairs of sites that share chunks, independent of labels and thresholds."""
