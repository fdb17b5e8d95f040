"""Lines between jobs: packed columns, tables that spill to disk, sets of digests."""
