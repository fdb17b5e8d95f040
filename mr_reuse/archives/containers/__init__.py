"""How the bytes of records are packed in a file, such as in members of gzip."""
