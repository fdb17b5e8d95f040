"""The sections of the report on chunks, one module each."""
