/// A directory of a PMTiles archive: where tiles are, or the directories that know (PMTiles version 3, section 4).
struct TileDirectory: Sendable {
    struct Entry: Hashable, Sendable {
        /// The number of the first tile that it is about.
        fileprivate(set) var first: UInt64
        /// The tiles in a row that show the same; 0 for a further directory, about all tiles until the next entry.
        fileprivate(set) var run: UInt32 = 0
        /// In bytes, more than none.
        fileprivate(set) var length: UInt32 = 0
        /// From the beginning of the tiles, or of the further directories.
        fileprivate(set) var offset: UInt64 = 0

        var isDirectory: Bool { run == 0 }
    }

    /// Writers make directories of some thousand entries.
    static let mostEntries = 131_072

    let entries: [Entry]

    /// - Parameter bytes: The directory, no more compressed.
    init(_ bytes: [UInt8]) throws(TileFault) {
        var reader = VarintReader(bytes)
        let count = try reader.next()
        // An entry takes four bytes at least, so that no promise of many takes memory.
        guard count <= UInt64(Self.mostEntries) else { throw .tooLarge(.directory) }
        guard count <= UInt64(bytes.count / 4) else { throw .broken(.directory) }
        var entries: [Entry] = []
        entries.reserveCapacity(Int(count))
        for index in 0..<Int(count) {
            let step = try reader.next()
            let (first, isBeyond) = (entries.last?.first ?? 0).addingReportingOverflow(step)
            guard !isBeyond, index == 0 || step > 0 else { throw .broken(.directory) }
            entries.append(Entry(first: first))
        }
        for index in entries.indices { entries[index].run = try reader.number() }
        for index in entries.indices {
            entries[index].length = try reader.number()
            guard entries[index].length > 0 else { throw .broken(.directory) }
        }
        var end: UInt64 = 0
        for index in entries.indices {
            let told = try reader.next()
            // 0: where the entry before it ends.
            guard told > 0 || index > 0 else { throw .broken(.directory) }
            entries[index].offset = told > 0 ? told - 1 : end
            let (next, isBeyond) = entries[index].offset.addingReportingOverflow(UInt64(entries[index].length))
            guard !isBeyond else { throw .broken(.directory) }
            end = next
        }
        guard reader.isAtEnd else { throw .broken(.directory) }
        self.entries = entries
    }

    /// The entry of a tile, or of the directory that knows it; nil where there is no such tile.
    func entry(of tile: UInt64) -> Entry? {
        // The last entry that begins at the tile or before it.
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].first <= tile { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        let entry = entries[low - 1]
        return entry.isDirectory || tile - entry.first < UInt64(entry.run) ? entry : nil
    }
}

/// Numbers of seven bits a byte, the lowest first; the eighth bit says that more follow.
struct VarintReader {
    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    /// - Throws: `TileFault.broken` at the end of the bytes, and for a number beyond 64 bits.
    mutating func next() throws(TileFault) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0 as UInt64, through: 63, by: 7) {
            guard place < bytes.count else { throw .broken(.directory) }
            let byte = bytes[place]
            place += 1
            guard shift < 63 || byte <= 1 else { throw .broken(.directory) }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
        }
        throw .broken(.directory)
    }

    /// - Throws: `TileFault.broken` as `next`, and for a number beyond 32 bits.
    mutating func number() throws(TileFault) -> UInt32 {
        guard let number = UInt32(exactly: try next()) else { throw .broken(.directory) }
        return number
    }
}
