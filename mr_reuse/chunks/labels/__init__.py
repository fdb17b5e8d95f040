"""Label files and lists of hashes."""
