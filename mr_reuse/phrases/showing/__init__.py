"""Pages of `phrases` for people: popular phrases in a text, and near-duplicates."""
