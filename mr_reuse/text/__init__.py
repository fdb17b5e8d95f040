"""From the bytes of a page to its words: encodings, markup, words and their hashes."""
