"""The differences between two runs: changes of labels and neighborhoods, moves."""
