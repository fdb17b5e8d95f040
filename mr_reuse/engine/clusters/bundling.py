"""The code that tasks need, with all it depends on, in one archive for the nodes.

It holds what is installed beside this program, compiled parts included, so the nodes
need nothing but a Python of the same version.
"""

import hashlib
import io
import json
import os
import re
import sys
import sysconfig
import tarfile
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path, PurePosixPath

from packaging.requirements import Requirement

from mr_reuse import storage
from mr_reuse.errors import UserError

PACKAGE = Path(__file__).parents[2]
AT_HOME = {'flask', 'jinja2', 'waitress'}  # of commands that send nobody anything
KEPT = 4  # bundles, of several versions that are in use at a time
TAG = sys.implementation.cache_tag  # of compiled files, such as cpython-311
# Folders named in PYTHONPATH are no places for .pth files; on Python 3.12 and above
# setuptools' stand-in for distutils, which mrjob imports, comes by one.
SITE = b'import os, site\nsite.addsitedir(os.path.dirname(os.path.abspath(__file__)))\n'
# Half of all bytes, and no task ever looks at them.
USELESS = re.compile(
    r'(^|/)(tests?|testing/tests|__pycache__/conftest[^/]*)/|\.pyi$|/include/'
    r'|^botocore/data/(?!(s3|sts|sso|sso-oidc)/|[^/]+$)|^(pip|pkg_resources)/'
)


def files() -> dict[str, Path]:
    """All files of the bundle: the name in it, and where it is now."""
    found = {}
    for name in sorted(needed()):
        for inside, path in _files_of(distribution(name)):
            found[inside] = path
    for path in PACKAGE.rglob('*'):
        if path.is_file():
            found[str(PurePosixPath('mr_reuse', path.relative_to(PACKAGE)))] = path
    return {name: path for name, path in sorted(found.items()) if _is_useful(name)}


def needed() -> set[str]:
    """The packages that tasks depend on, and those that they depend on."""
    found: set[str] = set()
    todo = ['mr_reuse']
    while todo:
        for line in _requirements(todo.pop()):
            asked = Requirement(line)
            wanted = not asked.marker or asked.marker.evaluate({'extra': ''})
            if wanted and asked.name not in found | AT_HOME:
                found.add(asked.name)
                todo.append(asked.name)
    return found


def _requirements(name: str) -> list[str]:
    try:
        return distribution(name).requires or []
    except PackageNotFoundError:
        raise UserError(
            f'{name}: not installed here, so it cannot be sent to the nodes; '
            'install mr_reuse with pip'
        ) from None


def _files_of(found: Distribution) -> Iterator[tuple[str, Path]]:
    for file in found.files or []:
        if '..' not in file.parts and not PurePosixPath(file).is_absolute():
            path = Path(found.locate_file(file))
            if path.is_file():
                yield str(PurePosixPath(*file.parts)), path


def _is_useful(name: str) -> bool:
    """Whether tasks may need a file.

    >>> _is_useful('numpy/core/x.py'), _is_useful('numpy/core/tests/test_x.py')
    (True, False)
    >>> _is_useful('botocore/data/s3/x.json'), _is_useful('botocore/data/rds/x.json')
    (True, False)
    """
    if name.endswith('.pyc') and f'.{TAG}.' not in name:
        return False
    return not USELESS.search(name)


def digest(found: dict[str, Path]) -> str:
    """What tells two bundles apart."""
    stats = {name: path.stat() for name, path in found.items()}
    told = [[name, s.st_size, s.st_mtime_ns] for name, s in stats.items()]
    text = json.dumps([TAG, sysconfig.get_platform(), told])
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def cached() -> str:
    """The path of a bundle of what is installed now; made if there is none yet."""
    found = files()
    cache = os.environ.get('XDG_CACHE_HOME') or Path.home() / '.cache'
    folder = Path(cache, 'mr_reuse')
    path = folder / f'mr_reuse-{TAG}-{digest(found)}.tar.gz'
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        write(found, str(path))
        of_all = sorted(folder.glob('mr_reuse-*'), key=lambda one: one.stat().st_mtime)
        for old in of_all[:-KEPT]:
            old.unlink(missing_ok=True)
    return str(path)


def write(found: dict[str, Path], name: str) -> None:
    """Write the archive, which is the same for the same files."""
    with (
        storage.write(name) as stream,
        tarfile.open(fileobj=stream, mode='w:gz', compresslevel=6) as tar,
    ):
        for inside, path in found.items():
            info = tar.gettarinfo(path, inside)
            # Compiled files are believed by the time of their source, so that stays.
            info.uid = info.gid = 0
            info.uname = info.gname = ''
            with path.open('rb') as data:
                tar.addfile(info, data)
        info = tarfile.TarInfo('sitecustomize.py')
        info.size, info.mode = len(SITE), 0o644
        tar.addfile(info, io.BytesIO(SITE))
