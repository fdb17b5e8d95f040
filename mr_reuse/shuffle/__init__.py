"""Lines between jobs: packed columns, spilled tables, sets of digests."""
