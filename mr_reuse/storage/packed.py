"""Packages, such as a WACZ, for those who need to know that a file lies in one."""

from mr_reuse.storage.base import Entry
from mr_reuse.storage.naming import list_packages
from mr_reuse.storage.package_content import Packed
from mr_reuse.storage.packages import PackageStore
from mr_reuse.storage.stores import store_of


def list_files(package: str) -> list[Entry]:
    """Return the files in a package, missing ones included; [] if it is none."""
    store = store_of(f'{package}/.')
    return list(store.walk_files(package)) if isinstance(store, PackageStore) else []


def describe(name: str) -> Packed | None:
    """Return what the package says of a file; None for a file outside of packages.

    Raise OSError if the file cannot be read.
    """
    store = store_of(name)
    return store.describe(name) if isinstance(store, PackageStore) else None


def split_name(name: str) -> tuple[str, str]:
    """Split a name into that of a file of its own and the rest, '' without a package.

    >>> split_name('setup.cfg')
    ('setup.cfg', '')
    """
    for package in list_packages(name):
        entry = store_of(package).status(package)
        if entry and not entry.is_dir:
            return package, name[len(package) :]
    return name, ''
