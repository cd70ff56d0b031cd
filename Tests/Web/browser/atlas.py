"""A map of an operator's own, as a PMTiles file of version 3: the whole world in one picture, at all levels to the tenth."""

import gzip
import json
import struct

from tiles import picture

DEEPEST = 10


def varint(number):
    part = b""
    while number >= 0x80:
        part += bytes((number & 0x7F | 0x80,))
        number >>= 7
    return part + bytes((number,))


def write(path):
    tile = picture()
    tiles = (4 ** (DEEPEST + 1) - 1) // 3
    # One entry: from the first tile on all show the same.
    root = gzip.compress(b"".join(map(varint, (1, 0, tiles, len(tile), 1))))
    metadata = gzip.compress(json.dumps({"attribution": '<a href="https://map.example/copyright">© Map contributors</a>'}).encode())
    places, end = [], 127
    for part in (root, metadata, b"", tile):
        places += [end, len(part)]
        end += len(part)
    header = b"PMTiles\x03" + struct.pack("<11Q", *places, tiles, 1, 1)
    header += struct.pack("<6B4iB2i", 1, 2, 1, 2, 0, DEEPEST, -1_800_000_000, -850_511_000, 1_800_000_000, 850_511_000, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(header + root + metadata + tile)
