/// A picture as it is stored: the file that was sent, without anything that is not needed to show it. The container is read, the picture is
/// never decoded: pictures are strangers' input, and decoders are where such input does harm.
///
/// Notes of cameras beside a picture (Exif with the place, XMP, IPTC, comments, thumbnails, colour profiles) are left out, by lists of what
/// stays. Cleaning a clean picture changes nothing.
package struct CleanImage: Equatable, Sendable {
    package let type: ImageType
    package let width: Int
    package let height: Int
    package let bytes: [UInt8]

    /// The longest side in pixels: a small file can claim a picture that fills a phone's memory.
    package static let longestSide = 4096

    /// - Parameter sent: A whole file, whatever its sender called it.
    package init(_ sent: [UInt8]) throws(ImageFault) {
        guard let type = ImageType(magicOf: sent) else { throw .otherType }
        let found =
            switch type {
            case .jpeg: try JPEGContainer.cleaned(sent)
            case .png: try PNGContainer.cleaned(sent)
            case .webP: try WebPContainer.cleaned(sent)
            }
        guard found.width > 0, found.height > 0 else { throw .broken }
        guard max(found.width, found.height) <= Self.longestSide else { throw .tooManyPixels }
        self.type = type
        width = found.width
        height = found.height
        bytes = found.bytes
    }

    /// A container's clean bytes, and the size that it claims.
    typealias Content = (width: Int, height: Int, bytes: [UInt8])
}

/// The file formats of pictures that all browsers show.
package enum ImageType: String, CaseIterable, Sendable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case webP = "image/webp"

    /// The ending of a file's name.
    package var fileExtension: String { rawValue == "image/jpeg" ? "jpg" : String(rawValue.dropFirst(6)) }

    /// The format of a file by its first bytes.
    init?(magicOf bytes: [UInt8]) {
        if bytes.starts(with: JPEGContainer.magic) {
            self = .jpeg
        } else if bytes.starts(with: PNGContainer.magic) {
            self = .png
        } else if bytes.count >= 12, bytes.starts(with: WebPContainer.riff),
            bytes[8..<12].elementsEqual(WebPContainer.webP)
        {
            self = .webP
        } else {
            return nil
        }
    }
}

/// The reason why a file is not taken as a picture.
package enum ImageFault: Error, Sendable {
    /// Not JPEG, PNG or WebP, such as HEIC, SVG or GIF.
    case otherType
    case animated
    /// Cut off, followed by something else, or not what its format demands.
    case broken
    case tooManyPixels
}

/// A place in a file, from which numbers and pieces are read in order.
struct ImageReader {
    private let bytes: [UInt8]
    private(set) var place: Int
    private let end: Int

    init(_ bytes: [UInt8], from place: Int = 0) {
        self.bytes = bytes
        self.place = place
        end = bytes.count
    }

    var isAtEnd: Bool { place == end }

    mutating func byte() throws(ImageFault) -> UInt8 {
        guard place < end else { throw .broken }
        defer { place += 1 }
        return bytes[place]
    }

    /// All that follows, without going on.
    var rest: ArraySlice<UInt8> { bytes[place..<end] }

    mutating func piece(_ count: Int) throws(ImageFault) -> ArraySlice<UInt8> {
        guard count >= 0, count <= end - place else { throw .broken }
        defer { place += count }
        return bytes[place..<place + count]
    }

    mutating func bigEndian(_ count: Int) throws(ImageFault) -> Int {
        try piece(count).reduce(0) { $0 << 8 | Int($1) }
    }

    mutating func littleEndian(_ count: Int) throws(ImageFault) -> Int {
        try piece(count).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
