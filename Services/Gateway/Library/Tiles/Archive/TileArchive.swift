/// A PMTiles archive of pictures (version 3): finds tiles by their addresses.
///
/// The root directory is read once, further ones when a tile needs them; the last ones stay in memory. Every length that the
/// archive tells is bounded before anything is read or kept.
struct TileArchive: Sendable {
    let header: TileHeader
    /// The header and the root directory as they are stored.
    let beginning: [UInt8]
    private let source: any TileSource
    private let root: TileDirectory
    private var known = TileDirectoryCache()

    /// In bytes: a picture of 512 pixels without compression.
    static let largestTile = 1 << 20
    static let largestMetadata = 1 << 20
    private static let largestDirectory = 1 << 20
    /// A directory of the most entries, in the few bytes that each takes.
    private static let largestUnpacked = 4 << 20
    /// Directories from the root to a tile; writers make two levels, and the format permits one more.
    private static let deepest = 4

    init(_ source: any TileSource) throws(TileFault) {
        let first = try source.read(.header, at: 0, count: min(Int(clamping: source.size), TileHeader.length))
        header = try TileHeader(first, size: source.size)
        let root = try source.read(.directory, at: header.root.offset, count: Int(header.root.length))
        self.source = source
        beginning = first + root
        self.root = try Self.directory(root, header)
    }

    /// - Returns: The picture as it is stored; nil where the archive has none.
    mutating func tile(at address: TileAddress) throws(TileFault) -> (type: ImageType, bytes: [UInt8])? {
        guard header.zooms.contains(address.zoom) else { return nil }
        let number = address.number
        var found = root.entry(of: number)
        for _ in 0..<Self.deepest {
            guard let entry = found else { return nil }
            guard entry.isDirectory else {
                let place = try header.tiles.piece(
                    at: entry.offset, count: UInt64(entry.length), most: Self.largestTile, .tile)
                let bytes = try source.read(.tile, at: place.offset, count: place.count)
                // Archives mix formats, whatever their header says.
                guard let type = ImageType(magicOf: bytes) else { throw .broken(.tile) }
                return (type, bytes)
            }
            found = try directory(of: entry).entry(of: number)
        }
        throw .nested
    }

    /// JSON, no more compressed.
    func metadata() throws(TileFault) -> [UInt8] {
        let place = try header.metadata.piece(
            at: 0, count: header.metadata.length, most: Self.largestMetadata, .metadata)
        let bytes = try source.read(.metadata, at: place.offset, count: place.count)
        return header.isCompressed && !bytes.isEmpty
            ? try Gunzip.unpacked(bytes, most: Self.largestMetadata, .metadata) : bytes
    }

    private mutating func directory(of entry: TileDirectory.Entry) throws(TileFault) -> TileDirectory {
        if let known = known[entry.offset] { return known }
        let place = try header.leaves.piece(
            at: entry.offset, count: UInt64(entry.length), most: Self.largestDirectory, .directory)
        let read = try Self.directory(source.read(.directory, at: place.offset, count: place.count), header)
        known[entry.offset] = read
        return read
    }

    private static func directory(_ stored: [UInt8], _ header: TileHeader) throws(TileFault) -> TileDirectory {
        try TileDirectory(
            header.isCompressed ? Gunzip.unpacked(stored, most: largestUnpacked, .directory) : stored)
    }
}

/// The directories that were used last, by their places.
struct TileDirectoryCache: Sendable {
    private var kept: [UInt64: (directory: TileDirectory, usedAt: UInt64)] = [:]
    private var entries = 0
    private var now: UInt64 = 0
    private let most: Int
    private let mostEntries: Int

    /// - Parameters:
    ///   - most: Directories.
    ///   - mostEntries: Entries of all of them, of 24 bytes each.
    init(most: Int = 64, mostEntries: Int = 4 * TileDirectory.mostEntries) {
        self.most = most
        self.mostEntries = mostEntries
    }

    var count: Int { kept.count }

    subscript(place: UInt64) -> TileDirectory? {
        mutating get {
            now += 1
            kept[place]?.usedAt = now
            return kept[place]?.directory
        }
        set {
            now += 1
            if let former = kept.removeValue(forKey: place) { entries -= former.directory.entries.count }
            guard let newValue else { return }
            kept[place] = (newValue, now)
            entries += newValue.entries.count
            while kept.count > most || entries > mostEntries,
                let oldest = kept.min(by: { $0.value.usedAt < $1.value.usedAt })
            {
                entries -= oldest.value.directory.entries.count
                kept[oldest.key] = nil
            }
        }
    }
}
