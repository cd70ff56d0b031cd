import Crypto
import Routes

/// The operator's own map: a PMTiles file with pictures (`AQUA_MAP_FILE`), and whose work it is.
package struct MapFile: Sendable {
    let path: String
    /// The operator's own words about the authors (`AQUA_MAP_ATTRIBUTION`); nil: those of the file.
    let attribution: MapTiles.Attribution?

    /// - Throws: The reason why the file cannot be used as it is now.
    init(_ path: String, attribution: MapTiles.Attribution?) throws(TileFault) {
        self.path = path
        self.attribution = attribution
        _ = try opened()
    }

    /// The version of the file that stands there now; nil where there is none.
    var stamp: TileFile.Stamp? { TileFile.Stamp.of(path) }

    func opened() throws(TileFault) -> OpenMap {
        let file = try TileFile(path)
        let archive = try TileArchive(file)
        let metadata = MapMetadata(try archive.metadata())
        guard let attribution = attribution ?? metadata.attribution else { throw .unattributed }
        return OpenMap(archive: archive, stamp: file.stamp, facts: MapFacts(archive, file.stamp, attribution))
    }
}

/// A map whose file is open.
struct OpenMap: Sendable {
    var archive: TileArchive
    let stamp: TileFile.Stamp
    let facts: MapFacts
}

/// What applications are told about the operator's own map.
struct MapFacts: Hashable, Sendable {
    /// Names the version of the file: other contents have another. Copies of a file have the same where they keep its time.
    let version: String
    let attribution: MapTiles.Attribution
    let zooms: ClosedRange<Int>
    let bounds: TileBounds
    /// The mean size of a picture in bytes, by which one can say how much an area takes; 0: unknown.
    let pictureSize: Int

    init(_ archive: TileArchive, _ stamp: TileFile.Stamp, _ attribution: MapTiles.Attribution) {
        let header = archive.header
        var hash = SHA256()
        hash.update(data: archive.beginning)
        hash.update(data: Array("\(stamp.size) \(stamp.seconds) \(stamp.nanoseconds)".utf8))
        version = Base64URL.text(Array(hash.finalize().prefix(12)))
        self.attribution = attribution
        zooms = header.zooms
        bounds = header.bounds
        let mean = header.pictures > 0 ? header.tiles.length / header.pictures : 0
        pictureSize = Int(min(mean, UInt64(TileArchive.largestTile)))
    }

    /// The address of a tile, with `{z}`, `{x}` and `{y}` in it. It changes with the file, so that browsers keep what they have.
    var template: String { "/tiles/{z}/{x}/{y}?v=\(version)" }
}
