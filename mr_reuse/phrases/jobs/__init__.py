"""The jobs of phrases, one mrjob class a file."""
