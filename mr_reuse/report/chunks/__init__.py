"""The sections of the report, one module each, and the parts of the graph."""
