"""Flatten a kernel's arguments for C: arrays, ints, and named tuples of these.

A NamedTuple groups related arguments, so that a kernel has few parameters. In C each of its fields
is a parameter, and a generated function rebuilds the tuple. That costs nothing, since the kernel is
inlined into this function.
"""

import ctypes
import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeGuard, get_args, get_type_hints

import numpy as np


class Field(NamedTuple):
    """An array, or an int if it has no dtype."""

    name: str
    dtype: "np.dtype[Any] | None"
    dimensions: int


class Parameter(NamedTuple):
    """A parameter of a kernel and its C fields: one, or those of its tuple."""

    name: str
    group: type[tuple[Any, ...]] | None
    fields: tuple[Field, ...]


def parameters(function: Callable[..., int], instead: dict[str, Any]) -> list[Parameter]:
    """Return a kernel's parameters; types in `instead` override its annotations."""
    hints = get_type_hints(function, include_extras=True) | instead
    hints.pop("return")
    found = []
    for name, hint in hints.items():
        if is_group(hint):
            own = get_type_hints(hint, include_extras=True)
            fields = tuple(_field(f"{name}.{each}", kind) for each, kind in own.items())
            found.append(Parameter(name, hint, fields))
        else:
            found.append(Parameter(name, None, (_field(name, hint),)))
    return found


def is_group(value: object) -> TypeGuard[type[tuple[Any, ...]]]:
    """Whether `value` is a NamedTuple class."""
    return inspect.isclass(value) and issubclass(value, tuple) and hasattr(value, "_fields")


def field_names(group: type[tuple[Any, ...]]) -> tuple[str, ...]:
    """Return the names of a NamedTuple's fields, in order."""
    return tuple(get_type_hints(group))


def _field(name: str, hint: Any) -> Field:
    if hint is int:
        return Field(name, None, 0)
    try:
        dtype, dimensions = get_args(hint)[1:]
    except ValueError:
        raise TypeError(
            f"{name} is neither int nor an array type of wordpack.compiled.jit: "
            "a kernel takes these, and NamedTuples of these"
        ) from None
    return Field(name, np.dtype(dtype), dimensions)


def flat_types(some: Iterable[Parameter]) -> list[Any]:
    """Return the C types of the parameters: an array is an address and its lengths."""
    types: list[Any] = []
    for parameter in some:
        for field in parameter.fields:
            types.append(ctypes.c_void_p if field.dtype else ctypes.c_int64)
            types += [ctypes.c_int64] * field.dimensions
    return types


def flatten(some: Sequence[Parameter], arguments: Sequence[Any]) -> list[int]:
    """Return the addresses, lengths and ints to pass to C; TypeError for a wrong array."""
    flat: list[int] = []
    for argument, parameter in zip(arguments, some, strict=True):
        values = (argument,)
        if parameter.group:
            if type(argument) is not parameter.group:
                name = parameter.group.__name__
                raise TypeError(f"{parameter.name} must be a {name}, not {type(argument).__name__}")
            values = argument
        for value, (name, dtype, dimensions) in zip(values, parameter.fields, strict=True):
            if dtype is None:
                flat.append(int(value))
                continue
            flags = value.flags
            if value.dtype != dtype or value.ndim != dimensions or not flags.c_contiguous:
                raise TypeError(
                    f"{name} must be a C-contiguous {dtype} array of {dimensions}-d, "
                    f"not {_described(value)}"
                )
            # ctypes reads a buffer's address in half a microsecond, numpy in a whole one
            if value.size and flags.writeable:
                flat.append(ctypes.addressof(ctypes.c_char.from_buffer(value)))
            else:
                flat.append(value.__array_interface__["data"][0])
            flat += value.shape
    return flat


def _described(value: Any) -> str:
    strided = "" if value.flags.c_contiguous else "strided "
    return f"a {strided}{value.dtype} array of {value.ndim}-d"


def entry_source(some: Iterable[Parameter]) -> str:
    """Return Python source of a function that rebuilds arrays and tuples, and calls `kernel`.

    It uses the names kernel, carray, and group0, group1, ... for the class of parameter 0, 1, ...
    """
    flat, grouped = [], []
    for i, parameter in enumerate(some):
        own = []
        for j, field in enumerate(parameter.fields):
            name = f"a{i}_{j}"
            shape = [f"{name}_{d}" for d in range(field.dimensions)]
            flat += [name, *shape]
            own.append(f"carray({name}, ({', '.join(shape)},))" if shape else name)
        grouped.append(f"group{i}({', '.join(own)})" if parameter.group else own[0])
    return f"def entry({', '.join(flat)}):\n    return kernel({', '.join(grouped)})\n"
