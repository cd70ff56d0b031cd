@testable import Gateway

extension FuzzTarget {
    /// The file of an operator's map, which others have made.
    static let map = FuzzTarget(
        "map", bytes: MapSeeds.all,
        words: [
            "PMTiles\u{3}", "\0\0\0\0\0\0\0\0", "\u{7F}", "\u{1}\u{1}\u{2}", "\u{1F}\u{8B}\u{8}", #""attribution":""#,
            "<a href=\"https://",
        ]
    ) { bytes in
        let source = Watched(bytes)
        guard var archive = try? TileArchive(source) else { return }
        let header = archive.header
        try promise(header.zooms.upperBound <= TileAddress.deepest, "levels \(header.zooms)")
        try promise(
            header.bounds.west < header.bounds.east && header.bounds.south < header.bounds.north, "\(header.bounds)")
        for zoom in [0, 1, header.zooms.lowerBound, header.zooms.upperBound] {
            let last = (1 << zoom) - 1
            for (x, y) in [(0, 0), (last, 0), (last / 2, last), (last, last)] {
                guard let address = TileAddress(zoom: zoom, x: x, y: y), let found = try? archive.tile(at: address)
                else {
                    continue
                }
                try promise(found.bytes.count <= TileArchive.largestTile, "a tile of \(found.bytes.count) bytes")
                try promise(header.zooms.contains(zoom), "a tile of level \(zoom)")
                try promise(ImageType(magicOf: found.bytes) == found.type, "a tile of \(found.type)")
            }
        }
        if let metadata = try? archive.metadata() {
            try promise(metadata.count <= TileArchive.largestMetadata, "metadata of \(metadata.count) bytes")
            if let attribution = MapMetadata(metadata).attribution {
                try promise(!attribution.text.isEmpty && attribution.text.count <= 200, attribution.text)
                try promise(attribution.link?.hasPrefix("https://") != false, "\(attribution)")
            }
        }
    }
}

/// Bytes that are asked for within the file alone.
private struct Watched: TileSource {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var size: UInt64 { UInt64(bytes.count) }

    func read(_ part: TileFault.Part, at offset: UInt64, count: Int) throws(TileFault) -> [UInt8] {
        precondition(offset <= size && count >= 0 && UInt64(count) <= size - offset, "asks beyond the file's end")
        return Array(bytes[Int(offset)..<Int(offset) + count])
    }
}

/// Archives with a tile in the root directory, and with one in a directory behind it.
private enum MapSeeds {
    static let all = [
        archive(root: [1, 0, 1, 12, 1]), archive(root: [1, 0, 0, 5, 1], leaf: [1, 0, 1, 12, 1]),
        archive(root: [2, 0, 1, 0, 0, 5, 5, 1, 0], leaf: [1, 0, 1, 12, 1, 1, 1, 4, 12, 1]),
    ]

    private static func archive(root: [UInt8], leaf: [UInt8] = []) -> [UInt8] {
        let metadata = Array(#"{"attribution":"<a href=\"https://a.example\">A</a>"}"#.utf8)
        let tile: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0]
        var header = Array("PMTiles".utf8) + [3]
        var end = 127
        for part in [root, metadata, leaf, tile] {
            header += number(end) + number(part.count)
            end += part.count
        }
        header += number(1) + number(1) + number(1) + [1, 1, 1, 2, 0, 4]
        return header + [UInt8](repeating: 0, count: 127 - header.count) + root + metadata + leaf + tile
    }

    private static func number(_ value: Int) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
}
