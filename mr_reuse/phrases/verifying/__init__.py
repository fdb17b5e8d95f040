"""Compare near-duplicates by all of their phrases, and keep pairs that are alike."""
