/// A tile of a map in Web Mercator: a zoom level, and a column and a row from the north-west corner.
struct TileAddress: Hashable, Sendable {
    let zoom: Int
    let x: Int
    let y: Int

    /// The deepest level that is read; its tiles are half a metre wide, and four bytes hold a column.
    static let deepest = 26

    /// - Returns: nil for a tile that no level has.
    init?(zoom: Int, x: Int, y: Int) {
        guard (0...Self.deepest).contains(zoom), (0..<1 << zoom).contains(x), (0..<1 << zoom).contains(y) else {
            return nil
        }
        self.zoom = zoom
        self.x = x
        self.y = y
    }

    /// The tile's number in a PMTiles archive: all tiles of lower levels come before it, and those of its level lie along a Hilbert
    /// curve, so that neighbours are mostly stored beside each other (PMTiles version 3, section 4.1).
    var number: UInt64 {
        var number = ((1 as UInt64) << (2 * zoom) - 1) / 3
        var (x, y) = (x, y)
        for level in stride(from: zoom - 1, through: 0, by: -1) {
            let side = 1 << level
            let (isEast, isSouth) = (x & side != 0, y & side != 0)
            number += UInt64(isEast ? (isSouth ? 2 : 3) : (isSouth ? 1 : 0)) << (2 * level)
            (x, y) = (x & (side - 1), y & (side - 1))
            guard !isSouth else { continue }
            if isEast { (x, y) = (side - 1 - x, side - 1 - y) }
            (x, y) = (y, x)
        }
        return number
    }
}
