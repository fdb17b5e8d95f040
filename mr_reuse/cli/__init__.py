"""The common parts of all commands: the parser, types of option values, output."""
