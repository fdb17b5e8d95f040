"""Where files can lie, one module a kind; only `storage.py` looks in here."""
