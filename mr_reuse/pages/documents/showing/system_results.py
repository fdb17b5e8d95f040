"""The results of a system in a finished run: its options, its tables, its steps."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from mr_reuse import storage
from mr_reuse.engine import step_output
from mr_reuse.engine.record import RunRecord
from mr_reuse.engine.run_steps import RunStep
from mr_reuse.errors import UserError
from mr_reuse.messages import command_line
from mr_reuse.storage import naming
from mr_reuse.tables import table_files
from mr_reuse.tables.schema import Table

Options = TypeVar('Options')


class SystemResults:
    """The results of a system, which the command of its name makes."""

    def __init__(self, run: str, record: RunRecord, system: str):
        if system not in record.systems:
            command = command_line(system, '-o', run)
            raise UserError(f'{run}: has no {system}; to find them, run {command}')
        self._run, self._system = run, system
        self._results = record.systems[system]

    def read_options(self, read: Callable[[Mapping[str, Any]], Options]) -> Options:
        """Read some of the recorded options. Raises UserError if they are damaged."""
        try:
            return read(self._results['options'])
        except (KeyError, TypeError, ValueError, ZeroDivisionError):
            why = f'its record has no valid options of {self._system}'
            raise UserError(f'{self._run}: {why}; {self._remedy}') from None

    def rows(self, table: Table) -> Iterator[Any]:
        """Yield the rows of a table."""
        name = naming.join(self._run, table.file)
        if not storage.exists(name):
            raise UserError(f'{name}: missing; {self._remedy}')
        return table_files.read_rows(self._run, table)

    def has_step(self, step: RunStep) -> bool:
        """Test whether a step has run. Some are not needed for each input."""
        return step.folder in self._results['steps']

    def parts(self, step: RunStep) -> list[str]:
        """Return the part files of a step."""
        finished = self._results['steps'].get(step.folder)
        if not finished or not storage.is_dir(finished['output']):
            name = finished['output'] if finished else step.folder
            raise UserError(f'{name}: missing; {self._remedy}')
        return step_output.list_sound_parts(finished['output'])

    @property
    def _remedy(self) -> str:
        return f'run {self._system} again'
