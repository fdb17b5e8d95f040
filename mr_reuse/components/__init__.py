"""Connected components of graphs whose nodes are numbers, by jobs."""
