"""Items that are displayed beside other pages: quilts, near-duplicates, phrases."""
