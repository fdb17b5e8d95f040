"""Base class of stores that cannot be written to."""

from typing import NoReturn

from mr_reuse.errors import UserError
from mr_reuse.storage.base import Store


class ReadOnlyStore(Store):
    """A store of which the methods that write raise an error."""

    reason = ''  # follows the name in the error

    def put(self, path: str, name: str) -> None:
        self._refuse(name)

    def create(self, name: str, data: bytes) -> bool:
        self._refuse(name)

    def make_dir(self, name: str) -> None:
        self._refuse(name)

    def remove(self, name: str) -> None:
        self._refuse(name)

    def _refuse(self, name: str) -> NoReturn:
        raise UserError(f'{name}: {self.reason}')
