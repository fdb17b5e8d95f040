"""From labels to bad neighborhoods: the steps of `detect`."""
