"""Documents: the pages whose words or styles are compared, and their numbers."""
