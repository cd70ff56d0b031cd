import Foundation

@testable import Gateway

/// An archive that `pmtiles` 3.8.1 for Python wrote, with directories of four entries: pictures of one pixel at levels 0 to 3, without the tile
/// 2/0/3 and, at level 3, with the north-east alone. 0/0/0, level 1, 2/2/1, 3/5/3 and 3/4/2 have shades of their own, all others the sea's.
enum WrittenArchive {
    static let bytes = decoded(
        """
        UE1UaWxlcwN/AAAAAAAAACIAAAAAAAAAoQAAAAAAAACTAAAAAAAAADQBAAAAAAAAiwAAAAAAAAC/AQAAAAAAABgCAAAAAAAAJAAAAAAAAAAOAAAA
        AAAAAAgAAAAAAAAAAQIBAgADAAAAAGg7Ts0A0klrmMSxMgEAAAAAAAAAAB+LCAAAAAAAAgNjYWDht2AAAnk1dXlGIA0APEQmchEAAAAfiwgAAAAA
        AAIDZYw9CwIxEET/yrLFVYfp784rtLazDMjmWC/BywfJCor4300QbOyGmTfvhYE84wB45iLYA5JIduYuLoZWTwQ283Wv0YqkMijlKe34QT5trJaY
        ntmtVjSCUF5ZKngxG4Wbxrlr8wgnSgBLDF9vzGVSNPfwbzY/bz0foKt5hGOj8f0B2N+y5KkAAAAfiwgAAAAAAAIDY2FghABnIGBkYGAAAG9OxR0R
        AAAAH4sIAAAAAAACA2NhYWRjZ2RlZ3QGgnbGXqZeJgYAuRMiAhQAAAAfiwgAAAAAAAIDYxE2YmFkYmFkdAaCXqZepsnMvUwAdDOxTBUAAAAfiwgA
        AAAAAAIDY/JmZOR0dr7G3MsEABkgPewLAAAAiVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAA
        AABJRU5ErkJggolQTkcNChoKAAAADUlIRFIAAAABAAAAAQgAAAAAOn6bVQAAAApJREFUeJxj4AIAAAwAC2c6K5wAAAAASUVORK5CYIKJUE5HDQoa
        CgAAAA1JSERSAAAAAQAAAAEIAAAAADp+m1UAAAAKSURBVHicY+AGAAANAAxjDZYeAAAAAElFTkSuQmCCiVBORw0KGgoAAAANSUhEUgAAAAEAAAAB
        CAAAAAA6fptVAAAACklEQVR4nGPgAQAADgANC0koaQAAAABJRU5ErkJggolQTkcNChoKAAAADUlIRFIAAAABAAAAAQgAAAAAOn6bVQAAAApJREFU
        eJxjOAEAAMoAyZnKXX4AAAAASUVORK5CYIKJUE5HDQoaCgAAAA1JSERSAAAAAQAAAAEIAAAAADp+m1UAAAAKSURBVHicYxAHAAAZABjN2qCzAAAA
        AElFTkSuQmCCiVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNQAwAAKAAngY81RgAAAABJRU5ErkJggolQTkcNChoK
        AAAADUlIRFIAAAABAAAAAQgAAAAAOn6bVQAAAApJREFUeJxjUAEAACYAJSjX2GsAAAAASUVORK5CYII=
        """)
    static let sea = decoded(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGM4AQAAygDJmcpdfgAAAABJRU5ErkJggg==")
    /// The shade of 3/5/3.
    static let pond = decoded(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNQAwAAKAAngY81RgAAAABJRU5ErkJggg==")

    static func decoded(_ text: String) -> [UInt8] {
        Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(Array.init) ?? []
    }
}

/// An archive in memory.
struct MemoryTiles: TileSource {
    let bytes: [UInt8]

    var size: UInt64 { UInt64(bytes.count) }

    func read(_ part: TileFault.Part, at offset: UInt64, count: Int) throws(TileFault) -> [UInt8] {
        guard offset <= size, UInt64(count) <= size - offset else { throw .cutOff(part) }
        return Array(bytes[Int(offset)..<Int(offset) + count])
    }
}

/// Writes archives without compression, with whatever numbers a test wants.
struct ArchiveWriter {
    var root: [UInt8] = []
    var metadata = Array(#"{"attribution":"© Map contributors"}"#.utf8)
    var leaves: [UInt8] = []
    var tiles = WrittenArchive.sea
    var internalCompression: UInt8 = 1
    var tileCompression: UInt8 = 1
    var type: UInt8 = 2
    var zooms: (UInt8, UInt8) = (0, 3)
    /// West, south, east and north.
    var bounds: [Int32] = [160_000_000, 480_000_000, 170_000_000, 490_000_000]
    var version: UInt8 = 3

    var bytes: [UInt8] {
        var places: [UInt64] = []
        var end = UInt64(TileHeader.length)
        for part in [root, metadata, leaves, tiles] {
            places += [end, UInt64(part.count)]
            end += UInt64(part.count)
        }
        var header = Array("PMTiles".utf8) + [version]
        for number in places + [1, 1, 1] { header += Self.littleEndian(number) }
        header += [1, internalCompression, tileCompression, type, zooms.0, zooms.1]
        for number in bounds { header += Self.littleEndian(UInt64(UInt32(bitPattern: number))).prefix(4) }
        header += [UInt8](repeating: 0, count: TileHeader.length - header.count)
        return header + root + metadata + leaves + tiles
    }

    /// Entries as (tile, run, length, offset).
    static func directory(_ entries: [(UInt64, UInt64, UInt64, UInt64)]) -> [UInt8] {
        var bytes = varint(UInt64(entries.count))
        var last: UInt64 = 0
        for (tile, _, _, _) in entries {
            bytes += varint(tile &- last)
            last = tile
        }
        for (_, run, _, _) in entries { bytes += varint(run) }
        for (_, _, length, _) in entries { bytes += varint(length) }
        for (_, _, _, offset) in entries { bytes += varint(offset &+ 1) }
        return bytes
    }

    static func varint(_ number: UInt64) -> [UInt8] {
        var (rest, bytes) = (number, [UInt8]())
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    private static func littleEndian(_ number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
