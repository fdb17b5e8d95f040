"""The decisions of `detect`: matches, badness, sources, links."""
