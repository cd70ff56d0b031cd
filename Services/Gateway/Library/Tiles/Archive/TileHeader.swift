/// The first 127 bytes of a PMTiles archive of version 3: where its parts are, and what they hold.
struct TileHeader: Hashable, Sendable {
    static let length = 127
    /// The root directory ends here at the latest, so that one read brings it along (PMTiles version 3, section 3).
    static let mostOfRoot = 16_384

    let root: TileSection
    let metadata: TileSection
    let leaves: TileSection
    let tiles: TileSection
    /// The number of different pictures; 0 where the writer did not count.
    let pictures: UInt64
    /// Whether directories and metadata are compressed by gzip.
    let isCompressed: Bool
    let zooms: ClosedRange<Int>
    let bounds: TileBounds

    /// - Parameters:
    ///   - bytes: The beginning of the file.
    ///   - size: The whole file's, in bytes.
    init(_ bytes: [UInt8], size: UInt64) throws(TileFault) {
        guard bytes.starts(with: "PMTiles".utf8) else { throw .noArchive }
        guard bytes.count >= Self.length else { throw .cutOff(.header) }
        guard bytes[7] == 3 else { throw .version(bytes[7]) }
        func number(_ place: Int) -> UInt64 {
            bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
        func section(_ place: Int) -> TileSection { TileSection(offset: number(place), length: number(place + 8)) }
        (root, metadata, leaves, tiles) = (section(8), section(24), section(40), section(56))
        try root.require(within: size, .directory)
        try metadata.require(within: size, .metadata)
        try leaves.require(within: size, .directory)
        try tiles.require(within: size, .tile)
        guard root.offset >= UInt64(Self.length), root.length <= UInt64(Self.mostOfRoot) else {
            throw .tooLarge(.directory)
        }
        pictures = number(88)
        switch bytes[97] {
        case 1: isCompressed = false
        case 2: isCompressed = true
        default: throw .compression(.directory)
        }
        // Pictures are compressed by themselves; writers that do not know say 0.
        guard bytes[98] <= 1 else { throw .compression(.tile) }
        switch bytes[99] {
        case 2, 3, 4: break
        case 1: throw .content("vector tiles")
        case 5: throw .content("AVIF")
        default: throw .content("something unknown")
        }
        let (least, most) = (Int(bytes[100]), Int(bytes[101]))
        guard least <= most, most <= TileAddress.deepest else { throw .levels }
        zooms = least...most
        bounds = TileBounds(sevenDecimals: [102, 106, 110, 114].map { Int32(truncatingIfNeeded: number($0)) })
    }
}

/// The part of the world that a map shows, in degrees.
struct TileBounds: Hashable, Sendable {
    let west: Double
    let south: Double
    let east: Double
    let north: Double

    /// The whole map where the writer gave no area.
    static let world = TileBounds(west: -180, south: -85.0511, east: 180, north: 85.0511)

    init(west: Double, south: Double, east: Double, north: Double) {
        (self.west, self.south, self.east, self.north) = (west, south, east, north)
    }

    /// - Parameter numbers: West, south, east and north in ten-millionths of a degree.
    fileprivate init(sevenDecimals numbers: [Int32]) {
        let degrees = numbers.map { Double($0) / 1e7 }
        let (west, south, east, north) = (degrees[0], degrees[1], degrees[2], degrees[3])
        guard west < east, south < north, west >= -180, east <= 180, south >= -90, north <= 90 else {
            self = .world
            return
        }
        self.init(west: west, south: south, east: east, north: north)
    }
}
