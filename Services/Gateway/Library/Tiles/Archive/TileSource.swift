/// The bytes of an archive, wherever they are.
protocol TileSource: Sendable {
    /// In bytes.
    var size: UInt64 { get }

    /// Exactly `count` bytes.
    /// - Throws: `TileFault.cutOff` where there are fewer.
    func read(_ part: TileFault.Part, at offset: UInt64, count: Int) throws(TileFault) -> [UInt8]
}

/// A part of a file.
struct TileSection: Hashable, Sendable {
    let offset: UInt64
    let length: UInt64

    /// - Throws: `TileFault.cutOff` unless it lies within the file.
    func require(within size: UInt64, _ part: TileFault.Part) throws(TileFault) {
        let (end, isBeyond) = offset.addingReportingOverflow(length)
        guard !isBeyond, end <= size else { throw .cutOff(part) }
    }

    /// A piece by its place in this part.
    /// - Throws: `TileFault.cutOff` unless it lies within this part, `TileFault.tooLarge` for more than `most` bytes.
    func piece(
        at place: UInt64, count: UInt64, most: Int, _ part: TileFault.Part
    ) throws(TileFault) -> (offset: UInt64, count: Int) {
        try TileSection(offset: place, length: count).require(within: length, part)
        guard count <= UInt64(most) else { throw .tooLarge(part) }
        return (offset + place, Int(count))
    }
}
