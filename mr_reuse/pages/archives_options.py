"""The option for the archives of a finished run that have moved."""

import argparse


def add_archives(line: argparse.ArgumentParser) -> None:
    """Add the option that names a folder with archives that have moved."""
    line.add_argument(
        '--archives',
        metavar='DIR',
        help='folder to search, with all folders in it, for archives of the run that '
        'are no longer at their place. It may be on S3 or HDFS',
    )
