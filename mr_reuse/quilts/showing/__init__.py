"""Quilted pages for people: patches, their sources, and text for a terminal."""
