"""Label files and lists of hashes, and operations on them."""
