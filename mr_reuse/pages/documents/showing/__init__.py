"""Pages of a run for people: by their names, with marks in the text, on a terminal."""
