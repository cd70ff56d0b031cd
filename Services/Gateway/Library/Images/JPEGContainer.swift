/// JPEG files (ITU-T T.81): segments, and between them the coded picture, in which a byte FF is followed by 00 or a restart marker.
///
/// Only what every decoder knows is taken: baseline, extended and progressive Huffman coding of 8 bits. Of the application segments JFIF and
/// Adobe stay, which say how colours are coded; tables are checked to their last byte, so that nothing else hides in them.
enum JPEGContainer {
    static let magic: [UInt8] = [0xFF, 0xD8, 0xFF]

    private enum Marker {
        static let end: UInt8 = 0xD9
        static let scan: UInt8 = 0xDA
        static let restarts: ClosedRange<UInt8> = 0xD0...0xD7
        static let frames: Set<UInt8> = [0xC0, 0xC1, 0xC2]
        static let huffman: UInt8 = 0xC4
        static let quantization: UInt8 = 0xDB
        static let restartInterval: UInt8 = 0xDD
        static let jfif: UInt8 = 0xE0
        static let adobe: UInt8 = 0xEE
        static let applications: ClosedRange<UInt8> = 0xE0...0xEF
        static let comment: UInt8 = 0xFE
    }

    /// Each is a pass over the whole picture for whoever shows it; encoders of phones write about ten.
    static let mostScans = 100

    static func cleaned(_ sent: [UInt8]) throws(ImageFault) -> CleanImage.Content {
        var reader = ImageReader(sent, from: 2)
        var clean: [UInt8] = [0xFF, 0xD8]
        clean.reserveCapacity(sent.count)
        var size: (width: Int, height: Int)?
        var scans = 0
        while true {
            let marker = try marker(&reader)
            if marker == Marker.end {
                guard let size, scans > 0, reader.isAtEnd else { throw .broken }
                return (size.width, size.height, clean + [0xFF, Marker.end])
            }
            let length = try reader.bigEndian(2)
            guard length >= 2 else { throw .broken }
            let content = try reader.piece(length - 2)
            var stays = true
            switch marker {
            case Marker.huffman: try checkHuffman(content)
            case Marker.quantization: try checkQuantization(content)
            case Marker.restartInterval: guard content.count == 2 else { throw .broken }
            case Marker.jfif:
                stays =
                    content.count == 14 && content.starts(with: Array("JFIF\0".utf8)) && content.suffix(2) == [0, 0]
            case Marker.adobe: stays = content.count == 12 && content.starts(with: Array("Adobe".utf8))
            case Marker.applications, Marker.comment: stays = false
            case let frame where Marker.frames.contains(frame):
                guard size == nil else { throw .broken }
                size = try frameSize(content)
            case Marker.scan:
                guard size != nil, let count = content.first, (1...4).contains(count),
                    content.count == 4 + 2 * Int(count)
                else { throw .broken }
                scans += 1
                guard scans <= mostScans else { throw .broken }
            default: throw .broken
            }
            if stays { clean += [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content }
            if marker == Marker.scan { clean += try coded(&reader) }
        }
    }

    /// The next marker; any number of bytes FF may stand before it.
    private static func marker(_ reader: inout ImageReader) throws(ImageFault) -> UInt8 {
        guard try reader.byte() == 0xFF else { throw .broken }
        var byte = try reader.byte()
        while byte == 0xFF { byte = try reader.byte() }
        return byte
    }

    /// The coded picture up to the next marker.
    private static func coded(_ reader: inout ImageReader) throws(ImageFault) -> ArraySlice<UInt8> {
        let rest = reader.rest
        var place = rest.startIndex
        while let mark = rest[place...].firstIndex(of: 0xFF), mark + 1 < rest.endIndex {
            let next = rest[mark + 1]
            guard next == 0 || Marker.restarts.contains(next) else { return try reader.piece(mark - rest.startIndex) }
            place = mark + 2
        }
        throw .broken
    }

    /// The size of a frame of one, three or four components. A height of 0 is told after the picture, which nothing writes today.
    private static func frameSize(_ content: ArraySlice<UInt8>) throws(ImageFault) -> (width: Int, height: Int) {
        var reader = ImageReader(Array(content))
        let precision = try reader.byte()
        let (height, width, components) = (try reader.bigEndian(2), try reader.bigEndian(2), Int(try reader.byte()))
        guard precision == 8, [1, 3, 4].contains(components), content.count == 6 + 3 * components else { throw .broken }
        return (width, height)
    }

    private static func checkQuantization(_ content: ArraySlice<UInt8>) throws(ImageFault) {
        var reader = ImageReader(Array(content))
        repeat {
            let kind = try reader.byte()
            guard kind >> 4 <= 1, kind & 0xF <= 3 else { throw .broken }
            _ = try reader.piece(64 * (1 + Int(kind >> 4)))
        } while !reader.isAtEnd
    }

    private static func checkHuffman(_ content: ArraySlice<UInt8>) throws(ImageFault) {
        var reader = ImageReader(Array(content))
        repeat {
            let kind = try reader.byte()
            guard kind >> 4 <= 1, kind & 0xF <= 3 else { throw .broken }
            let codes = try reader.piece(16).reduce(0) { $0 + Int($1) }
            guard (1...256).contains(codes) else { throw .broken }
            _ = try reader.piece(codes)
        } while !reader.isAtEnd
    }
}
