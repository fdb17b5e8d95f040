"""Making archives of directory trees, for `pack`."""
