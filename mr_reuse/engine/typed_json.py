"""Typed records of JSON objects. Each field of a record is a key of the object.

Keys that this version does not know are kept when a record is written again.
"""

import contextlib
import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import NoneType, UnionType
from typing import Any, ClassVar, get_args, get_origin, get_type_hints

Json = dict[str, Any]


class DamagedError(ValueError):
    """A record that lacks a key, or has a value of another type; names the key."""


@dataclass(frozen=True, kw_only=True)
class JsonRecord:
    """A JSON object. A field that is None is not in the JSON.

    If the key of a field differs from its name, its metadata has the `key`.
    """

    NO_KEYS: ClassVar[Collection[str]] = {'unknown'}  # fields that are no keys
    unknown: Json = field(default_factory=dict)  # keys that other versions wrote

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Any:
        """Make a record. Raises DamagedError for a key that is missing or wrong."""
        hints, values, unknown = get_type_hints(cls), {}, dict(data)
        for item in cls.json_fields():
            key = key_of(item)
            if key in data:
                try:
                    values[item.name] = parse_value(hints[item.name], unknown.pop(key))
                except ValueError:
                    raise DamagedError(key) from None
            elif item.default is item.default_factory is dataclasses.MISSING:
                raise DamagedError(key)
        return cls(**values, unknown=unknown)

    @classmethod
    def json_fields(cls) -> list[dataclasses.Field]:
        """Return the fields that are keys of the JSON."""
        return [f for f in dataclasses.fields(cls) if f.name not in cls.NO_KEYS]

    def to_json(self) -> Json:
        """Return the JSON object, with the keys that other versions wrote."""
        values = {key_of(f): getattr(self, f.name) for f in self.json_fields()}
        known = {key: format_value(v) for key, v in values.items() if v is not None}
        return self.unknown | known


def key_of(item: dataclasses.Field) -> str:
    """Return the JSON key of a field."""
    return item.metadata.get('key', item.name)


def parse_value(hint: Any, value: Any) -> Any:
    """Convert a value of JSON to the type of a field. Raises ValueError if it cannot.

    >>> parse_value(list[str] | None, ['a']), parse_value(dict[str, int], {'b': 2})
    (['a'], {'b': 2})
    >>> parse_value(dict[str, float] | str, {'a': 1})
    {'a': 1}
    """
    if hint is Any or (hint is float and type(value) is int):
        return value
    kind, args = get_origin(hint) or hint, get_args(hint)
    if kind is UnionType:
        return _parse_union(args, value)
    is_record = issubclass(kind, JsonRecord)
    # The exact type: `isinstance` would take True for a number.
    if type(value) is not (dict if is_record or kind is Mapping else kind):
        raise ValueError(value)
    if is_record:
        return kind.from_json(value)
    if kind is list:
        return [parse_value(args[0], v) for v in value]
    if kind in (dict, Mapping):
        return {k: parse_value(args[1], v) for k, v in value.items()}
    return value


def _parse_union(hints: tuple[Any, ...], value: Any) -> Any:
    """Convert a value to the first of several types that it fits."""
    if value is None and NoneType in hints:
        return None
    *others, last = (hint for hint in hints if hint is not NoneType)
    for hint in others:
        with contextlib.suppress(ValueError):
            return parse_value(hint, value)
    return parse_value(last, value)


def format_value(value: Any) -> Any:
    """Convert the value of a field to a value of JSON."""
    if isinstance(value, JsonRecord):
        return value.to_json()
    if isinstance(value, dict):
        return {k: format_value(v) for k, v in value.items()}
    return value
