import CZlib

/// PNG files (ISO/IEC 15948, third edition): chunks with checksums. Those stay that a picture is made of, and how its colours are meant as
/// numbers; text, times, profiles and whatever nobody needs go.
enum PNGContainer {
    static let magic: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Bit depths of each colour type.
    private static let depths: [UInt8: Set<UInt8>] = [
        0: [1, 2, 4, 8, 16], 2: [8, 16], 3: [1, 2, 4, 8], 4: [8, 16], 6: [8, 16],
    ]
    /// Lengths of the chunks beside the picture that stay.
    private static let kept: [String: ClosedRange<Int>] = [
        "tRNS": 1...256, "gAMA": 4...4, "cHRM": 32...32, "sRGB": 1...1,
    ]
    private static let animation: Set<String> = ["acTL", "fcTL", "fdAT"]

    /// Chunks come in this order.
    private enum Stage: Int, Comparable {
        case header, palette, picture, after

        static func < (one: Stage, other: Stage) -> Bool { one.rawValue < other.rawValue }
    }

    static func cleaned(_ sent: [UInt8]) throws(ImageFault) -> CleanImage.Content {
        var reader = ImageReader(sent, from: magic.count)
        let header = try chunk(&reader)
        guard header.name == "IHDR" else { throw .broken }
        let (width, height, colour) = try readHeader(header.content)
        var clean = magic + written(header)
        clean.reserveCapacity(sent.count)
        var stage = Stage.header
        var hasPalette = false
        while true {
            let next = try chunk(&reader)
            guard !animation.contains(next.name) else { throw .animated }
            switch next.name {
            case "PLTE":
                guard stage == .header, !hasPalette, next.content.count.isMultiple(of: 3),
                    (3...768).contains(next.content.count),
                    ![0, 4].contains(colour)
                else { throw .broken }
                (stage, hasPalette) = (.palette, true)
            case "IDAT":
                guard stage <= .picture, hasPalette || colour != 3 else { throw .broken }
                stage = .picture
            case "IEND":
                guard stage >= .picture, next.content.isEmpty, reader.isAtEnd else { throw .broken }
                return (width, height, clean + written(next))
            default:
                // The fifth bit of a name's first letter says that a decoder may leave the chunk out.
                guard let first = next.name.utf8.first, first & 0x20 != 0 else { throw .broken }
                if stage == .picture { stage = .after }
                guard stage < .picture, kept[next.name]?.contains(next.content.count) == true else { continue }
            }
            clean += written(next)
        }
    }

    private struct Chunk {
        let name: String
        /// Name and content, over which the checksum is made.
        let body: ArraySlice<UInt8>
        let checksum: ArraySlice<UInt8>

        var content: ArraySlice<UInt8> { body.dropFirst(4) }
    }

    private static func chunk(_ reader: inout ImageReader) throws(ImageFault) -> Chunk {
        let length = try reader.bigEndian(4)
        guard length <= Int(Int32.max) else { throw .broken }
        let body = try reader.piece(length + 4)
        let checksum = try reader.piece(4)
        let name = body.prefix(4)
        guard name.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }),
            checksum.reduce(0, { $0 << 8 | UInt32($1) }) == checksumOf(body)
        else { throw .broken }
        return Chunk(name: String(decoding: name, as: UTF8.self), body: body, checksum: checksum)
    }

    private static func checksumOf(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.withUnsafeBufferPointer { UInt32(truncatingIfNeeded: crc32(0, $0.baseAddress, UInt32($0.count))) }
    }

    private static func written(_ chunk: Chunk) -> [UInt8] {
        bigEndian(UInt32(chunk.content.count)) + chunk.body + chunk.checksum
    }

    static func chunk(_ name: String, _ content: some Collection<UInt8>) -> [UInt8] {
        let body = Array(name.utf8) + content
        return bigEndian(UInt32(content.count)) + body + bigEndian(checksumOf(body[...]))
    }

    static func bigEndian(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }

    private static func readHeader(
        _ content: ArraySlice<UInt8>
    ) throws(ImageFault) -> (width: Int, height: Int, colour: UInt8) {
        var reader = ImageReader(Array(content))
        let (width, height) = (try reader.bigEndian(4), try reader.bigEndian(4))
        let (depth, colour) = (try reader.byte(), try reader.byte())
        let (compression, filter, interlace) = (try reader.byte(), try reader.byte(), try reader.byte())
        guard reader.isAtEnd, depths[colour]?.contains(depth) == true, compression == 0, filter == 0, interlace <= 1
        else { throw .broken }
        return (width, height, colour)
    }
}
