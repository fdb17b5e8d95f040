"""HDFS: which one is meant, and the best way to it."""

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

# In tasks, whose machines need not be configured: `AUTHORITY=URL,URL;…`, the first of
# them the one that `hdfs:///` means.
ADDRESSES = 'MR_REUSE_WEBHDFS'
PORTS = {'http': '9870', 'https': '9871'}
NAME = re.compile(r'hdfs://([^/]*)(/.*)?', re.DOTALL)


def store_for(name: str) -> Store:
    """The way to a file."""
    return _way_to(authority_of(name))


@functools.lru_cache
def _way_to(authority: str) -> Store:
    """WebHDFS if it answers, else the command."""
    known = addresses().get(authority) or web_addresses(authority, settings())
    store = WebHdfs(authority, known)
    if store.answers():
        return store
    try:
        hdfs_command.command()
    except UserError:
        raise UserError(
            f'hdfs://{authority}: WebHDFS does not answer at {", ".join(known)}, and '
            'there is no hadoop command here to do without it; check the name, or put '
            'the bin folder of Hadoop into PATH'
        ) from None
    return HadoopFs(authority)


def authority_of(name: str) -> str:
    """Which HDFS a name is on."""
    return NAME.fullmatch(name)[1] or default()


def addresses() -> dict[str, list[str]]:
    """What the driver tells its tasks.

    >>> os.environ[ADDRESSES] = 'nn:9000=http://nn:9870,http://nn2:9870'
    >>> addresses()
    {'nn:9000': ['http://nn:9870', 'http://nn2:9870']}
    >>> del os.environ[ADDRESSES]
    """
    pairs = filter(None, os.environ.get(ADDRESSES, '').split(';'))
    split = (pair.partition('=') for pair in pairs)
    return {authority: urls.split(',') for authority, _, urls in split}


def for_tasks(names: Iterable[str]) -> str:
    """What tasks have to be told to find the HDFS that some names are on."""
    known = settings()
    first = [default()] if known.get('fs.defaultFS', '').startswith('hdfs://') else []
    others = [authority_of(name) for name in names if NAME.fullmatch(name)]
    return ';'.join(
        f'{one}={",".join(addresses().get(one) or web_addresses(one, known))}'
        for one in dict.fromkeys(first + others)
    )


def default() -> str:
    """The authority that `hdfs:///` means."""
    if known := addresses():
        return next(iter(known))
    name = settings().get('fs.defaultFS', '')
    if not name.startswith('hdfs://'):
        raise UserError(
            'hdfs:///: no HDFS is configured on this machine; name its host, as in '
            'hdfs://HOST:PORT/…, or set HADOOP_CONF_DIR'
        )
    return NAME.fullmatch(name)[1]


def web_addresses(authority: str, known: dict[str, str]) -> list[str]:
    """Where the NameNodes of an HDFS speak HTTP.

    >>> web_addresses('nn:9000', {})
    ['http://nn:9870']
    >>> of_two = {'dfs.ha.namenodes.ha': 'a,b', 'dfs.namenode.http-address.ha.a': 'x:1',
    ...     'dfs.namenode.http-address.ha.b': 'y:1'}
    >>> web_addresses('ha', of_two)
    ['http://x:1', 'http://y:1']
    """
    scheme = 'https' if known.get('dfs.http.policy') == 'HTTPS_ONLY' else 'http'
    key = f'dfs.namenode.{scheme}-address'
    if nodes := known.get(f'dfs.ha.namenodes.{authority}'):
        all_of = [f'{key}.{authority}.{node.strip()}' for node in nodes.split(',')]
        return [f'{scheme}://{known[one]}' for one in all_of if one in known]
    is_ours = known.get('fs.defaultFS', '').rstrip('/') == f'hdfs://{authority}'
    host, _, port = (known.get(key, '') if is_ours else '').rpartition(':')
    if host in ('', '0.0.0.0'):
        host = authority.partition(':')[0]
    return [f'{scheme}://{host}:{port or PORTS[scheme]}']


@functools.lru_cache
def settings() -> dict[str, str]:
    """The properties of the Hadoop configuration of this machine, if there is one."""
    found: dict[str, str] = {}
    for folder in filter(Path.is_dir, _folders()):
        for name in ('core-site.xml', 'hdfs-site.xml'):
            found |= _properties(folder / name)
        break
    return found


def _folders() -> Iterator[Path]:
    """Where a configuration may lie; the first that is there counts."""
    if folder := os.environ.get('HADOOP_CONF_DIR'):
        yield Path(folder)
    if home := os.environ.get('HADOOP_HOME'):
        yield Path(home, 'etc', 'hadoop')
    yield Path('/etc/hadoop/conf')
    if command := shutil.which('hadoop'):
        yield Path(command).resolve().parent.parent / 'etc' / 'hadoop'


def _properties(path: Path) -> dict[str, str]:
    try:
        found = ET.parse(path).iter('property')
    except FileNotFoundError:
        return {}
    except ET.ParseError as error:
        raise UserError(f'{path}: no XML: {error}') from None
    return {p.findtext('name', ''): p.findtext('value', '') for p in found}
