"""HDFS: the cluster that a name refers to, and a store to access it."""

import functools
import os
import re
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from pathlib import Path

from mr_reuse.errors import UserError
from mr_reuse.storage import hdfs_command
from mr_reuse.storage.base import Store
from mr_reuse.storage.hdfs_command import HadoopFs
from mr_reuse.storage.hdfs_web import WebHdfs

# Environment variable of tasks, since their machines need not be configured:
# `AUTHORITY=URL,URL;…`. The first authority is the default, for names like `hdfs:///`.
ADDRESSES = 'MR_REUSE_WEBHDFS'
PORTS = {'http': '9870', 'https': '9871'}  # of a NameNode, as in hdfs-default.xml
NAME = re.compile(r'hdfs://([^/]*)(/.*)?', re.DOTALL)


def store_for(name: str) -> Store:
    """Return the store of a file."""
    return _store_of(authority_of(name))


@functools.lru_cache
def _store_of(authority: str) -> Store:
    """Return WebHDFS if it answers, else the `hadoop fs` command."""
    urls = addresses().get(authority) or web_addresses(authority, settings())
    store = WebHdfs(authority, urls)
    if store.answers():
        return store
    try:
        hdfs_command.find_command()
    except UserError:
        raise UserError(
            f'hdfs://{authority}: WebHDFS does not answer at {", ".join(urls)}, and '
            'this machine has no hadoop command; check the name, or put the bin folder '
            'of Hadoop into PATH'
        ) from None
    return HadoopFs(authority)


def authority_of(name: str) -> str:
    """Return the authority of a name: HOST:PORT or the name of a nameservice."""
    return NAME.fullmatch(name)[1] or default_authority()


def addresses() -> dict[str, list[str]]:
    """Return the WebHDFS addresses of each authority, as the driver passed them.

    >>> os.environ[ADDRESSES] = 'nn:9000=http://nn:9870,http://nn2:9870'
    >>> addresses()
    {'nn:9000': ['http://nn:9870', 'http://nn2:9870']}
    >>> del os.environ[ADDRESSES]
    """
    pairs = filter(None, os.environ.get(ADDRESSES, '').split(';'))
    split = (pair.partition('=') for pair in pairs)
    return {authority: urls.split(',') for authority, _, urls in split}


def addresses_for_tasks(names: Iterable[str]) -> str:
    """Return the value of ADDRESSES with which tasks find the HDFS of all names."""
    config = settings()
    first = (
        [default_authority()]
        if config.get('fs.defaultFS', '').startswith('hdfs://')
        else []
    )
    others = [authority_of(name) for name in names if NAME.fullmatch(name)]
    return ';'.join(
        f'{name}={",".join(addresses().get(name) or web_addresses(name, config))}'
        for name in dict.fromkeys(first + others)
    )


def default_authority() -> str:
    """Return the authority of names that begin with `hdfs:///`."""
    if passed := addresses():
        return next(iter(passed))
    name = settings().get('fs.defaultFS', '')
    if not name.startswith('hdfs://'):
        raise UserError(
            'hdfs:///: no HDFS is configured on this machine; name its host, as in '
            'hdfs://HOST:PORT/…, or set HADOOP_CONF_DIR'
        )
    return NAME.fullmatch(name)[1]


def web_addresses(authority: str, config: dict[str, str]) -> list[str]:
    """Return the HTTP addresses of the NameNodes of an HDFS.

    >>> web_addresses('nn:9000', {})
    ['http://nn:9870']
    >>> config = {'dfs.ha.namenodes.ha': 'a,b', 'dfs.namenode.http-address.ha.a': 'x:1',
    ...     'dfs.namenode.http-address.ha.b': 'y:1'}
    >>> web_addresses('ha', config)
    ['http://x:1', 'http://y:1']
    """
    scheme = 'https' if config.get('dfs.http.policy') == 'HTTPS_ONLY' else 'http'
    key = f'dfs.namenode.{scheme}-address'
    if nodes := config.get(f'dfs.ha.namenodes.{authority}'):
        keys = [f'{key}.{authority}.{node.strip()}' for node in nodes.split(',')]
        return [f'{scheme}://{config[key]}' for key in keys if key in config]
    # The address in the configuration is that of the default HDFS, not of others.
    is_default = config.get('fs.defaultFS', '').rstrip('/') == f'hdfs://{authority}'
    host, _, port = (config.get(key, '') if is_default else '').rpartition(':')
    if host in ('', '0.0.0.0'):  # the NameNode listens on all interfaces
        host = authority.partition(':')[0]
    return [f'{scheme}://{host}:{port or PORTS[scheme]}']


@functools.lru_cache
def settings() -> dict[str, str]:
    """Return the properties of the Hadoop configuration of this machine, {} if none."""
    properties: dict[str, str] = {}
    for folder in filter(Path.is_dir, _folders()):
        for name in ('core-site.xml', 'hdfs-site.xml'):
            properties |= _properties(folder / name)
        break  # as Hadoop does: one folder, not a mix of several
    return properties


def _folders() -> Iterator[Path]:
    """Yield the possible folders of the configuration, in the order of precedence."""
    if folder := os.environ.get('HADOOP_CONF_DIR'):
        yield Path(folder)
    if home := os.environ.get('HADOOP_HOME'):
        yield Path(home, 'etc', 'hadoop')
    yield Path('/etc/hadoop/conf')
    if command := shutil.which('hadoop'):
        yield Path(command).resolve().parent.parent / 'etc' / 'hadoop'


def _properties(path: Path) -> dict[str, str]:
    try:
        elements = ET.parse(path).iter('property')
    except FileNotFoundError:
        return {}
    except ET.ParseError as error:
        raise UserError(f'{path}: not XML: {error}') from None
    return {e.findtext('name', ''): e.findtext('value', '') for e in elements}
