"""The rows of the tables of this system, made by the driver or by jobs."""
