"""The decisions of `discover`: counts, labels, examples, previews."""
