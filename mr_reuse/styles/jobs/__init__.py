"""The jobs of styles, one mrjob class a file."""
