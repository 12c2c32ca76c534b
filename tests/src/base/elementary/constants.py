#!/usr/bin/env python3
"""Prints the constants of src/base/elementary. Computed from integers alone: a number x is the
integer nearest to x 2^1500. A pair is the nearest double and, as a double, what it leaves."""
from fractions import Fraction
from math import isqrt

ONE = 1 << 1500


def arc(p, q, sign):
    """atanh(p/q) for sign 1, atan(p/q) for sign -1: x + sign x^3/3 + x^5/5 + sign x^7/7 + ..."""
    power, total, k = ONE * abs(p) // q, 0, 1
    while power:
        total += sign ** (k // 2) * power // k
        power, k = power * p * p // (q * q), k + 2
    return total if p > 0 else -total


def nearest(x):
    return float(Fraction(x, ONE))


def rest(x, double):
    return x - int(Fraction(double) * ONE)


def pair(x):
    return [nearest(x), nearest(rest(x, nearest(x)))]


def parts(x, bits, count):
    """x in `count` parts of so many bits, and the rest."""
    out = []
    for _ in range(count):
        cut = x.bit_length() - bits
        out.append(nearest(x >> cut << cut))
        x = rest(x, out[-1])
    return out + [nearest(x)]


def show(name, doubles):
    print(f"{name:12}", ", ".join(x.hex() for x in doubles))


pi = 16 * arc(1, 5, -1) - 4 * arc(1, 239, -1)  # Machin
ln2 = 2 * arc(1, 3, 1)
show("pi/2", parts(pi // 2, 33, 3))
show("2 pi", pair(2 * pi))
show("2/pi", [nearest(2 * ONE * ONE // pi)])
show("ln2/16", parts(ln2 // 16, 36, 1))
show("16/ln2", [nearest(16 * ONE * ONE // ln2)])
for j in range(16):
    x = ONE << j
    for _ in range(4):
        x = isqrt(x * ONE)
    show(f"2^({j}/16)", pair(x))
digits = (2 * ONE * ONE // pi) >> (1500 - 37 * 32)
print("2/pi        ", ", ".join(f"0x{digits >> 32 * k & 0xFFFFFFFF:08x}" for k in reversed(range(37))))
