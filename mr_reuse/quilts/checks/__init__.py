"""The check of quilts: their words are read again and compared."""
