"""Planted phrases: near-duplicates, templates and stitched pages, and their key."""
