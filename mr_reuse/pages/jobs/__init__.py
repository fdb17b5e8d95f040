"""Jobs that several systems share, one mrjob class a file."""
