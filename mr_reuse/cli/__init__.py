"""What all commands share: the parser, types of options, files for results."""
