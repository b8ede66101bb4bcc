"""Machine instructions that Python lacks, as functions that a kernel may call.

Each function is a plain Python definition. In a kernel it is replaced by the LLVM code from
`generators`, which works on every processor.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

LANES = 8
"""Numbers of 64 bits that `without` takes at a time: a register of AVX-512, four of NEON."""

BYTES = 64
"""Bytes that `equal` compares at a time: a register of AVX-512, four of NEON."""

Numbers = npt.NDArray[np.uint64]
Table = npt.NDArray[np.uint64]


def lowest(bits: np.uint64) -> int:
    """Return the position of the lowest set bit of `bits`, which is not 0."""
    return (int(bits) & -int(bits)).bit_length() - 1


def ones(bits: np.uint64) -> int:
    """Return how many bits of `bits` are set."""
    return int(bits).bit_count()


def take(cell: npt.NDArray[np.int64], n: int) -> int:
    """Atomically add `n` to cell[0] and return its previous value."""
    before = int(cell[0])
    cell[0] += n
    return before


def equal(text: npt.NDArray[np.uint8], at: int, byte: int) -> int:
    """Return which of text[at:at+64] equal `byte`, as bits; the last is the sign bit."""
    return sum(1 << i for i in range(BYTES) if text[at + i] == byte) - (
        (1 << BYTES) if text[at + BYTES - 1] == byte else 0
    )


def below(text: npt.NDArray[np.uint8], at: int, byte: int) -> int:
    """Return which of text[at:at+64] are less than `byte`, as bits, like `equal`."""
    return sum(1 << i for i in range(BYTES) if text[at + i] < byte) - (
        (1 << BYTES) if text[at + BYTES - 1] < byte else 0
    )


def without(numbers: Numbers, rows: Table, bits: np.uint64, at: int, left: Table, to: int) -> int:
    """Write left[to] = numbers[at:at+8] less rows[b, at:at+8] for each bit b of `bits`.

    `left` has eight columns. Returns which of the eight numbers are not 0, one bit for each.
    """
    kept = numbers[at : at + LANES].copy()
    for b in range(64):
        if int(bits) >> b & 1:
            kept &= ~rows[b, at : at + LANES]
    left[to] = kept
    return sum(1 << lane for lane in range(LANES) if kept[lane])


def generators(numba: Any) -> dict[Callable[..., int], Callable[..., Any]]:
    """Return, for each function above, the function from which numba makes its intrinsic."""
    int64, uint64 = numba.types.int64, numba.types.uint64

    def _lowest(_context: Any, _bits: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], numba.core.cgutils.true_bit)

        return int64(uint64), generate

    def _ones(_context: Any, _bits: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return int64(uint64), generate

    def _take(_context: Any, cell: Any, _n: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            return builder.atomic_rmw("add", array.data, arguments[1], "monotonic")

        return int64(cell, int64), generate

    def _without(
        _context: Any, numbers: Any, rows: Any, _bits: Any, _at: Any, left: Any, _to: Any
    ) -> Any:
        return int64(numbers, rows, uint64, int64, left, int64), _eight_at_once

    return {
        lowest: _lowest,
        ones: _ones,
        take: _take,
        equal: _bytes_that("==", int64),
        below: _bytes_that("<", int64),
        without: _without,
    }


def _bytes_that(comparison: str, int64: Any) -> Callable[..., Any]:
    """Return the source of an intrinsic that compares BYTES bytes with one byte, giving bits."""

    def intrinsic(_context: Any, text: Any, _at: Any, _byte: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            from llvmlite import ir

            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            vector = ir.VectorType(ir.IntType(8), BYTES)
            place = builder.bitcast(builder.gep(array.data, [arguments[1]]), vector.as_pointer())
            byte = builder.trunc(arguments[2], ir.IntType(8))
            one = builder.insert_element(ir.Constant(vector, ir.Undefined), byte, ir.IntType(32)(0))
            zeros = ir.Constant(ir.VectorType(ir.IntType(32), BYTES), [0] * BYTES)
            all_alike = builder.shuffle_vector(one, one, zeros)
            found = builder.load(place, align=1)
            word = ir.IntType(64)
            bits = builder.bitcast(builder.icmp_unsigned(comparison, found, all_alike), word)
            # no instruction: LLVM would turn `a & ~b` of two results into 64 inserts of a bit
            opaque = ir.InlineAsm(ir.FunctionType(word, [word]), "", "=r,0")
            return builder.call(opaque, [bits])

        return int64(text, int64, int64), generate

    return intrinsic


def _eight_at_once(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Emit `without` on one vector: a loop over the bits, the eight numbers in a register."""
    from llvmlite import ir

    word = ir.IntType(64)
    vector = ir.VectorType(word, LANES)
    _, _, bits, at, _, to = arguments
    numbers, rows, target = (
        context.make_array(signature.args[i])(context, builder, arguments[i]) for i in (0, 1, 4)
    )
    width = builder.extract_value(rows.shape, 1)

    def eight(array: Any, place: Any) -> Any:
        return builder.bitcast(builder.gep(array.data, [place]), vector.as_pointer())

    whole = builder.load(eight(numbers, at), align=8)
    before = builder.block
    loop, body, end = (builder.append_basic_block(name) for name in ("loop", "body", "end"))
    builder.branch(loop)
    builder.position_at_end(loop)
    kept, left = builder.phi(vector), builder.phi(word)
    builder.cbranch(builder.icmp_unsigned("!=", left, word(0)), body, end)
    builder.position_at_end(body)
    bit = builder.cttz(left, ir.IntType(1)(1))
    row = builder.load(eight(rows, builder.add(builder.mul(bit, width), at)), align=8)
    fewer = builder.and_(kept, builder.not_(row))
    rest = builder.and_(left, builder.sub(left, word(1)))
    builder.branch(loop)
    for phi, first, later in ((kept, whole, fewer), (left, bits, rest)):
        phi.add_incoming(first, before)
        phi.add_incoming(later, body)
    builder.position_at_end(end)
    builder.store(kept, eight(target, builder.mul(to, word(LANES))), align=8)
    some = builder.icmp_unsigned("!=", kept, ir.Constant(vector, [0] * LANES))
    return builder.zext(builder.bitcast(some, ir.IntType(LANES)), word)
