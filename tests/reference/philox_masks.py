#!/usr/bin/env python3
"""Prints the masked positions of four rows of 16 for seed 1234, from the published definition of Philox4x32-10.

The numbers stand in tests/runtime/noise.rs (`GOLDEN`). Counter: (position // 4, purpose, low and high half of the
sample index); key: the seed. Purposes: 0 time, 1 mask, 2 rescue. Needs nothing but Python.
"""

M = 0xFFFFFFFF


def philox(counter, key):
    c, k = list(counter), list(key)
    for _ in range(10):
        p0, p1 = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(p1 >> 32) ^ c[1] ^ k[0], p1 & M, (p0 >> 32) ^ c[3] ^ k[1], p0 & M]
        k = [(k[0] + 0x9E3779B9) & M, (k[1] + 0xBB67AE85) & M]
    return c


def word(seed, purpose, sample, position):
    return philox([position // 4, purpose, sample & M, sample >> 32], [seed & M, seed >> 32])[position % 4]


def row(seed, sample, length):
    time = word(seed, 0, sample, 0)
    masked = [i for i in range(length) if word(seed, 1, sample, i) < time]
    if not masked:
        wide = word(seed, 2, sample, 0) << 32 | word(seed, 2, sample, 1)
        masked = [wide * length >> 64]
    return masked


if __name__ == "__main__":
    assert philox([0] * 4, [0] * 2) == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    assert philox([M] * 4, [M] * 2) == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]
    for sample in range(4):
        print(row(1234, sample, 16))
