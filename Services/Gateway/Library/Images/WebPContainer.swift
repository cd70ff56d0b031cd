/// WebP files (RFC 9649): a RIFF container with one picture, which `VP8X` precedes where alpha or anything else is told apart from it. That
/// header is written anew, and only where there is alpha.
enum WebPContainer {
    static let riff = Array("RIFF".utf8)
    static let webP = Array("WEBP".utf8)

    private static let hasAlpha: UInt8 = 0x10
    private static let isAnimated: UInt8 = 0x02

    static func cleaned(_ sent: [UInt8]) throws(ImageFault) -> CleanImage.Content {
        var reader = ImageReader(sent, from: 4)
        // The length counts what follows it.
        guard try reader.littleEndian(4) == sent.count - 8 else { throw .broken }
        _ = try reader.piece(4)
        var canvas: (width: Int, height: Int)?
        var alpha: ArraySlice<UInt8>?
        var picture: (name: String, content: ArraySlice<UInt8>, width: Int, height: Int)?
        var isFirst = true
        while !reader.isAtEnd {
            let (name, content) = try chunk(&reader)
            switch name {
            case "VP8X":
                guard isFirst else { throw .broken }
                canvas = try readCanvas(content)
            case "ANIM", "ANMF": throw .animated
            case "ALPH":
                guard canvas != nil, alpha == nil, picture == nil, !content.isEmpty else { throw .broken }
                alpha = content
            case "VP8 ", "VP8L":
                guard picture == nil else { throw .broken }
                let size = try name == "VP8 " ? lossySize(content) : losslessSize(content)
                picture = (name, content, size.width, size.height)
            default: guard !isFirst else { throw .broken }  // metadata, and what is not known
            }
            isFirst = false
        }
        guard let picture, alpha == nil || picture.name == "VP8 " else { throw .broken }
        if let canvas, canvas != (picture.width, picture.height) { throw .broken }
        var chunks = webP
        if let alpha {
            let sides = [picture.width - 1, picture.height - 1].flatMap { littleEndian($0, count: 3) }
            chunks += written("VP8X", ([hasAlpha, 0, 0, 0] + sides)[...]) + written("ALPH", alpha)
        }
        chunks += written(picture.name, picture.content)
        return (picture.width, picture.height, riff + littleEndian(chunks.count, count: 4) + chunks)
    }

    /// A chunk's content; a byte of zero follows one of odd length.
    private static func chunk(
        _ reader: inout ImageReader
    ) throws(ImageFault) -> (name: String, content: ArraySlice<UInt8>) {
        let name = String(decoding: try reader.piece(4), as: UTF8.self)
        let length = try reader.littleEndian(4)
        let content = try reader.piece(length)
        if !length.isMultiple(of: 2), try reader.byte() != 0 { throw .broken }
        return (name, content)
    }

    private static func written(_ name: String, _ content: ArraySlice<UInt8>) -> [UInt8] {
        Array(name.utf8) + littleEndian(content.count, count: 4) + content
            + (content.count.isMultiple(of: 2) ? [] : [0])
    }

    private static func littleEndian(_ value: Int, count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func readCanvas(_ content: ArraySlice<UInt8>) throws(ImageFault) -> (width: Int, height: Int) {
        var reader = ImageReader(Array(content))
        let flags = try reader.byte()
        _ = try reader.piece(3)
        let (width, height) = (try reader.littleEndian(3) + 1, try reader.littleEndian(3) + 1)
        guard reader.isAtEnd else { throw .broken }
        guard flags & isAnimated == 0 else { throw .animated }
        return (width, height)
    }

    /// The size of a VP8 key frame (RFC 6386, section 9.1).
    private static func lossySize(_ content: ArraySlice<UInt8>) throws(ImageFault) -> (width: Int, height: Int) {
        var reader = ImageReader(Array(content.prefix(10)))
        let tag = try reader.littleEndian(3)
        guard tag & 1 == 0, try reader.piece(3).elementsEqual([0x9D, 0x01, 0x2A]) else { throw .broken }
        return (try reader.littleEndian(2) & 0x3FFF, try reader.littleEndian(2) & 0x3FFF)
    }

    private static func losslessSize(_ content: ArraySlice<UInt8>) throws(ImageFault) -> (width: Int, height: Int) {
        var reader = ImageReader(Array(content.prefix(5)))
        guard try reader.byte() == 0x2F else { throw .broken }
        let bits = try reader.littleEndian(4)
        guard bits >> 29 == 0 else { throw .broken }  // the version
        return (bits & 0x3FFF + 1, bits >> 14 & 0x3FFF + 1)
    }
}
