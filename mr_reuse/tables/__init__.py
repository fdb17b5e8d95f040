"""Result tables: their schema, how they are written, read and exported."""
