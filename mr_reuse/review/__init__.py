"""The review of a run: samples, the web page of a judge, and the tables."""
