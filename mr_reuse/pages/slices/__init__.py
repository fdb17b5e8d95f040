"""Tables of the records of archives to read: CSV or Parquet."""
