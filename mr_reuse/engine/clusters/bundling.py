"""The bundle: an archive with the code of tasks and all packages it depends on.

It holds the packages that are installed beside this program, with their compiled parts,
so the nodes need only a Python of the same version.
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
NOT_ON_NODES = {'flask', 'jinja2', 'waitress'}  # of commands that start no job
MAX_CACHED = 4  # bundles in the cache: several versions may be in use
TAG = sys.implementation.cache_tag  # in names of compiled files, such as cpython-311
# Python ignores .pth files in folders of PYTHONPATH. From Python 3.12 on, mrjob needs
# one of them: it makes the distutils of setuptools importable.
SITE = b'import os, site\nsite.addsitedir(os.path.dirname(os.path.abspath(__file__)))\n'
# Files that no task reads, half of all bytes.
USELESS = re.compile(
    r'(^|/)(tests?|testing/tests|__pycache__/conftest[^/]*)/|\.pyi$|/include/'
    r'|^botocore/data/(?!(s3|sts|sso|sso-oidc)/|[^/]+$)|^(pip|pkg_resources)/'
)


def list_files() -> dict[str, Path]:
    """List the files of the bundle: the path of each, by its name in the bundle."""
    paths = {}
    for name in sorted(needed_packages()):
        for member, path in _files_of(distribution(name)):
            paths[member] = path
    for path in PACKAGE.rglob('*'):
        if path.is_file():
            paths[str(PurePosixPath('mr_reuse', path.relative_to(PACKAGE)))] = path
    return {name: path for name, path in sorted(paths.items()) if _is_useful(name)}


def needed_packages() -> set[str]:
    """List the packages that tasks depend on, directly or indirectly."""
    packages: set[str] = set()
    todo = ['mr_reuse']
    while todo:
        for line in _requirements(todo.pop()):
            requirement = Requirement(line)
            marker = requirement.marker
            applies = not marker or marker.evaluate({'extra': ''})
            if applies and requirement.name not in packages | NOT_ON_NODES:
                packages.add(requirement.name)
                todo.append(requirement.name)
    return packages


def _requirements(name: str) -> list[str]:
    try:
        return distribution(name).requires or []
    except PackageNotFoundError:
        raise UserError(
            f'{name}: not installed as a package, so it cannot be sent to the nodes; '
            'install mr_reuse with pip'
        ) from None


def _files_of(package: Distribution) -> Iterator[tuple[str, Path]]:
    for file in package.files or []:
        # Scripts in `bin` are outside of the folder of packages.
        if '..' not in file.parts and not PurePosixPath(file).is_absolute():
            path = Path(package.locate_file(file))
            if path.is_file():
                yield str(PurePosixPath(*file.parts)), path


def _is_useful(name: str) -> bool:
    """Return whether tasks may need a file.

    >>> _is_useful('numpy/core/x.py'), _is_useful('numpy/core/tests/test_x.py')
    (True, False)
    >>> _is_useful('botocore/data/s3/x.json'), _is_useful('botocore/data/rds/x.json')
    (True, False)
    """
    if name.endswith('.pyc') and f'.{TAG}.' not in name:
        return False
    return not USELESS.search(name)


def digest_files(paths: dict[str, Path]) -> str:
    """Compute a digest of the names, sizes and times of the files of a bundle.

    Their content, more than 100 MB, is not read: installing a package changes times.
    """
    stats = {name: path.stat() for name, path in paths.items()}
    files = [[name, s.st_size, s.st_mtime_ns] for name, s in stats.items()]
    text = json.dumps([TAG, sysconfig.get_platform(), files])
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def cached_bundle() -> str:
    """Return the path of a bundle of the installed packages; write it if necessary."""
    paths = list_files()
    cache = os.environ.get('XDG_CACHE_HOME') or Path.home() / '.cache'
    folder = Path(cache, 'mr_reuse')
    bundle = folder / f'mr_reuse-{TAG}-{digest_files(paths)}.tar.gz'
    if not bundle.exists():
        folder.mkdir(parents=True, exist_ok=True)
        write_bundle(paths, str(bundle))
        bundles = sorted(folder.glob('mr_reuse-*'), key=lambda p: p.stat().st_mtime)
        for old in bundles[:-MAX_CACHED]:
            old.unlink(missing_ok=True)
    return str(bundle)


def write_bundle(paths: dict[str, Path], name: str) -> None:
    """Write a bundle. Owners of the files are left out."""
    with (
        storage.write(name) as stream,
        tarfile.open(fileobj=stream, mode='w:gz', compresslevel=6) as tar,
    ):
        for member, path in paths.items():
            info = tar.gettarinfo(path, member)
            # Times stay: Python uses a .pyc only if it names the time of its source.
            info.uid = info.gid = 0
            info.uname = info.gname = ''
            with path.open('rb') as data:
                tar.addfile(info, data)
        info = tarfile.TarInfo('sitecustomize.py')
        info.size, info.mode = len(SITE), 0o644
        tar.addfile(info, io.BytesIO(SITE))
