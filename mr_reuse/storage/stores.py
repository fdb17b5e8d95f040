"""The store that holds a file, by its name."""

import importlib

from mr_reuse.errors import UserError
from mr_reuse.storage.base import Store
from mr_reuse.storage.disk import Disk
from mr_reuse.storage.naming import list_packages, scheme_of
from mr_reuse.storage.packages import PackageStore

# The module of each scheme. s3a and s3n are Hadoop's schemes for S3.
MODULES = {
    'hdfs': 'hdfs',
    **dict.fromkeys(('s3', 's3a', 's3n'), 's3'),
    **dict.fromkeys(('http', 'https'), 'web'),
    'cc': 'common_crawl',
}
DISK = Disk()
MAX_PACKAGES = 4  # in one another; each costs a look-up, and a ZIP may hold itself


def store_of(name: str) -> Store:
    """Return the store that holds a file, or the package that does."""
    store = _store_of_scheme(name)
    for package in list_packages(name)[:MAX_PACKAGES]:
        entry = store.status(package)
        if entry and not entry.is_dir:  # a WACZ may also be unpacked to a folder
            store = PackageStore(store, entry)
    return store


def _store_of_scheme(name: str) -> Store:
    scheme = scheme_of(name)
    if not scheme:
        return DISK
    if scheme not in MODULES:
        raise UserError(f'{name}: {scheme}:// is not supported; use hdfs, s3 or https')
    # Imported when needed: boto3 alone takes a third of a second.
    module = importlib.import_module(f'mr_reuse.storage.{MODULES[scheme]}')
    return module.store_for(name)
