"""The two ways in which a command ends badly, told to people in one line."""

DONE, FAILED, USAGE, DAMAGED, INTERRUPTED = 0, 1, 2, 3, 130


class UserError(Exception):
    """Something that the user can mend: what was found, where, what to do."""

    exit_code = FAILED


class UsageError(UserError):
    """A command line that cannot be meant."""

    exit_code = USAGE
